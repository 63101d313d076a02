"""The base classes of the exceptions, and how they are read. Programs have all from `errors`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, ClassVar, Dict, Iterable, Mapping, Optional, Tuple, Type

from ._error_fields import PLAIN, ErrorFields
from ._results import member, parsed, without_value
from ._text import wire_name
from .orders import Checkout
from .results import Result
from .statuses import Status

if TYPE_CHECKING:
    from .journal_entries import JournalEntry
    from .violations import Violation


class PayorderError(ErrorFields):
    # Not in `vars`, which error trackers show: these have the customer's data or payment page.
    __slots__ = ("raw", "response_body", "checkout_url")
    #: What a query or a wait asked for, so that the error can be the next query.
    _asked: Optional[Mapping[str, object]] = None
    #: The classes, by their results.
    _classes: ClassVar[Dict[int, Type[PayorderError]]] = {}

    def __init_subclass__(cls, result: Optional[Result] = None) -> None:
        if result is not None:
            PayorderError._classes[result] = cls

    def __init__(self, raw: str) -> None:
        error = _fields(raw)
        self.raw: str = raw
        for name in PLAIN:
            setattr(self, name, error.get(wire_name(name)))
        self.cause: str = error.get("cause", "")
        self.action: str = error.get("action", "")
        given = error.get("violations", ())
        self.violations: Tuple[Violation, ...] = _violations(given)
        self.previous: Optional[JournalEntry] = _entry(error.get("previous"))
        # The library's own text, so that fields that this version does not know stay unchanged.
        status = member(raw, "/error/status") if "status" in error else None
        self.status: Optional[Status] = None if status is None else Status(status)
        # Not the JSON text, which error trackers would show with the customer's data.
        super().__init__(str(self))

    def __reduce__(self) -> Tuple[Any, ...]:
        return type(self), (self.raw,), vars(self)

    def to_dict(self) -> Dict[str, Any]:
        """The library's error object as a dict for `json.dumps`: `{"error": {...}}`.

        If it has a `status`, it also has the customer's data.

        Returns:
            A new dict.
        """
        read = parsed(self.raw)
        if read is not None:
            return read
        error = dict(_fields(self.raw))
        if self.status is not None:
            error["status"] = self.status.to_dict()
        return {"error": error}

    def __str__(self) -> str:
        return f"{self.message} ({self.name})"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"

    @property
    def retry_after(self) -> Optional[float]:
        """The `Retry-After` header in seconds, or None if the service sent none."""
        return None if self.retry_after_ms is None else self.retry_after_ms / 1000


def _violations(given: Iterable[Mapping[str, Any]]) -> Tuple[Violation, ...]:
    try:
        from .violations import Violation

        return tuple(map(Violation.from_mapping, given))
    except Exception:
        # As with an entry.
        return ()


def _entry(previous: Optional[Mapping[str, Any]]) -> Optional[JournalEntry]:
    if previous is None:
        return None
    try:
        from .journal_entries import JournalEntry

        return JournalEntry.from_mapping(previous)
    except Exception:
        # An entry of another version, or a module that cannot be read now, must not hide that the
        # order may exist. `raw` has it.
        return None


def _fields(raw: str) -> Mapping[str, Any]:
    """The members of the error object."""
    # `json.loads` may refuse the status inside the error. It can read everything else.
    document = parsed(raw) or json.loads(without_value(raw, "/error/status"))
    fields: Mapping[str, Any] = document["error"]
    return fields


class UnusableTextError(PayorderError, ValueError):
    """Raised by the functions that do not use the network, if they cannot use an argument.

    This is not a `NotSentError`, because it says nothing about an order: a return URL that cannot
    be read must not look like an order that was not sent. `violations` lists what is wrong with a
    request.
    """


class NotSentError(PayorderError):
    """Nothing of the request was sent.

    Fix the problem and call again, unless you cancelled the call: `action` says what to do.
    """


class RejectedError(PayorderError, result=Result.REJECTED):
    """The service refused the request. `response_message` is the reason that it gave."""


class OutcomeUnknownError(PayorderError):
    """The order may exist. Do what `action` says before anything else.

    For "ask_status", call `get_status(error.status_query)`. `status_query` is set after Create
    Order and after a wait. After Get Status it is None: `get_status(error)` asks again.
    """


class OrderInterrupted(KeyboardInterrupt):
    """Ctrl-C was pressed during `create_order`. The call has ended, and this is its result.

    A program that does not catch this exception ends as with any `KeyboardInterrupt`, and the
    traceback shows the checkout URL.

    Attributes:
        checkout: The created order, or None.
        error: Why there is no checkout, otherwise None.
        raw: The library's result as JSON text.
    """

    checkout: Optional[Checkout]
    error: Optional[PayorderError]
    raw: str

    def __init__(self, raw: str) -> None:
        self.raw = raw
        self.checkout = self.error = None
        if member(raw, "/responseCode") is not None:
            self.checkout = Checkout(raw)
        else:
            result = int(member(raw, "/error/result") or 0)
            self.error = error_class(result)(raw)
        super().__init__(str(self))

    def __reduce__(self) -> Tuple[Any, ...]:
        return type(self), (self.raw,)

    def __str__(self) -> str:
        if self.checkout is not None:
            return f"the order was created; send the customer to {self.checkout.url}"
        return f"the order failed: {self.error}"


def error_class(result: int) -> Type[PayorderError]:
    """The exception class of a result. The range of an unknown number decides."""
    known = PayorderError._classes.get(result)
    if known is not None:
        return known
    if 1 <= result <= 99:
        return NotSentError
    if 100 <= result <= 199:
        return RejectedError
    return OutcomeUnknownError

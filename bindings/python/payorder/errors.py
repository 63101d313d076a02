"""The exceptions. Their three base classes say what happened to the order."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, ClassVar, Dict, Iterable, Literal, Mapping, Optional
from typing import Tuple, Type

from ._results import member, parsed, without_value
from ._text import wire_name
from .orders import Checkout
from .results import Result
from .statuses import Status

if TYPE_CHECKING:
    from .journal_entries import JournalEntry
    from .violations import Violation


class PayorderError(Exception):
    """The base class of all errors. Catch `NotSentError`, `RejectedError`, `OutcomeUnknownError`.

    The functions that do not use the network raise `UnusableTextError` instead. The attributes are
    those of the library's error object. An attribute that does not apply to this error is None, or
    empty for `violations`.

    Attributes:
        result: The library's result number; see `Result`.
        name: The result's name, such as "PAYORDER_TIMEOUT".
        outcome: "not_sent", "rejected" or "unknown".
        cause: What exactly happened, for programs: compare with `Cause`.
        action: What to do next, for programs: compare with `Action`.
        message: For people, with the names of the service's interface, such as `orderId`; may
            change.
        operation: The call, such as "create_order".
        attempts: The number of attempts.
        elapsed_ms: How long the call took, in milliseconds.
        violations: Every field that breaks a rule.
        http_status: The HTTP status.
        response_code: The service's `responseCode`.
        response_message: The service's own text.
        request_id: What the response calls the request, for the service's support.
        response_body: With `quote_responses`, the start of a response that is not usable. It may
            contain personal data.
        retry_after_ms: The time of the header `Retry-After`, in milliseconds.
        status_query: The query to ask for the order's status.
        previous: The journal's entry of the earlier order.
        checkout_url: The checkout URL of an answer that leaves the outcome unknown.
        status: The last status seen by a wait that failed.
        raw: The whole object as JSON text, also with keys that this version does not know.
    """

    result: int
    name: str
    outcome: Literal["not_sent", "rejected", "unknown"]
    cause: str
    action: str
    message: str
    operation: Optional[str]
    attempts: Optional[int]
    elapsed_ms: Optional[int]
    violations: Tuple[Violation, ...]
    http_status: Optional[int]
    response_code: Optional[str]
    response_message: Optional[str]
    request_id: Optional[str]
    response_body: Optional[str]
    retry_after_ms: Optional[int]
    status_query: Optional[Dict[str, str]]
    previous: Optional[JournalEntry]
    checkout_url: Optional[str]
    status: Optional[Status]
    raw: str
    #: What a query or a wait asked for, so that the error can be the next query.
    _asked: Optional[Mapping[str, object]] = None
    #: The classes, by their results.
    _classes: ClassVar[Dict[int, Type[PayorderError]]] = {}

    def __init_subclass__(cls, result: Optional[Result] = None) -> None:
        if result is not None:
            PayorderError._classes[result] = cls

    def __init__(self, raw: str) -> None:
        error = _fields(raw)
        self.raw = raw
        for name in _PLAIN:
            setattr(self, name, error.get(wire_name(name)))
        self.cause = error.get("cause", "")
        self.action = error.get("action", "")
        self.violations = _violations(error["violations"]) if "violations" in error else ()
        self.previous = _entry(error.get("previous"))
        # The library's own text, so that fields that this version does not know stay unchanged.
        status = member(raw, "/error/status") if "status" in error else None
        self.status = None if status is None else Status(status)
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
    from .violations import Violation

    return tuple(map(Violation.from_mapping, given))


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


#: The attributes that are as in the error object.
_PLAIN = (
    "result name outcome message operation attempts elapsed_ms http_status response_code"
    " response_message request_id response_body retry_after_ms status_query checkout_url"
).split()


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


# <classes> bindings/generate writes it.
class InvalidArgumentError(NotSentError, result=Result.INVALID_ARGUMENT):
    """An argument is NULL, not UTF-8, not JSON or too long, or an option is unknown or invalid."""


class InvalidHandleError(NotSentError, result=Result.INVALID_HANDLE):
    """Not a live client or token (NULL, freed or never created)."""


class InvalidConfigError(NotSentError, result=Result.INVALID_CONFIG):
    """A configuration key is unknown, invalid or out of range, or a named file cannot be used."""


class InvalidRequestError(NotSentError, result=Result.INVALID_REQUEST):
    """The request breaks the interface's rules; all violations are listed."""


class MissingCredentialsError(NotSentError, result=Result.MISSING_CREDENTIALS):
    """The endpoint's credentials are in neither the configuration nor the options."""


class ConnectError(NotSentError, result=Result.CONNECT_FAILED):
    """DNS, TCP or proxy failed, or the connection broke before a byte of the request was sent."""


class TlsError(NotSentError, result=Result.TLS_FAILED):
    """The certificate or the handshake failed."""


class CancelledError(NotSentError, result=Result.CANCELLED):
    """Cancelled before a byte of the request was sent."""


class JournalError(NotSentError, result=Result.JOURNAL_FAILED):
    """The journal cannot be used, so nothing was sent."""


class InternalError(NotSentError, result=Result.INTERNAL):
    """A bug in the library, or no thread or memory left, before a byte of the request was sent."""


class UnauthorizedError(RejectedError, result=Result.UNAUTHORIZED):
    """HTTP or `response_code` 401 or 403."""


class RateLimitedError(RejectedError, result=Result.RATE_LIMITED):
    """HTTP or `response_code` 429."""


class ResponseTimeoutError(OutcomeUnknownError, result=Result.TIMEOUT):
    """No complete response in time."""


class ConnectionLostError(OutcomeUnknownError, result=Result.CONNECTION_LOST):
    """The connection ended before a complete response."""


class BadResponseError(OutcomeUnknownError, result=Result.BAD_RESPONSE):
    """A response that cannot be used."""


class ServiceFailedError(OutcomeUnknownError, result=Result.SERVICE_FAILED):
    """HTTP 5xx or a 4xx that is not a refusal code, a `response_code` that is neither 200 nor a
    refusal code, or a refused `resend`."""


class CancelledInFlightError(OutcomeUnknownError, result=Result.CANCELLED_IN_FLIGHT):
    """Cancelled after the first byte of the request was sent."""


class InternalInFlightError(OutcomeUnknownError, result=Result.INTERNAL_IN_FLIGHT):
    """A bug in the library after the first byte of the request was sent, or a forked child inside
    its parent's call."""


class DuplicateError(OutcomeUnknownError, result=Result.DUPLICATE):
    """The journal has this order already; this call sent nothing."""


__all__ = [
    "NotSentError",
    "OrderInterrupted",
    "OutcomeUnknownError",
    "PayorderError",
    "RejectedError",
    "UnusableTextError",
    "InvalidArgumentError",
    "InvalidHandleError",
    "InvalidConfigError",
    "InvalidRequestError",
    "MissingCredentialsError",
    "ConnectError",
    "TlsError",
    "CancelledError",
    "JournalError",
    "InternalError",
    "UnauthorizedError",
    "RateLimitedError",
    "ResponseTimeoutError",
    "ConnectionLostError",
    "BadResponseError",
    "ServiceFailedError",
    "CancelledInFlightError",
    "InternalInFlightError",
    "DuplicateError",
]
# </classes>


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

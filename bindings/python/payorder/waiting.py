"""The result of waiting for a payment."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, NoReturn, Optional

from ._lazy_results import member, plain
from .errors import PayorderError, error_class
from .statuses import Status


@dataclass(frozen=True)
class Waited:
    """The result of waiting for a payment: either `final` or `timed_out` is true.

    `final` does not mean paid: the amount may be wrong, or the payment refunded. Use
    `verify_payment` with `status` to find out.

    Attributes:
        final: Whether the payment is final.
        timed_out: Whether the time was up.
        polls: The number of queries that were sent.
        status: The last status seen, or None if there was none.
        error: The error of the last query, or None if it succeeded.
        raw: The library's whole result as JSON text.
    """

    final: bool
    timed_out: bool
    polls: int
    status: Optional[Status]
    error: Optional[PayorderError]
    raw: str = field(repr=False)

    @classmethod
    def from_json(cls, raw: str) -> Waited:
        """Reads the library's result.

        Args:
            raw: The result as JSON text.

        Returns:
            The result.
        """
        # Keeps the library's own texts. `json.loads` could refuse fields that this version does not
        # know, and `json.dumps` could change them.
        text = raw.encode()
        status, inner = member(text, "/status"), member(text, "/error")
        error = None
        if inner is not None:
            result = int(member(text, "/error/result") or 0)
            error = error_class(result)(f'{{"error":{inner}}}')
        return cls(
            member(text, "/final") == "true",
            member(text, "/timedOut") == "true",
            int(member(text, "/polls") or 0),
            None if status is None else Status(status),
            error,
            raw,
        )

    def to_dict(self) -> Dict[str, Any]:
        """This result as a dict for `json.dumps`, with the keys of the library's JSON.

        It also has the customer's data, if there is a status.

        Returns:
            A new dict.
        """
        read = plain(self.raw)
        if read is not None:
            return read
        known: Dict[str, Any] = {"final": self.final, "timedOut": self.timed_out}
        known["polls"] = self.polls
        if self.status is not None:
            known["status"] = self.status.to_dict()
        if self.error is not None:
            known.update(self.error.to_dict())
        return known

    def __bool__(self) -> NoReturn:
        raise TypeError(
            "a Waited is not true or false; use verify_payment(expected, waited.status).paid"
            " to find out whether the order is paid"
        )

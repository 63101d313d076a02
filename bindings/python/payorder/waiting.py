"""The result of waiting for a payment."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NoReturn, Optional

from ._lazy_results import member
from .errors import PayorderError, error_class
from .statuses import Status


@dataclass(frozen=True)
class Waited:
    """The result of waiting for a payment: either `final` or `timed_out` is true.

    `final` does not mean paid: the amount may be wrong, or the payment refunded. Use
    `verify_payment` with `status` to find out.

    `status` is the last status seen, or None if there was none. `error` is the error of the last
    query, or None if it succeeded.
    """

    final: bool
    timed_out: bool
    polls: int  #: how many queries were sent
    status: Optional[Status]
    error: Optional[PayorderError]
    raw: str = field(repr=False)

    @classmethod
    def from_json(cls, raw: str) -> Waited:
        """Reads the library's result."""
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

    def __bool__(self) -> NoReturn:
        raise TypeError(
            "a Waited is not true or false; use verify_payment(expected, waited.status).paid"
            " to find out whether the order is paid"
        )

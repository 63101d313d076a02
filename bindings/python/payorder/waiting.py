"""How a wait for a payment ended."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NoReturn, Optional

from ._reading import member
from .errors import PayorderError, error_class
from .statuses import Status


@dataclass(frozen=True)
class Waited:
    """How a wait for a payment ended: `final`, or `timed_out`.

    `final` does not mean paid: the order may be refunded, or paid with another amount. Use
    `verify_payment` with `status` to find out.

    `status` is the last status seen, None if none ever was. `error` says why later questions had no
    answer, and is None if the last question had one.
    """

    final: bool
    timed_out: bool
    polls: int  #: how often the service was asked
    status: Optional[Status]
    error: Optional[PayorderError]
    raw: str = field(repr=False)

    @classmethod
    def from_json(cls, raw: str) -> Waited:
        """The result of the library."""
        # The members' texts as the library wrote them: parsed and written again, fields that this
        # version does not know could change, or be refused by `json.loads`.
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

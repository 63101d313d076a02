"""The result of waiting for a payment."""

from __future__ import annotations

from typing import Any, Dict, NoReturn, Optional

from ._results import JsonResult, member
from .errors import PayorderError, error_class
from .statuses import Status


class Waited(JsonResult):
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

    _shown = __slots__ = ("final", "timed_out", "polls", "status", "error")

    def __init__(self, raw: str) -> None:
        # Keeps the library's own texts. `json.loads` could refuse fields that this version does not
        # know, and `json.dumps` could change them.
        super().__init__(raw)
        status, inner = member(raw, "/status"), member(raw, "/error")
        error = None
        if inner is not None:
            result = int(member(raw, "/error/result") or 0)
            error = error_class(result)(f'{{"error":{inner}}}')
        for name, value in (
            ("final", member(raw, "/final") == "true"),
            ("timed_out", member(raw, "/timedOut") == "true"),
            ("polls", int(member(raw, "/polls") or 0)),
            ("status", None if status is None else Status(status)),
            ("error", error),
        ):
            object.__setattr__(self, name, value)

    def _known_fields(self) -> Dict[str, Any]:
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

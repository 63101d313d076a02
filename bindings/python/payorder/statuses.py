"""Get Status: the status of an order."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Dict, Optional

from ._results import member
from ._status_fields import StatusFields


class Status(StatusFields):
    __slots__ = ()

    def __init__(self, raw: str) -> None:
        super().__init__(raw)
        for name, path in self._paths.items():
            # A service's own response, for `from_json`, may have numbers, null or no such field.
            if name != "_date" and not isinstance(getattr(self, name), str):
                text = member(raw, "/" + "/".join(path))
                object.__setattr__(self, name, text or "")

    @property
    def completed(self) -> bool:
        """Whether `transaction_status` is "Completed". This does not prove the payment."""
        return self.transaction_status == "Completed"

    @property
    def money_moved(self) -> bool:
        """Whether the order was paid or refunded, or may have been: never say "not paid" then.

        `transaction_status` is "Completed" in any case and spacing, or there is a refund or a
        settlement.
        """
        moved = (
            *(self.refund_status, self.refund_type),
            *(self.settlement_status, self.settlement_date),
        )
        letters = "".join(self.transaction_status.split()).lower()
        return letters == "completed" or any(text.strip() for text in moved)

    @property
    def transaction_date(self) -> Optional[datetime]:
        """The date and time in `transaction_date_text`, or None if it has another format.

        It has no time zone, because the service's documentation names none.
        """
        try:
            return None if self._date is None else datetime.fromisoformat(self._date)
        except ValueError:
            return None

    def _known_fields(self) -> Dict[str, Any]:
        known = super()._known_fields()
        known["derived"]["completed"] = self.completed
        return known

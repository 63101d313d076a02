"""Get Status: the status of an order."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Dict, Optional

from ._status_fields import StatusFields


class Status(StatusFields):
    __slots__ = ()

    @property
    def completed(self) -> bool:
        """Whether `transaction_status` is "Completed". This does not prove the payment."""
        return self.transaction_status == "Completed"

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

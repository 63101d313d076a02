"""Get Status: the status of an order."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Dict, Optional

from ._results import JsonResult
from ._text import wire_name

#: The fields that are not in `data` under the wire's name of the attribute.
_OTHER_PATHS = {
    "response_code": ("responseCode",),
    "response_message": ("responseMessage",),
    "transaction_date_text": ("data", "transactionDate"),
    "_date": ("derived", "transactionDate"),
}
_NOT_SHOWN = ("customer_name", "customer_mobile", "customer_email", "_date")


class Status(JsonResult):
    """What the service knows about an order.

    Texts are as the service sent them, and empty if it sent none. `repr` leaves out the customer's
    data, because it often ends up in logs.

    `completed` does not mean that this order is paid as expected. Use `verify_payment` for that.

    Attributes:
        response_code: "200".
        response_message: The service's own text.
        merchant_ref_id: The service's reference for the merchant.
        order_id: The order's identifier.
        transaction_id: The transaction's identifier.
        amount: The amount as decimal text.
        customer_name: The customer's name.
        customer_mobile: The customer's mobile number.
        customer_email: The customer's e-mail address.
        transaction_status: The state of the payment, such as "Completed".
        transaction_date_text: The date and time as the service sent them.
        refund_status: Empty if nothing was refunded.
        refund_type: The kind of the refund.
        merchant_name: The merchant's name.
        settlement_status: The state of the settlement.
        settlement_date: The date of the settlement.
        pay_mode: How the customer paid.
        raw: The complete response as JSON text, with fields that this version does not know.
    """

    response_code: str
    response_message: str
    merchant_ref_id: str
    order_id: str
    transaction_id: str
    amount: str
    customer_name: str
    customer_mobile: str
    customer_email: str
    transaction_status: str
    transaction_date_text: str
    refund_status: str
    refund_type: str
    merchant_name: str
    settlement_status: str
    settlement_date: str
    pay_mode: str

    _date: Optional[str]

    _paths = {
        name: _OTHER_PATHS.get(name, ("data", wire_name(name)))
        for name in __annotations__
    }
    _shown = (*(name for name in _paths if name not in _NOT_SHOWN), "completed")
    __slots__ = tuple(_paths)

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

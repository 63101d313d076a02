# Generated from include/payorder-abi.json by bindings/generate.
"""What a status has, as attributes."""

from __future__ import annotations

from typing import Optional

from ._results import JsonResult
from ._text import wire_name


_NOT_SHOWN = ("_date", "customer_name", "customer_mobile", "customer_email")


class StatusFields(JsonResult):
    """What the service knows about an order.

    Texts are as the service sent them, and empty if it sent none. `repr` leaves out the customer's
    data, because it often ends up in logs.

    `completed` does not mean that this order is paid as expected. Use `verify_payment` for that.

    Attributes:
        response_code: "200".
        response_message: The service's own text.
        merchant_ref_id: The service's reference of the merchant's order.
        order_id: The order's identifier.
        transaction_id: The service's identifier of the transaction.
        amount: The amount of the payment.
        customer_name: The customer's full name.
        customer_mobile: The customer's mobile number.
        customer_email: The customer's e-mail address.
        transaction_status: "Completed" for a finished payment; other texts are the service's
            own.
        transaction_date_text: MM/DD/YYYY hh:mm:ss AM or PM, without a time zone.
        refund_status: Not empty after a refund.
        refund_type: The kind of refund.
        merchant_name: The merchant's name.
        settlement_status: Whether the merchant got the money.
        settlement_date: When the merchant got the money.
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
        **{name: ("data", wire_name(name)) for name in __annotations__},
        "response_code": ("responseCode",),
        "response_message": ("responseMessage",),
        "transaction_date_text": ("data", "transactionDate"),
        "_date": ("derived", "transactionDate"),
    }
    _shown = (*(name for name in _paths if name not in _NOT_SHOWN), "completed")
    __slots__ = tuple(_paths)

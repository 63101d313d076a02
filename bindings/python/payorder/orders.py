"""Create Order: the fields of an order, and the result."""

from __future__ import annotations

from typing import Dict, Literal, Mapping, TypedDict

from ._results import JsonResult
from .amounts import Amount

#: How the customer may pay: "all", by credit card, debit card, UPI or net banking.
PayMode = Literal["all", "cc", "dc", "upi", "nb"]


class OrderFields(TypedDict):
    """The fields of an order, for a program that builds its keyword arguments as a dict.

    The service requires all eleven. A type checker, and then the library, says which are missing.

    Attributes:
        amount: Text such as "100.00", or a Decimal.
        merchant_txn_id: Your own identifier of the transaction.
        order_id: Your own identifier of the order.
        pay_mode: "all", "cc", "dc", "upi" or "nb".
        merchant_id: Your identifier at the service.
        product_info: What the customer pays for.
        customer_name: The customer's name.
        customer_mobile: The customer's mobile number.
        customer_email: The customer's e-mail address.
        redirection_url: Where the customer returns after the payment.
        currency_code: The currency, such as "INR".
    """

    amount: Amount
    merchant_txn_id: str
    order_id: str
    pay_mode: PayMode
    merchant_id: str
    product_info: str
    customer_name: str
    customer_mobile: str
    customer_email: str
    redirection_url: str
    currency_code: str


def order_fields(given: Mapping[str, object]) -> Dict[str, object]:
    """The fields of an order among the arguments of a function."""
    return {name: given[name] for name in OrderFields.__annotations__}


_PATHS = {
    "url": ("data", "url"),
    "response_code": ("responseCode",),
    "response_message": ("responseMessage",),
}


class Checkout(JsonResult):
    """A created order: send the customer to `url`.

    Attributes:
        url: Where the customer pays.
        response_code: "200".
        response_message: The service's own text.
        raw: The complete response as JSON text.
    """

    url: str
    response_code: str
    response_message: str

    _paths = _PATHS
    _shown = __slots__ = tuple(_PATHS)

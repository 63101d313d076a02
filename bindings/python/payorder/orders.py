"""Create Order: the fields of an order, and the result."""

from __future__ import annotations

from typing import ClassVar, Dict, Optional, Tuple, TypedDict

from ._lazy_results import LazyResult
from .amounts import Amount


class OrderFields(TypedDict, total=False):
    """The fields of an order, for a program that builds its keyword arguments as a dict.

    The service requires all eleven. The library says which are missing.

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

    amount: Optional[Amount]
    merchant_txn_id: Optional[str]
    order_id: Optional[str]
    pay_mode: Optional[str]
    merchant_id: Optional[str]
    product_info: Optional[str]
    customer_name: Optional[str]
    customer_mobile: Optional[str]
    customer_email: Optional[str]
    redirection_url: Optional[str]
    currency_code: Optional[str]


class Checkout(LazyResult):
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

    _paths: ClassVar[Dict[str, Tuple[str, ...]]] = {
        "url": ("data", "url"),
        "response_code": ("responseCode",),
        "response_message": ("responseMessage",),
    }

    def __repr__(self) -> str:
        return (
            f"Checkout(url={self.url!r}, response_code={self.response_code!r},"
            f" response_message={self.response_message!r})"
        )

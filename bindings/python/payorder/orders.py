"""Create Order: the fields of an order, and the result."""

from __future__ import annotations

from typing import Any, ClassVar, Dict, Optional, Tuple, TypedDict

from ._lazy_results import LazyResult, parsed
from .amounts import Amount


class OrderFields(TypedDict, total=False):
    """The fields of an order, for a program that builds its keyword arguments as a dict.

    The service requires all eleven. The library says which are missing.
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
    """A created order: send the customer to `url`. `raw` is the complete response as JSON text."""

    url: str
    response_code: str
    response_message: str

    _paths: ClassVar[Dict[str, Tuple[str, ...]]] = {
        "url": ("data", "url"),
        "response_code": ("responseCode",),
        "response_message": ("responseMessage",),
    }

    def _read(self, name: str) -> Dict[str, Any]:
        # The usual case, kept short because it is part of every order's time.
        document: Any = parsed(self.raw)
        try:
            return {
                "url": document["data"]["url"],
                "response_code": document["responseCode"],
                "response_message": document["responseMessage"],
            }
        except (KeyError, TypeError):
            return super()._read(name)

    def __repr__(self) -> str:
        return (
            f"Checkout(url={self.url!r}, response_code={self.response_code!r},"
            f" response_message={self.response_message!r})"
        )

"""Create Order: the eleven fields, the options of the call, its answer."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Mapping, Optional, TypedDict

from ._library import library, usable
from ._text import c_json, wire_names
from .amounts import Amount, amount_text

if TYPE_CHECKING:
    from typing_extensions import Unpack


class OrderFields(TypedDict, total=False):
    """An order's fields as keyword arguments. The service requires all eleven; the library says which are missing."""

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


@dataclass(frozen=True)
class Checkout:
    """An order that was made: send the customer to `url`. `raw` is the whole answer as JSON text."""

    url: str
    response_code: str
    response_message: str
    raw: str = field(repr=False)

    @classmethod
    def from_json(cls, raw: str) -> Checkout:
        answered = json.loads(raw)
        return cls(
            answered["data"]["url"],
            answered["responseCode"],
            answered["responseMessage"],
            raw,
        )


def build_create_order(
    order: Optional[Mapping[str, object]] = None,
    *,
    return_url_field: Optional[str] = None,
    extra_fields: Optional[Mapping[str, str]] = None,
    **fields: Unpack[OrderFields],
) -> str:
    """The wire body of Create Order, without sending it. The order as in `Client.create_order`."""
    request = order_json(
        "build_create_order",
        order,
        wire_names("build_create_order", fields, OrderFields),
    )
    options = {"returnUrlField": return_url_field, "extraFields": extra_fields}
    given = {name: value for name, value in options.items() if value is not None}
    return usable(
        library.payorder_build_create_order, request, c_json(given, "options")
    )


def order_json(
    function: str, order: Optional[Mapping[str, object]], fields: Mapping[str, object]
) -> bytes:
    """The order as JSON text, from a mapping or from the fields of the keyword arguments, both by the wire's names."""
    if order is None:
        order = fields
    elif fields:
        raise TypeError(
            f"{function}() takes the order as a mapping or as keyword arguments, not as both"
        )
    return c_json(with_amount_text(order, "order"), "order")


def with_amount_text(payment: Mapping[str, object], what: str) -> Mapping[str, object]:
    """The same mapping, with its amount (where it has one) as decimal text."""
    if not isinstance(payment, Mapping):
        raise TypeError(f"{what} must be a mapping, not {type(payment).__name__}")
    if payment.get("amount") is None:
        return payment
    return {**payment, "amount": amount_text(payment["amount"])}

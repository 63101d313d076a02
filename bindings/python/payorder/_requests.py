"""Orders and status queries, as the JSON text that the library takes."""

from __future__ import annotations

from typing import Dict, Mapping, Optional

from ._text import ascii_json, c_json, without_none
from .amounts import Amount, amount_text


def order_fields(
    amount: Optional[Amount],
    merchant_txn_id: Optional[str],
    order_id: Optional[str],
    pay_mode: Optional[str],
    merchant_id: Optional[str],
    product_info: Optional[str],
    customer_name: Optional[str],
    customer_mobile: Optional[str],
    customer_email: Optional[str],
    redirection_url: Optional[str],
    currency_code: Optional[str],
) -> Dict[str, object]:
    """The fields of an order that were given as keyword arguments, under their wire names."""
    return without_none(
        amount=amount,
        merchantTxnId=merchant_txn_id,
        orderId=order_id,
        payMode=pay_mode,
        merchantId=merchant_id,
        productInfo=product_info,
        customerName=customer_name,
        customerMobile=customer_mobile,
        customerEmail=customer_email,
        redirectionURL=redirection_url,
        currencyCode=currency_code,
    )


def order_json(
    function: str, order: Optional[Mapping[str, object]], fields: Mapping[str, object]
) -> bytes:
    """The order as JSON text, from a mapping or from `fields`, both with the wire's names."""
    if order is None:
        order = fields
    elif fields:
        raise TypeError(
            f"{function}() takes the order as a mapping or as keyword arguments, not as both"
        )
    return c_json(with_amount_text(order, "order"), "order")


def with_amount_text(payment: Mapping[str, object], what: str) -> Mapping[str, object]:
    """A copy of the mapping in which the amount, if there is one, is decimal text."""
    if not isinstance(payment, Mapping):
        raise TypeError(f"{what} must be a mapping, not {type(payment).__name__}")
    if payment.get("amount") is None:
        return payment
    return {**payment, "amount": amount_text(payment["amount"])}


def query_json(
    function: str,
    query: Optional[Mapping[str, object]],
    order_id: Optional[str],
    transaction_id: Optional[str],
    search_type: Optional[str],
) -> bytes:
    """The query as JSON text, from a mapping with the wire's names or from keyword arguments."""
    named = without_none(
        searchType=search_type, orderId=order_id, transactionId=transaction_id
    )
    if query is None:
        query = named
    elif named:
        raise TypeError(
            f"{function}() takes the query as a mapping or as keyword arguments, not as both"
        )
    return c_json(query, "query")


def one_query_json(query: object) -> str:
    """One of many queries as JSON text: an order id, a mapping, or an object with a `status_query`.

    Any text can be encoded, and the library checks it, because one invalid query must not stop the
    others.
    """
    if isinstance(query, str):
        return ascii_json({"orderId": query})
    mapping = (
        query if isinstance(query, Mapping) else getattr(query, "status_query", None)
    )
    if not isinstance(mapping, Mapping):
        raise TypeError(
            "a query must be an order id, a mapping, or an object whose status_query is one, "
            f"not {type(query).__name__}"
        )
    return ascii_json(mapping)

"""Orders and status queries, as the JSON text that the library takes."""

from __future__ import annotations

from typing import Iterable, Mapping, Optional

from ._text import ascii_json, c_json, wire_name
from .amounts import amount_text


def order_json(
    function: str, order: Optional[Mapping[str, object]], fields: Mapping[str, object]
) -> bytes:
    """The order as JSON text, from a mapping or from keyword arguments."""
    given = {name: value for name, value in fields.items() if value is not None}
    if order is not None and given:
        raise TypeError(
            f"{function}() takes the order as a mapping or as keyword arguments, not as both"
        )
    whole = _wire_names(given if order is None else order, "order")
    return c_json(with_amount_text(whole, "order"), "order")


def sales_json(sales: Iterable[Mapping[str, object]]) -> bytes:
    """The sales that a program believes open, as JSON text."""
    checked = (with_amount_text(sale, "a sale") for sale in sales)
    return b"[" + b",".join(c_json(sale, "a sale") for sale in checked) + b"]"


def with_amount_text(payment: Mapping[str, object], what: str) -> Mapping[str, object]:
    """A copy of the mapping in which the amount, if there is one, is decimal text."""
    if not isinstance(payment, Mapping):
        raise TypeError(f"{what} must be a mapping, not {type(payment).__name__}")
    if payment.get("amount") is None:
        return payment
    return {**payment, "amount": amount_text(payment["amount"])}


def _wire_names(given: Mapping[str, object], what: str) -> Mapping[str, object]:
    """The mapping with the wire's names. Its keys may be Python's: `order_id` for `orderId`."""
    if not isinstance(given, Mapping):
        raise TypeError(f"{what} must be a mapping, not {type(given).__name__}")
    named = {
        wire_name(name) if isinstance(name, str) else name: value for name, value in given.items()
    }
    if len(named) != len(given):
        raise TypeError(f"{what} has the same field under two names")
    return named


def _query(query: object) -> Mapping[str, object]:
    """An order id, a mapping, or an object with a `status_query`."""
    if isinstance(query, str):
        return {"orderId": query}
    named = query
    if not isinstance(query, Mapping):
        # An error of a query has what it asked for.
        named = getattr(query, "status_query", None) or getattr(query, "_asked", None)
    if not isinstance(named, Mapping):
        raise TypeError(
            "a query must be an order id, a mapping, or an object whose status_query is one, "
            f"not {type(query).__name__}"
        )
    return _wire_names(named, "a query")


def query_json(
    function: str,
    query: object,
    order_id: Optional[str],
    transaction_id: Optional[str],
    search_type: Optional[str],
) -> bytes:
    """The query as JSON text, from one object or from keyword arguments."""
    named = {
        "searchType": search_type,
        "orderId": order_id,
        "transactionId": transaction_id,
    }
    given = {name: value for name, value in named.items() if value is not None}
    if query is not None and given:
        raise TypeError(
            f"{function}() takes the query as one object or as keyword arguments, not as both"
        )
    return c_json(given if query is None else _query(query), "query")


def one_query_json(query: object) -> str:
    """One of many queries as JSON text.

    Any text can be encoded, and the library checks it, because one invalid query must not stop the
    others.
    """
    return ascii_json(_query(query))

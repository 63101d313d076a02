"""Orders and status queries, as the JSON text that the library takes."""

from __future__ import annotations

import operator
from typing import Any, Callable, List, Mapping, Optional, Tuple

from ._text import ascii_json, ascii_quoted, c_json, quoted, without_none
from .amounts import amount_text

#: The wire names of an order's fields.
_FIELDS = (
    "amount",
    "merchantTxnId",
    "orderId",
    "payMode",
    "merchantId",
    "productInfo",
    "customerName",
    "customerMobile",
    "customerEmail",
    "redirectionURL",
    "currencyCode",
)
_all_fields: Callable[[Any], Tuple[Any, ...]] = operator.itemgetter(*_FIELDS)
_NO_FIELDS = (None,) * len(_FIELDS)
# An order's JSON text in pieces. Every second one is the place of a value.
_PIECES: List[str] = []
for _name in _FIELDS:
    _PIECES += (',"' if _PIECES else '{"') + _name + '":', ""
_PIECES.append("}")


def order_json(
    function: str, order: Optional[Mapping[str, object]], fields: Tuple[Any, ...]
) -> bytes:
    """The order as JSON text, from a mapping or from keyword arguments.

    The mapping has the wire's names. `fields` are all keyword arguments, in the order of `_FIELDS`.
    """
    if order is not None and fields != _NO_FIELDS:
        raise TypeError(
            f"{function}() takes the order as a mapping or as keyword arguments, not as both"
        )
    try:
        # The usual case is fast, because it is part of every order's time: all fields are texts.
        if order is None or len(order) == len(_FIELDS):
            pieces = _PIECES[:]
            pieces[1::2] = map(quoted, fields if order is None else _all_fields(order))
            return "".join(pieces).encode()
    except (KeyError, TypeError, ValueError):
        pass
    if order is None:
        order = {
            name: value for name, value in zip(_FIELDS, fields) if value is not None
        }
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
    if query is None:
        query = without_none(
            searchType=search_type, orderId=order_id, transactionId=transaction_id
        )
    elif (search_type, order_id, transaction_id) != (None, None, None):
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
        return '{"orderId":' + ascii_quoted(query) + "}"
    mapping = (
        query if isinstance(query, Mapping) else getattr(query, "status_query", None)
    )
    if not isinstance(mapping, Mapping):
        raise TypeError(
            "a query must be an order id, a mapping, or an object whose status_query is one, "
            f"not {type(query).__name__}"
        )
    return ascii_json(mapping)

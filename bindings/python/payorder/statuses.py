"""Get Status: the query, and what the service knows."""

from __future__ import annotations

import functools
import json
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Dict, List, Mapping, Optional, Tuple

from ._library import library, usable
from ._text import ascii_json, c_json, wire_name


@dataclass(frozen=True)
class Status:
    """What the service knows of an order. Texts are as the service sent them, "" where it sent none.

    `transaction_date` is None where the service's text (`transaction_date_text`) has another shape than the documented
    one; it has no zone, since the interface names none. `raw` is the whole answer as JSON text, with the fields that
    this version does not know. The customer's data is left out of `repr`, which ends up in logs.
    """

    response_code: str
    response_message: str
    merchant_ref_id: str
    order_id: str
    transaction_id: str
    amount: str
    customer_name: str = field(repr=False)
    customer_mobile: str = field(repr=False)
    customer_email: str = field(repr=False)
    transaction_status: str
    transaction_date_text: str
    refund_status: str
    refund_type: str
    merchant_name: str
    settlement_status: str
    settlement_date: str
    pay_mode: str
    completed: bool
    transaction_date: Optional[datetime]
    raw: str = field(repr=False)

    @classmethod
    def from_json(cls, raw: str) -> Status:
        answered = json.loads(raw)
        data, derived = answered["data"], answered["derived"]
        date = derived["transactionDate"]
        own = {
            "response_code": answered["responseCode"],
            "response_message": answered["responseMessage"],
            "transaction_date_text": data["transactionDate"],
            "completed": derived["completed"],
            "transaction_date": None if date is None else datetime.fromisoformat(date),
            "raw": raw,
        }
        texts = {name: data[wire] for name, wire in _texts() if name not in own}
        return cls(**own, **texts)


@functools.lru_cache(maxsize=None)
def _texts() -> List[Tuple[str, str]]:
    return [(one.name, wire_name(one.name)) for one in fields(Status)]


def build_get_status(
    query: Optional[Mapping[str, object]] = None,
    *,
    order_id: Optional[str] = None,
    transaction_id: Optional[str] = None,
    search_type: Optional[str] = None,
) -> str:
    """The wire body of Get Status, without sending it. The query as in `Client.get_status`."""
    text = query_json("build_get_status", query, order_id, transaction_id, search_type)
    return usable(library.payorder_build_get_status, text)


def query_json(
    function: str,
    query: Optional[Mapping[str, object]],
    order_id: Optional[str],
    transaction_id: Optional[str],
    search_type: Optional[str],
) -> bytes:
    """The query as JSON text, from a mapping with the wire's names or from keyword arguments."""
    given: Dict[str, object] = {
        "searchType": search_type,
        "orderId": order_id,
        "transactionId": transaction_id,
    }
    given = {name: value for name, value in given.items() if value is not None}
    if query is None:
        query = given
    elif given:
        raise TypeError(
            f"{function}() takes the query as a mapping or as keyword arguments, not as both"
        )
    return c_json(query, "query")


def question_json(query: object) -> str:
    """One of many queries as JSON text: an order id, a mapping with the wire's names, or what carries one.

    Whatever text is in it leaves as escapes, for the library to judge: one broken query must not stop the others.
    """
    if isinstance(query, str):
        return ascii_json({"orderId": query})
    carried = (
        query if isinstance(query, Mapping) else getattr(query, "status_query", None)
    )
    if not isinstance(carried, Mapping):
        raise TypeError(
            "a query must be an order id, a mapping, or an object whose status_query is one, "
            f"not {type(query).__name__}"
        )
    return ascii_json(carried)

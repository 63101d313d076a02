"""What the sandbox has recorded: its orders, the requests that it received, its rules."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, fields
from typing import Any, Dict, Optional, Tuple, Type, TypeVar, cast

_Record = TypeVar("_Record")


@dataclass(frozen=True)
class Transaction:
    """One press of a button on the checkout page.

    Attributes:
        transaction_id: Its identifier, which the return URL has as `txn`.
        state: "Completed", "Failed" or "Cancelled".
        at: The time in UTC, in ISO 8601.
    """

    transaction_id: str
    state: str
    at: str


@dataclass(frozen=True)
class Order:
    """An order that the sandbox has.

    Attributes:
        number: The number of the order in its checkout URL: 1 for the first one.
        order_id: The order's identifier.
        merchant_txn_id: The merchant's identifier of the transaction.
        amount: The amount as decimal text with two digits after the point.
        currency_code: The currency.
        state: "Pending", "Completed", "Failed" or "Cancelled".
        refunded: Whether the payment was refunded.
        checkout_url: Where the customer pays.
        created_at: The time in UTC, in ISO 8601.
        create_requests: The number of Create Order requests with this order id and the right
            credential, also refused ones.
        transactions: Every press of a button on the checkout page, the oldest first.
    """

    number: int
    order_id: str
    merchant_txn_id: str
    amount: str
    currency_code: str
    state: str
    refunded: bool
    checkout_url: str
    created_at: str
    create_requests: int
    transactions: Tuple[Transaction, ...]
    _received: Dict[str, Any] = field(repr=False, compare=False)

    def to_dict(self) -> Dict[str, Any]:
        """The order as the sandbox's control address returned it."""
        return self._received


@dataclass(frozen=True)
class Response:
    """How a request was answered.

    Attributes:
        http_status: The HTTP status, or None if nothing was answered.
        headers: The headers of the response.
        body: Its body as text. If it was cut, the part that was sent.
        ended: "complete"; "half" after a part of the response, "cut" before it; "held" if the
            connection stayed open without a response.
    """

    http_status: Optional[int]
    headers: Dict[str, str]
    body: str
    ended: str


@dataclass(frozen=True)
class Request:
    """A request that the sandbox received at one of its two endpoints.

    Attributes:
        number: The number of requests up to this one.
        at: The time in UTC, in ISO 8601 with milliseconds.
        step: "create", "status", or "unread" if a fault rule kept the sandbox from reading it.
        order_id: The order that it is about, or None if it names none.
        method: The HTTP method.
        path: The path.
        headers: Its headers. A credential is shown as "right" or "wrong".
        body: Its body as text.
        fault: The fault that was applied, or None.
        created: Whether this request made an order.
        response: How it was answered.
    """

    number: int
    at: str
    step: str
    order_id: Optional[str]
    method: str
    path: str
    headers: Dict[str, str]
    body: str
    fault: Optional[str]
    created: bool
    response: Response
    _received: Dict[str, Any] = field(repr=False, compare=False)

    def to_dict(self) -> Dict[str, Any]:
        """The request as the sandbox's control address returned it."""
        return self._received


@dataclass(frozen=True)
class FaultRule:
    """A fault rule of the sandbox.

    Attributes:
        rule: Its text, such as "create:1:drop-after-commit".
        used: The number of requests to which it was applied.
    """

    rule: str
    used: int


def order_of(received: Dict[str, Any]) -> Order:
    """An order of the control address."""
    transactions = tuple(_made(Transaction, one) for one in received["transactions"])
    return _made(Order, {**received, "transactions": transactions}, _received=received)


def request_of(received: Dict[str, Any]) -> Request:
    """A request of the control address."""
    answer = received["response"]
    response = _made(Response, {**answer, "httpStatus": answer["status"]})
    return _made(Request, {**received, "response": response}, _received=received)


def python_name(name: str) -> str:
    """The name of an attribute for a name of the control address."""
    return re.sub("[A-Z]", lambda letter: f"_{letter[0].lower()}", name)


def _made(kind: Type[_Record], received: Dict[str, Any], **more: object) -> _Record:
    """A record from its object in JSON, which may also have newer keys."""
    values: Dict[str, Any] = {python_name(key): received[key] for key in received}
    known = {one.name for one in fields(cast(Any, kind))} & set(values)
    return kind(**{name: values[name] for name in known}, **more)

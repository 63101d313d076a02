"""Makes records of an exam, as the sandbox and the runs of a till would."""

from __future__ import annotations

import json
from typing import Any, Dict, List, Optional, Sequence, Tuple

from payorder_tools.certify.protocol import Sale
from payorder_tools.certify.record import Record, Run

SALE = Sale(order_id="S-1", amount="100.10")
#: 2026-11-22 10:00:00 UTC.
START = 1795341600.0


def at(second: float) -> str:
    """A time so many seconds after the start."""
    return f"2026-11-22T10:00:{second:09.6f}Z"


def order(
    order_id: str = "S-1", made: float = 1.0, *transactions: Tuple[float, str]
) -> Dict[str, Any]:
    """An order, and the times and states of its transactions."""
    return {
        "orderId": order_id,
        "amount": SALE.amount,
        "state": transactions[-1][1] if transactions else "Pending",
        "refunded": False,
        "createdAt": at(made),
        "transactions": [
            {"transactionId": f"T-{number}", "state": state, "at": at(moment)}
            for number, (moment, state) in enumerate(transactions)
        ],
    }


def create(
    second: float = 1.0,
    order_id: str = "S-1",
    amount: object = SALE.amount,
    ended: str = "complete",
    status: int = 200,
    answer: Optional[Dict[str, Any]] = None,
    headers: Optional[Dict[str, str]] = None,
    **more: object,
) -> Dict[str, Any]:
    """A request for Create Order. Without an answer, its response has the checkout URL."""
    done = {"responseCode": "200", "data": {"url": "http://127.0.0.1/checkout/1"}}
    return {
        "at": at(second),
        "step": "create",
        "orderId": order_id,
        "path": "/api/v1/Gateway/CreateOrder",
        "body": json.dumps(
            {
                "orderId": order_id,
                "amount": amount,
                "merchantTxnId": order_id,
                **SALE.expected,
                **more,
            }
        ),
        "response": {
            "status": status,
            "headers": headers or {},
            "body": json.dumps(done if answer is None else answer),
            "ended": ended,
        },
    }


def ask(
    second: float = 2.0, state: str = "Completed", **other: object
) -> Dict[str, Any]:
    """A request for Get Status, with an answer about this order."""
    data = {
        "orderId": "S-1",
        "amount": SALE.amount,
        "transactionStatus": state,
        "refundStatus": "",
        **other,
    }
    return {
        "at": at(second),
        "step": "status",
        "orderId": "S-1",
        "path": "/api/v1/Gateway/GetStatus",
        "body": json.dumps({"searchType": "1", "orderId": "S-1"}),
        "response": {
            "status": 200,
            "headers": {},
            "body": json.dumps({"responseCode": "200", "data": data}),
            "ended": "complete",
        },
    }


def unknown(second: float = 2.0) -> Dict[str, Any]:
    """A request for Get Status, with the answer that there is no such order."""
    asked = ask(second)
    asked["response"]["status"] = 404
    asked["response"]["body"] = json.dumps({"responseCode": "404"})
    return asked


def run(
    verdict: Optional[str], began: float = 0.0, ended: float = 5.0, **more: Any
) -> Run:
    """A run of a till."""
    return Run(
        number=more.pop("number", 1),
        began=START + began,
        ended=START + ended,
        verdict=verdict,
        **more,
    )


def record(
    runs: Sequence[Run],
    requests: Sequence[Dict[str, Any]] = (),
    orders: Sequence[Dict[str, Any]] = (),
    **more: Any,
) -> Record:
    """A record with numbered requests."""
    numbered: List[Dict[str, Any]] = [
        {"number": number, **one} for number, one in enumerate(requests, 1)
    ]
    return Record(SALE, 10.0, runs, numbered, orders, **more)

"""Results and errors as a client gives them, for tests that need no service."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any, Dict, Optional

from payorder.errors import (
    OutcomeUnknownError,
    PayorderError,
    RejectedError,
    error_class,
)
from payorder.orders import Checkout
from payorder.results import Result
from payorder.statuses import Status
from payorder.waiting import Waited

from .usual_causes import DUPLICATES, RESULTS


def checkout(url: str = "https://pay.example/checkout/1") -> Checkout:
    """What `create_order` returns. The customer pays at `url`."""
    return Checkout.from_json(_success({"url": url}))


def status(
    order_id: str = "O-1",
    transaction_status: str = "Completed",
    amount: str = "100.00",
    **data: str,
) -> Status:
    """What `get_status` returns. By default the order is paid.

    Args:
        order_id: The order's identifier.
        transaction_status: "Completed", or what else the service may send, such as "Pending".
        amount: Decimal text.
        data: Further fields of the response's `data` with their names there, such as
            `refundStatus`.
    """
    fields = {
        "transactionId": f"TXN-{order_id}",
        "refundStatus": "",
        "refundType": "",
        "settlementStatus": "",
        "settlementDate": "",
        "orderId": order_id,
        "transactionStatus": transaction_status,
        "amount": amount,
    }
    told = _success({**fields, **data})
    if "transactionDate" in data:
        told["derived"] = {"transactionDate": _iso_date(data["transactionDate"])}
    return Status.from_json(told)


def waited(status: Optional[Status] = None, error: Optional[PayorderError] = None) -> Waited:
    """What `wait_for_payment` returns, with the last status seen, and the error of the last query
    if it failed. It is final if the status is "Completed"."""
    final = status is not None and status.completed and error is None
    told: Dict[str, Any] = {"final": final, "timedOut": not final, "polls": 1}
    if status is not None:
        told["status"] = status.to_dict()
    if error is not None:
        told.update(error.to_dict())
    return Waited.from_json(told)


def error(
    result: Result,
    message: str = "a fake error",
    order_id: str = "O-1",
    **fields: Any,
) -> PayorderError:
    """What a call raises, such as `ResponseTimeoutError` for `Result.TIMEOUT`.

    It has a usual cause and its action, as an error of `create_order` has them. It is not raised.

    Args:
        result: How the call ended; not `Result.OK`.
        message: The error's message.
        order_id: The order in `status_query`, if the outcome is unknown.
        fields: Further keys of the library's error object, such as `responseMessage`. Of a
            duplicate, `previous` has the keys of the journal's entry that matter to the test, such
            as `{"state": "sending"}`; by default it is "created", and its URL is not known.
    """
    told: Dict[str, Any] = {
        "result": result,
        "name": f"PAYORDER_{result.name}",
        "message": message,
    }
    told["cause"], told["action"] = RESULTS[result]
    if result == Result.DUPLICATE:
        previous = {**_ENTRY, "orderId": order_id, **fields.get("previous", {})}
        fields["previous"] = previous
        state = "url" if previous["url"] else previous["state"]
        told["cause"], told["action"] = DUPLICATES.get(state, RESULTS[result])
    kind = error_class(result)
    if issubclass(kind, OutcomeUnknownError):
        told["outcome"] = "unknown"
        told["statusQuery"] = {"searchType": "1", "orderId": order_id}
    else:
        told["outcome"] = "rejected" if issubclass(kind, RejectedError) else "not_sent"
    return kind(json.dumps({"error": {**told, **fields}}))


_ENTRY: Dict[str, Any] = {
    "entry": 1,
    "merchantTxnId": "T-1",
    "amount": "100.00",
    "currencyCode": "INR",
    "state": "created",
    "url": None,
    "service": "https://pay.example",
    "result": None,
    "transactionId": None,
    "transactionStatus": None,
    "startedAt": "2026-11-21T14:05:06.789Z",
    "deadline": "2026-11-21T14:05:36.789Z",
    "updatedAt": "2026-11-21T14:05:07.789Z",
    "note": None,
}


def _iso_date(text: str) -> Optional[str]:
    try:
        return datetime.strptime(text, "%m/%d/%Y %I:%M:%S %p").isoformat()
    except ValueError:
        return None


def _success(data: Dict[str, str]) -> Dict[str, object]:
    return {"responseCode": "200", "responseMessage": "Success", "data": data}

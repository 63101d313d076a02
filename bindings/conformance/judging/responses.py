"""The responses that a scenario writes in its `service`, as bytes."""

from __future__ import annotations

import json
from typing import Any, Dict, Mapping, NamedTuple
from urllib.parse import quote

#: What the service tells about an order, unless the scenario says something else.
FOUND: Dict[str, str] = {
    "merchantRefId": "REF-1",
    "orderId": "",
    "transactionId": "TXN-1",
    "amount": "100.00",
    "customerName": "Asha Rao",
    "customerMobile": "9000000001",
    "customerEmail": "asha@example.com",
    "transactionStatus": "Completed",
    "transactionDate": "11/21/2026 02:05:06 PM",
    "refundStatus": "",
    "refundType": "",
    "merchantName": "Tea House",
    "settlementStatus": "",
    "settlementDate": "",
    "payMode": "upi",
}

_KEYS = {"created", "found", "refused", "message", "http", "text", "json", "headers"}
_KEYS |= {"hold", "cut", "half"}


class Response(NamedTuple):
    content: bytes
    hold: bool  #: only after the judge's step `release`
    cut: bool  #: the connection is closed after the content


def response(given: Mapping[str, Any], request: Mapping[str, Any]) -> Response:
    """The response to a request with this body."""
    unknown = given.keys() - _KEYS
    if unknown:
        raise ValueError(f"a response has unknown keys: {', '.join(sorted(unknown))}")
    hold = bool(given.get("hold"))
    if given.get("cut"):
        return Response(b"", hold, True)
    text = given.get("text")
    if text is None:
        # As the service writes it: no spaces, and UTF-8 without escapes.
        body = _body(given, request)
        text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    content = text.encode()
    head = [
        f"HTTP/1.1 {given.get('http', 200)} Answer",
        f"Content-Length: {len(content)}",
    ]
    head += [f"{name}: {value}" for name, value in given.get("headers", {}).items()]
    whole = "\r\n".join([*head, "", ""]).encode() + content
    if given.get("half"):
        return Response(whole[: len(whole) - len(content) // 2], hold, True)
    return Response(whole, hold, False)


def _body(given: Mapping[str, Any], request: Mapping[str, Any]) -> Any:
    if "json" in given:
        return given["json"]
    message = given.get("message", "Success")
    if "refused" in given:
        return {"responseCode": given["refused"], "responseMessage": message}
    data: Dict[str, Any] = {}
    if "created" in given:
        order_id = quote(request.get("orderId", ""), safe="")
        data = {
            "url": f"https://checkout.example.com/pay/{order_id}",
            **given["created"],
        }
    elif "found" in given:
        order_id = request.get("orderId") or "ORDER-OF-TXN"
        transaction_id = request.get("transactionId") or FOUND["transactionId"]
        data = {
            **FOUND,
            "orderId": order_id,
            "transactionId": transaction_id,
            **given["found"],
        }
    return {"responseCode": "200", "responseMessage": message, "data": data}

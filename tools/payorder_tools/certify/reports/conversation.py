"""The requests that the sandbox received, as text."""

from __future__ import annotations

from typing import Any, List, Mapping

_STEPS = {"create": "Create Order", "status": "Get Status", "unread": "not read"}
_ENDINGS = {
    "cut": "then the connection was closed",
    "half": "half of it was sent, then the connection was closed",
    "held": "half of it was sent, then the connection was held open",
}
_ENDINGS_WITHOUT_RESPONSE = {
    "cut": "no response: the connection was closed",
    "held": "no response: the connection was held open",
}


def conversation(requests: List[Mapping[str, Any]]) -> str:
    """Each request with its response, as on the wire: `>` was sent by the till, `<` to it."""
    if not requests:
        return "the sandbox received no request\n"
    return "\n".join(map(_exchange, requests))


def _exchange(request: Mapping[str, Any]) -> str:
    step = _STEPS.get(str(request.get("step")), request.get("step"))
    lines = [f"{request.get('number')}  {request.get('at')}  {step}"]
    if request.get("orderId") is not None:
        lines[0] += f", order {request['orderId']}"
    if request.get("fault"):
        lines.append(f"* fault of the sandbox: {request['fault']}")
    if request.get("created"):
        lines.append("* the service made an order")
    if request.get("method"):
        lines.append(f"> {request['method']} {request.get('path')}")
    lines += [f"> {line}" for line in _headers(request)]
    lines += _body(">", request)
    response = request.get("response") or {}
    ended = str(response.get("ended"))
    if response.get("status") is None:
        lines.append(f"< {_ENDINGS_WITHOUT_RESPONSE.get(ended, 'no response')}")
    else:
        lines.append(f"< HTTP status {response['status']}")
        lines += [f"< {line}" for line in _headers(response)]
        lines += _body("<", response)
        if ended in _ENDINGS:
            lines.append(f"< ({_ENDINGS[ended]})")
    return "\n".join(lines) + "\n"


def _headers(message: Mapping[str, Any]) -> List[str]:
    return [f"{name}: {value}" for name, value in (message.get("headers") or {}).items()]


def _body(mark: str, message: Mapping[str, Any]) -> List[str]:
    return [f"{mark} {line}" for line in str(message.get("body") or "").splitlines()]

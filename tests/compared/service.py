"""A payment service with faults, which speaks as this library's, Stripe's or Razorpay's service does.

Each makes an order for each request that it understands: the document of this library's service has
no key by which a second request is known, and Razorpay's SDK sends none. Stripe's honours its
`Idempotency-Key` if the test asks for it.
"""

from __future__ import annotations

import json
import socket
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Dict, List, Optional
from urllib.parse import parse_qs, urlsplit

#: What goes wrong at the first request for an order, and whether the service has it then.
FAULTS = {
    "refused": "nothing listens at the address",
    "drop-before": "the connection is cut, and the order is not kept",
    "drop-after": "the order is kept, and the connection is cut",
    "drop-kept": "the same, on a connection that had an order before",
    "half": "the order is kept, and the connection is cut in the middle of the response",
    "stall": "the order is kept, and nothing is sent for longer than the program waits",
    "html-502": "the order is kept, and a gateway answers 502 with HTML",
    "http-503": "the order is kept, and a gateway answers 503 without a body",
    "no-json": "the order is kept, and the response is incomplete JSON",
    "no-url": "the order is kept, and the response has no URL (Razorpay's never has one)",
    "redirect": "the order is kept, and a gateway answers 307 to the same address",
}
STALL = 4.0


class Service:
    """Serves until `close`. `orders` has the name of the sale of each order."""

    def __init__(self, fault: str, honours_keys: bool = False) -> None:
        self.orders: List[str] = []
        self.first_request: Optional[float] = None
        self._sales: Dict[str, int] = {}
        self._asked: Dict[str, int] = {}
        self._keys: Dict[str, int] = {}
        self._lock = threading.Lock()
        service = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_POST(self) -> None:
                service.first_request = service.first_request or time.monotonic()
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                service._serve(self, body.decode())

            do_GET = do_POST

            def log_message(self, *_: object) -> None:
                pass

        self._fault, self._honours_keys = fault, honours_keys
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._server.handle_error = lambda *_: None  # type: ignore[method-assign]
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        if fault == "refused":
            self._server.server_close()
        else:
            threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def close(self) -> None:
        if self._fault != "refused":
            self._server.shutdown()
            self._server.server_close()

    def _serve(self, request: Any, body: str) -> None:
        path = urlsplit(request.path)
        sale = _created_sale(path.path, request.command, body)
        if sale is None:
            return _send(request, 200, json.dumps(self._status(path, body)))
        with self._lock:
            first = sale not in self._sales
            self._sales.setdefault(sale, 0)
        # The first of two sales is to leave a connection that is kept.
        fault = self._fault if first and not sale.startswith("KEEP") else "none"
        if fault == "drop-before":
            return _cut(request)
        key = request.headers.get("Idempotency-Key")
        with self._lock:
            number = self._keys.get(key) if self._honours_keys and key else None
            if number is None:
                self.orders.append(sale)
                number = self._sales[sale] = len(self.orders)
                if key:
                    self._keys[key] = number
        text = json.dumps(_created(path.path, number, sale, fault != "no-url"))
        if fault in ("drop-after", "drop-kept"):
            _cut(request)
        elif fault == "half":
            request.wfile.write(_head(200, text) + text[: len(text) // 2].encode())
            _cut(request)
        elif fault == "stall":
            time.sleep(STALL)
            _cut(request)
        elif fault == "html-502":
            _send(request, 502, "<html><h1>502 Bad Gateway</h1></html>", "text/html")
        elif fault == "http-503":
            _send(request, 503, "")
        elif fault == "no-json":
            _send(request, 200, text[:-2])
        elif fault == "redirect":
            _send(request, 307, "", location=request.path)
        else:
            _send(request, 200, text)

    def _status(self, path: Any, body: str) -> Dict[str, Any]:
        """An order is paid when its status was asked for twice."""
        last = path.path.rsplit("/", 1)[1]
        if last == "GetStatus":
            sale = json.loads(body)["orderId"]
        elif "receipt" in parse_qs(path.query):
            sale = parse_qs(path.query)["receipt"][0]
        else:
            sale = self.orders[int(last.rsplit("_", 1)[1]) - 1]
        number = self._sales.get(sale, 0)
        self._asked[sale] = self._asked.get(sale, 0) + 1
        paid = self._asked[sale] > 1
        if last == "GetStatus":
            if number == 0:
                return {"responseCode": "404", "responseMessage": "no such order"}
            state = "Completed" if paid else "Pending"
            data = {"orderId": sale, "amount": "249.50", "transactionStatus": state}
            return {"responseCode": "200", "responseMessage": "Success", "data": data}
        if "stripe" in path.path or "checkout" in path.path:
            return {**_session(number), "payment_status": "paid" if paid else "unpaid"}
        order = {**_order(number, sale), "status": "paid" if paid else "created"}
        if last == "orders":
            items = [order] if number else []
            return {"entity": "collection", "count": len(items), "items": items}
        return order


def _created_sale(path: str, method: str, body: str) -> Optional[str]:
    if method != "POST":
        return None
    if path.endswith("/CreateOrder"):
        return str(json.loads(body)["orderId"])
    if path == "/v1/checkout/sessions":
        return parse_qs(body)["client_reference_id"][0]
    return str(json.loads(body)["receipt"]) if path == "/v1/orders" else None


def _created(path: str, number: int, sale: str, complete: bool) -> Dict[str, Any]:
    if path.endswith("/CreateOrder"):
        data = {"url": f"https://pay.example/{number}"} if complete else {}
        return {"responseCode": "200", "responseMessage": "Created", "data": data}
    answer = _session(number) if "checkout" in path else _order(number, sale)
    if not complete:
        answer.pop("url", None)
    return answer


def _session(number: int) -> Dict[str, Any]:
    address = f"https://pay.example/{number}"
    return {"id": f"cs_{number}", "object": "checkout.session", "url": address}


def _order(number: int, sale: str) -> Dict[str, Any]:
    return {"id": f"order_{number}", "entity": "order", "receipt": sale, "status": "created"}


def _head(status: int, text: str, kind: str = "application/json", location: str = "") -> bytes:
    head = f"HTTP/1.1 {status} Status\r\nContent-Type: {kind}\r\nContent-Length: {len(text)}\r\n"
    return (head + (f"Location: {location}\r\n" if location else "") + "\r\n").encode()


def _send(
    request: Any, status: int, text: str, kind: str = "application/json", **more: str
) -> None:
    request.wfile.write(_head(status, text, kind, **more) + text.encode())


def _cut(request: Any) -> None:
    request.close_connection = True
    request.connection.shutdown(socket.SHUT_RDWR)

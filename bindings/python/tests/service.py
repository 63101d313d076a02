"""A service on 127.0.0.1 with scripted responses."""

from __future__ import annotations

import contextlib
import functools
import http.server
import json
import os
import socket
import threading
from typing import (
    Any,
    Callable,
    Dict,
    Iterator,
    List,
    NamedTuple,
    Tuple,
    Union,
)

import payorder

ORDER: Dict[str, Any] = {
    "amount": "100.00",
    "merchant_txn_id": "MTX-1",
    "order_id": "ORD-1",
    "pay_mode": "all",
    "merchant_id": "M-1",
    "product_info": "Tea",
    "customer_name": "Asha Rao",
    "customer_mobile": "9000000001",
    "customer_email": "asha@example.com",
    "redirection_url": "https://shop.example.com/return",
    "currency_code": "INR",
}

#: The same order as it is sent, in the interface's order.
WIRE_ORDER: Dict[str, Any] = {
    "amount": "100.00",
    "merchantTxnId": "MTX-1",
    "orderId": "ORD-1",
    "payMode": "all",
    "merchantId": "M-1",
    "productInfo": "Tea",
    "customerName": "Asha Rao",
    "customerMobile": "9000000001",
    "customerEmail": "asha@example.com",
    "redirectionURL": "https://shop.example.com/return",
    "currencyCode": "INR",
}

CREDENTIALS: Dict[str, Any] = {
    "access_token": "token-7Hq2",
    "client_key": "key-9Xw4",
    "client_id": "id-3Lm8",
    "secret_key": "secret-5Rt6",
}

CHECKOUT_URL = "https://checkout.example.com/pay/ORD-1"
CREATED: Dict[str, Any] = {
    "responseCode": "200",
    "responseMessage": "Success",
    "data": {"url": CHECKOUT_URL},
}

STATUS: Dict[str, Any] = {
    "responseCode": "200",
    "responseMessage": "Success",
    "data": {
        "merchantRefId": "REF-1",
        "orderId": "ORD-1",
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
    },
}

#: CI sets the variable, and repeats trials more often than a plain `cargo test`.
WANTS_ALL = bool(os.environ.get("PAYORDER_TESTS_WANT_ALL"))

#: Seconds: enough for a busy machine, and few enough to notice a hang.
PATIENCE = 30.0 * float(os.environ.get("PAYORDER_TEST_PATIENCE", "1"))


class Request(NamedTuple):
    path: str
    headers: Dict[str, str]
    body: bytes


class Answer(NamedTuple):
    body: Union[str, Dict[str, Any]]
    status: int = 200
    headers: Tuple[Tuple[str, str], ...] = ()


Scripted = Union[
    Answer, Dict[str, Any], Callable[[Request], Union[Answer, Dict[str, Any]]]
]


class Service:
    """Sends its responses in order, the last one forever. `requests` has what it received."""

    def __init__(self, *answers: Scripted) -> None:
        self.requests: List[Request] = []
        self._answers = list(answers)
        self._lock = threading.Lock()
        service = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                headers = {name.lower(): value for name, value in self.headers.items()}
                answer = service._next(Request(self.path, headers, body))
                text = (
                    answer.body
                    if isinstance(answer.body, str)
                    else json.dumps(answer.body)
                )
                content = text.encode()
                lines = [
                    f"HTTP/1.1 {answer.status} Answer",
                    f"Content-Length: {len(content)}",
                ]
                lines += [f"{name}: {value}" for name, value in answer.headers]
                self.wfile.write("\r\n".join(lines).encode() + b"\r\n\r\n" + content)

            def log_message(self, format: str, *args: Any) -> None:
                pass

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 64

        self._server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def _next(self, request: Request) -> Answer:
        with self._lock:
            self.requests.append(request)
            answer = (
                self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
            )
        if callable(answer):
            answer = answer(request)
        return answer if isinstance(answer, Answer) else Answer(answer)

    def __enter__(self) -> Service:
        threading.Thread(
            target=self._server.serve_forever, args=(0.01,), daemon=True
        ).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


@contextlib.contextmanager
def served(*answers: Scripted) -> Iterator[Tuple[Service, payorder.Client]]:
    """A service, and a client of it."""
    with Service(*answers) as service:
        with payorder.Client(service.url, proxy="none", **CREDENTIALS) as client:
            yield service, client


@contextlib.contextmanager
def raw_service(script: Callable[[socket.socket], None]) -> Iterator[str]:
    """Runs `script` on every connection, for failures that no HTTP server makes.

    Yields "host:port".
    """
    listener = socket.create_server(("127.0.0.1", 0))
    open_connections: List[socket.socket] = []

    def serve(connection: socket.socket) -> None:
        with connection, contextlib.suppress(OSError):
            script(connection)

    def accept() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            open_connections.append(connection)
            threading.Thread(target=serve, args=(connection,), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    try:
        yield "127.0.0.1:%d" % listener.getsockname()[1]
    finally:
        with contextlib.suppress(OSError):
            listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        for connection in open_connections:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)


def read_request(connection: socket.socket) -> bytes:
    """One complete request, head and body."""
    received = b""
    while b"\r\n\r\n" not in received:
        received += _more(connection)
    head, _, body = received.partition(b"\r\n\r\n")
    length = next(
        int(line.split(b":")[1])
        for line in head.split(b"\r\n")
        if line.lower().startswith(b"content-length:")
    )
    while len(body) < length:
        body += _more(connection)
    return head + b"\r\n\r\n" + body


def _more(connection: socket.socket) -> bytes:
    piece = connection.recv(65536)
    if not piece:
        raise OSError("closed by the client")
    return piece


def hold(connection: socket.socket) -> None:
    """Keeps the connection open and sends nothing, until the other side closes it."""
    while connection.recv(65536):
        pass


def closed_port() -> int:
    """A port of 127.0.0.1 on which nothing listens."""
    port: int = _bound().getsockname()[1]
    return port


@functools.lru_cache(maxsize=None)
def _bound() -> socket.socket:
    """A socket that never listens. While it is bound, nothing else gets its port."""
    bound = socket.socket()
    bound.bind(("127.0.0.1", 0))
    return bound

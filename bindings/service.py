"""A service for the tests of COBOL, Pascal and COM. It prints its address.

Its answers are longer than the fields of COBOL, and that for order 1 has members that the library's own
texts have too.
"""

import http.server
import json

URL = "https://pay.example/".ljust(3000, "a")
PAID = {
    "url": URL,
    "orderId": "large",
    "amount": "100.00",
    "transactionStatus": "Completed",
}
OTHERS = {
    "responseCode": "409",
    "responseMessage": "",
    "data": {"url": "https://pay.example/"},
}
SUCCESS = {"responseCode": "200", "responseMessage": "Success", "data": {"url": URL}}
ADDED = {
    **SUCCESS,
    "data": {
        "url": "https://pay.example.com/1",
        "orderId": "1",
        "amount": "1.00",
        "transactionStatus": "Completed",
    },
    "ok": False,
    "paid": True,
    "final": True,
    "timedOut": True,
    "status": {"data": {"transactionStatus": "Failed"}},
    "statusQuery": {"orderId": "2"},
    "reasons": [{}],
    "sales": [{}],
    "error": {
        "name": "X",
        "cause": "x",
        "checkoutUrl": "https://x.example.com",
        "previous": {"url": "https://x.example.com"},
        "statusQuery": {"orderId": "2"},
        "violations": [{}],
    },
}


class Service(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        order = json.loads(self.rfile.read(int(self.headers["content-length"])))
        answers = {
            "1": (200, ADDED),
            "pause": (429, {"responseCode": "429", "responseMessage": "later"}),
            "code": (400, {"responseCode": "9" * 66, "responseMessage": "no"}),
            "O-exists": (409, OTHERS),
            "large": (200, {**SUCCESS, "data": PAID, "more": "LARGE"}),
        }
        default = answers.get(order["orderId"], (200, SUCCESS))
        status, answer = answers.get(order.get("productInfo"), default)
        # Each of these bytes is three in the library's answer.
        body = json.dumps(answer).encode().replace(b"LARGE", 6000000 * b"\xff")
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Retry-After", "2000000")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Service)
print(f"http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()

"""A service whose answers have members that the library's own texts have too. It prints its address."""

import http.server
import json

ADDED = {
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
DATA = {
    "url": "https://pay.example.com/1",
    "orderId": "1",
    "amount": "1.00",
    "transactionStatus": "Completed",
}


class Service(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        self.rfile.read(int(self.headers["content-length"]))
        answer = {"responseCode": "200", "responseMessage": "Success", "data": DATA}
        body = json.dumps({**answer, **ADDED}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Service)
print(f"http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()

"""A service whose answers are longer than the fields of COBOL. It prints its address."""

import http.server
import json

URL = "https://pay.example/".ljust(3000, "a")
SUCCESS = {"responseCode": "200", "responseMessage": "Success", "data": {"url": URL}}


class Service(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        order = json.loads(self.rfile.read(int(self.headers["content-length"])))
        answers = {
            "pause": (429, {"responseCode": "429", "responseMessage": "later"}),
            "code": (400, {"responseCode": "9" * 66, "responseMessage": "no"}),
        }
        status, answer = answers.get(order["productInfo"], (200, SUCCESS))
        body = json.dumps(answer).encode()
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

"""service.py [NAME]: a service that makes an order of every request. It prints its URL.

With NAME, it speaks TLS for localhost, with the certificate NAME.pem and the key NAME.key.
"""

import http.server
import ssl
import sys


class Service(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        body = b'{"responseCode":"200","data":{"url":"https://localhost/pay"}}'
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *about):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Service)
url = "http://127.0.0.1"
if len(sys.argv) > 1:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[1] + ".pem", sys.argv[1] + ".key")
    server.socket = context.wrap_socket(server.socket, server_side=True)
    url = "https://localhost"
print(f"{url}:{server.server_port}", flush=True)
server.serve_forever()

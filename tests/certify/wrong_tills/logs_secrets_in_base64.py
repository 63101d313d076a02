# mistake: it prints the secret key in base64
# caught by: no-secrets in paid
import base64
import sys

from plain_till import Till


class Wrong(Till):
    def status_headers(self):
        headers = super().status_headers()
        text = ":".join(headers.values()).encode()
        print("Basic", base64.b64encode(text).decode(), file=sys.stderr)
        return headers


Wrong().run()

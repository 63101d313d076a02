# mistake: it prints its request for debugging, with the access token
# caught by: no-secrets in paid
import sys

from plain_till import Till


class Wrong(Till):
    def create_headers(self):
        headers = super().create_headers()
        print(f"debug: {headers}", file=sys.stderr)
        return headers


Wrong().run()

# mistake: it writes the access token to a log in a folder for temporary files
# caught by: no-secrets in paid
import os
import tempfile

from plain_till import Till


class Wrong(Till):
    def create_headers(self):
        headers = super().create_headers()
        log = os.path.join(tempfile.gettempdir(), f"till-{os.getpid()}.log")
        with open(log, "w") as file:
            print(headers, file=file)
        return headers


Wrong().run()

# mistake: it writes the secret key into a log file
# caught by: no-secrets in paid
import os

from plain_till import Till


class Wrong(Till):
    def status_headers(self):
        headers = super().status_headers()
        with open(os.path.join(os.environ["SALE_FOLDER"], "till.log"), "a") as log:
            print(headers, file=log)
        return headers


Wrong().run()

# mistake: it asks the sandbox, and not the service, who has paid
# caught by: right-verdict in paid
import os
import urllib.request

from plain_till import Till


class Wrong(Till):
    def ask_once(self):
        url = os.environ["PAYORDER_BASE_URL"] + "/sandbox/orders"
        try:
            with urllib.request.urlopen(url, timeout=2) as answer:
                paid = b"Completed" in answer.read()
        except OSError:
            paid = False
        return "paid" if paid else "open"


Wrong().run()

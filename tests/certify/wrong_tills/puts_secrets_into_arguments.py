# mistake: it starts a program with the access token in its arguments
# caught by: no-secrets in paid
import subprocess
import sys

from plain_till import Till


class Wrong(Till):
    def create_headers(self):
        headers = super().create_headers()
        wait = [sys.executable, "-c", "import time; time.sleep(0.5)"]
        subprocess.run([*wait, f"ACCESS-TOKEN: {headers['ACCESS-TOKEN']}"])
        return headers


Wrong().run()

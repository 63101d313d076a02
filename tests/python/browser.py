"""The browser of a customer of the shop."""

from __future__ import annotations

import http.client
import re
import urllib.parse
from typing import Dict, Tuple

from tests.support import PATIENCE


class Answer:
    def __init__(self, response: http.client.HTTPResponse) -> None:
        self.status = response.status
        self.location = response.headers.get("Location", "")
        self.cookie = response.headers.get("Set-Cookie", "").partition(";")[0]
        self.text = response.read().decode()


class Browser:
    #: The shop's host and port.
    address: str
    cookie = ""

    def ask(self, method: str, path: str, **form: str) -> Answer:
        connection = http.client.HTTPConnection(self.address, timeout=PATIENCE)
        try:
            connection.request(
                method,
                path,
                urllib.parse.urlencode(form),
                {
                    "Content-Type": "application/x-www-form-urlencoded",
                    "Cookie": self.cookie,
                },
            )
            answer = Answer(connection.getresponse())
            self.cookie = answer.cookie or self.cookie
            return answer
        finally:
            connection.close()

    def form(self, product: str) -> Dict[str, str]:
        page = self.ask("GET", "/").text
        found = re.search(rf'value="{product}">\s*<input[^>]*value="(S-\w+)"', page)
        assert found is not None, page
        return {"product": product, "order_id": found[1]}

    def buy(self, product: str) -> Tuple[Dict[str, str], Answer]:
        form = self.form(product)
        return form, self.ask("POST", "/buy", **form)

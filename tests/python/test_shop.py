"""The shop with gunicorn: one order for each form, and nothing paid that was not verified."""

from __future__ import annotations

import http.client
import re
import sqlite3
import time
import urllib.parse
from concurrent.futures import ThreadPoolExecutor
from typing import List

import payorder
from browser import Answer, Browser
from programs import EXAMPLES, Program, ProgramTestCase
from tests.support import CREDENTIALS, ORDER, PATIENCE

#: The shop with products for which the sandbox fails.
FAULTY = """
import shop

shop.PRODUCTS.update(
    wrong=("Tea sandbox:wrong-amount", "100.00"),
    refunded=("Tea sandbox:refunded", "100.00"),
    lost=("Tea sandbox:drop-after-commit", "100.00"),
    refused=("Tea sandbox:reject", "100.00"),
    silent=("Tea sandbox:status-drop", "100.00"),
)
app = shop.app
"""


class Shop(ProgramTestCase, Browser):
    def shop(self, *arguments: str) -> Program:
        (self.folder / "faulty.py").write_text(FAULTY, encoding="utf-8")
        path = self.environment["PYTHONPATH"]
        self.environment.update(
            PYTHONPATH=f"{EXAMPLES}:{self.folder}:{path}",
            SHOP_DATABASE=str(self.folder / "shop.sqlite"),
            SHOP_URL="https://shop.example",
        )
        gunicorn = ["-m", "gunicorn", "--bind=127.0.0.1:0", "--workers=3"]
        threads = ["--worker-class=gthread", "--threads=4", "--access-logfile=-"]
        log = ["--access-logformat=served by %(p)s", "--worker-tmp-dir=/tmp"]
        shop = self.start(*gunicorn, *threads, *log, *arguments, "faulty:app")
        found = re.search(r"http://(\S+)", shop.until("Listening at"))
        assert found is not None
        self.address = found[1]
        shop.until("Booting worker", times=3)
        return shop

    def pay(self, number: int = 1) -> str:
        """Pays at the sandbox, and returns the path to which the customer comes back."""
        host = self.sandbox.url.partition("//")[2]
        connection = http.client.HTTPConnection(host, timeout=PATIENCE)
        connection.request("POST", f"/checkout/{number}/pay")
        response = connection.getresponse()
        response.read()
        url = urllib.parse.urlsplit(response.headers["Location"])
        connection.close()
        self.assertEqual(url.netloc, "shop.example")
        self.assertIn("txn=", url.query)
        return f"{url.path}?{url.query}"

    def delivered(self) -> int:
        with sqlite3.connect(self.folder / "shop.sqlite") as shop:
            paid = shop.execute("select count(*) from orders where state = 'paid'")
            count: int = paid.fetchone()[0]
        return count

    def test_a_sale_and_reloaded_pages(self) -> None:
        for preload in ([], ["--preload"]):
            with self.subTest(preload):
                shop = self.shop(*preload)
                form, sold = self.buy("coffee")
                self.assertEqual(sold.status, 303)
                number = int(sold.location.rpartition("/")[2])
                before = self.ask("GET", f"/return/{form['order_id']}")
                self.assertEqual(before.status, 402)
                path = self.pay(number)
                for _ in range(3):
                    answer = self.ask("GET", path)
                    self.assertEqual(answer.status, 200)
                    self.assertIn("Paid: 249.50", answer.text)
                # A reload of the form leads to the paid order, not to another one.
                again = self.ask("POST", "/buy", **form)
                self.assertEqual(again.location, f"/return/{form['order_id']}")
                deliveries = [one for one in shop.output if "deliver it" in one]
                self.assertEqual(len(deliveries), 1)
                shop.close()

    def test_many_clicks_in_several_workers_make_one_order(self) -> None:
        shop = self.shop()
        form = self.form("tea")

        def click(_: int) -> Answer:
            return self.ask("POST", "/buy", **form)

        with ThreadPoolExecutor(24) as clicks:
            answers: List[Answer] = list(clicks.map(click, range(24)))
            self.assertLessEqual({one.status for one in answers}, {202, 303})
            self.assertEqual(
                {one.location for one in answers if one.status == 303},
                {f"{self.sandbox.url}/checkout/1"},
            )
            # Each worker has a client of its own. More clicks until each has served one.
            give_up = time.monotonic() + PATIENCE
            while len({one for one in shop.output if "served by" in one}) < 3:
                self.assertLess(time.monotonic(), give_up, "a worker serves nothing")
                list(clicks.map(click, range(24)))
        self.assertEqual(len(self.entries()), 1)

    def test_money_that_is_not_as_expected_is_shown_to_a_person(self) -> None:
        shop = self.shop()
        for number, product in enumerate(("wrong", "refunded", "tea"), 1):
            if product == "tea":
                self.sandbox.fault("status:*:transactionStatus=COMPLETED")
            with self.subTest(product):
                form, sold = self.buy(product)
                self.assertEqual(sold.status, 303)
                answer = self.ask("GET", self.pay(number))
                self.assertEqual(answer.status, 202)
                self.assertIn("checking your payment", answer.text)
                shop.until(f"order {form['order_id']}, for a person: wrong")
                # A click on the old form does not lead to the checkout page again.
                again = self.ask("POST", "/buy", **form)
                self.assertEqual((again.status, again.location), (202, ""))
        self.assertEqual(self.delivered(), 0)

    def test_an_order_that_another_till_made_delivers_nothing(self) -> None:
        self.shop()
        form = self.form("tea")
        url = "https://shop.example/return"
        order = dict(ORDER, order_id=form["order_id"], redirection_url=url)
        with payorder.Client(self.sandbox.url, proxy="none", **CREDENTIALS) as other:
            other.create_order(order)
        self.pay()
        self.assertEqual(self.ask("POST", "/buy", **form).status, 409)
        returned = self.ask("GET", f"/return/{form['order_id']}")
        self.assertIn("checking your payment", returned.text)
        self.assertEqual(self.delivered(), 0)

    def test_an_order_that_may_exist_is_not_sent_again(self) -> None:
        self.shop()
        form, sold = self.buy("lost")
        self.assertEqual(sold.status, 202)
        self.assertIn("checking", sold.text)
        again = self.ask("POST", "/buy", **form)
        self.assertEqual(again.status, 202)
        self.assertEqual(len(self.entries()), 1)
        self.assertEqual(self.ask("GET", self.pay()).status, 200)

    def test_without_a_status_nothing_is_paid(self) -> None:
        self.shop()
        self.buy("silent")
        answer = self.ask("GET", self.pay())
        self.assertEqual(answer.status, 202)
        self.assertEqual(self.delivered(), 0)

    def test_what_the_browser_sends_is_checked(self) -> None:
        self.shop()
        form, _ = self.buy("tea")
        other = {**form, "product": "coffee"}
        self.assertEqual(self.ask("POST", "/buy", **other).status, 400)
        free = {**form, "order_id": "S-1"}
        self.assertEqual(self.ask("POST", "/buy", **free).status, 400)
        self.assertEqual(self.ask("GET", "/return/S-0000000000000000").status, 404)
        self.assertEqual(self.buy("refused")[1].status, 502)

"""`payorder recover`."""

from __future__ import annotations

import json

from .commands import DONE, NOT_PAID, UNKNOWN, CommandTestCase
from .service import closed_port


class Recovering(CommandTestCase):
    def sell(self, order_id: str, fault: str = "") -> int:
        return self.create(order_id, "--journal", self.journal, fault=fault)

    def recover(self, more: str = "", **variables: str) -> "tuple[int, str]":
        ended = self.in_journal(f"recover {more}", **variables)
        return ended.returncode, ended.stdout

    def test_each_open_sale_has_its_verdict(self) -> None:
        self.assertEqual(self.sell("OPEN"), DONE)
        status, said = self.recover()
        self.assertRegex(said, r"payable +5 +OPEN +http://.*/checkout/1\n$")
        self.assertEqual(status, DONE)

        self.assertEqual(self.sell("LOST", "drop-after-commit"), UNKNOWN)
        status, said = self.recover()
        self.assertRegex(said, r"(?s)payable .*url_lost +5 +LOST")
        self.assertEqual(status, NOT_PAID)

        self.assertEqual(self.sell("GONE", "drop-before"), UNKNOWN)
        status, said = self.recover()
        self.assertRegex(said, r"unknown +5 +GONE\n")
        self.assertEqual(status, UNKNOWN)
        self.assertEqual(self.recover("--quiet")[1], "LOST\nGONE\n")

        sales = self.folder / "sales.csv"
        sales.write_text("orderId,amount\nNEVER,7.50\nOPEN,5.00\n")
        status, said = self.recover(f"{sales} --json")
        self.assertEqual(status, UNKNOWN)
        read = json.loads(said)
        self.assertEqual(
            {sale["orderId"]: sale["verdict"] for sale in read["sales"]},
            {
                "NEVER": "not_in_journal",
                "OPEN": "payable",
                "LOST": "url_lost",
                "GONE": "unknown",
            },
        )
        self.assertEqual(read["sales"][0]["amount"], "7.50")
        self.assertEqual(read["summary"]["asked"], 4)

    def test_without_the_service_every_sale_is_unknown_and_nothing_is_lost(
        self,
    ) -> None:
        self.assertEqual(self.sell("LOST", "drop-after-commit"), UNKNOWN)
        proxy = f"http://127.0.0.1:{closed_port()}"
        status, said = self.recover(http_proxy=proxy)
        self.assertRegex(said, r"unknown +5 +LOST\n")
        self.assertEqual(status, UNKNOWN)
        self.assertEqual(self.recover("--quiet")[0], NOT_PAID)

    def test_a_row_that_cannot_be_used_is_named_before_anything_is_asked(self) -> None:
        self.assertEqual(self.sell("OPEN"), DONE)
        for rows, words in (
            ("A1,5\nA2,\n", "line 3: the row has no amount"),
            (",5\n", "line 2: the row has no order id"),
            ("A1,5\nA1,5\n", "line 3: the order is already in line 2"),
        ):
            with self.subTest(rows):
                self.refused("recover -", given=f"orderId,amount\n{rows}", words=words)

    def test_a_journal_that_does_not_exist_is_not_an_empty_one(self) -> None:
        for journal in ("", str(self.folder / "none.sqlite")):
            self.refused("recover", PAYORDER_JOURNAL=journal, words="journal")

"""`payorder recover`."""

from __future__ import annotations

import json
import subprocess

from .commands import DONE, NOT_PAID, UNKNOWN, USAGE, CommandTestCase, create, run
from .service import closed_port


class Recovering(CommandTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.journal = str(self.folder / "orders.sqlite")
        self.sales = self.folder / "sales.csv"

    def sell(self, order_id: str, fault: str = "") -> int:
        product = f"Tea {fault}".strip()
        return create(self.sandbox, order_id, "5", product, "--journal", self.journal)

    def recover(
        self, *arguments: str, **environment: str
    ) -> "subprocess.CompletedProcess[str]":
        return run(
            self.sandbox,
            "recover",
            *arguments,
            PAYORDER_JOURNAL=self.journal,
            **environment,
        )

    def test_each_open_sale_has_its_verdict(self) -> None:
        self.assertEqual(self.sell("OPEN"), DONE)
        done = self.recover()
        self.assertRegex(done.stdout, r"payable +5 +OPEN +http://.*/checkout/1\n$")
        self.assertEqual(done.returncode, DONE, done.stderr)

        self.assertEqual(self.sell("LOST", "sandbox:drop-after-commit"), UNKNOWN)
        lost = self.recover()
        self.assertRegex(lost.stdout, r"(?s)payable .*url_lost +5 +LOST")
        self.assertEqual(lost.returncode, NOT_PAID)

        self.assertEqual(self.sell("GONE", "sandbox:drop-before"), UNKNOWN)
        gone = self.recover()
        self.assertRegex(gone.stdout, r"unknown +5 +GONE\n")
        self.assertEqual(gone.returncode, UNKNOWN)
        self.assertEqual(self.recover("--quiet").stdout, "LOST\nGONE\n")

        self.sales.write_text("orderId,amount\nNEVER,7.50\nOPEN,5.00\n")
        told = self.recover(str(self.sales), "--json")
        self.assertEqual(told.returncode, UNKNOWN)
        read = json.loads(told.stdout)
        self.assertEqual(
            [(sale["orderId"], sale["verdict"]) for sale in read["sales"]],
            [
                ("NEVER", "not_in_journal"),
                ("OPEN", "payable"),
                ("LOST", "url_lost"),
                ("GONE", "unknown"),
            ],
        )
        self.assertEqual(read["sales"][0]["amount"], "7.50")
        self.assertEqual(read["summary"]["asked"], 4)

    def test_without_the_service_every_sale_is_unknown_and_nothing_is_lost(
        self,
    ) -> None:
        self.assertEqual(self.sell("LOST", "sandbox:drop-after-commit"), UNKNOWN)
        proxy = f"http://127.0.0.1:{closed_port()}"
        away = self.recover(http_proxy=proxy)
        self.assertRegex(away.stdout, r"unknown +5 +LOST\n")
        self.assertEqual(away.returncode, UNKNOWN)
        self.assertEqual(self.recover("--quiet").returncode, NOT_PAID)

    def test_a_row_that_cannot_be_used_is_named_before_anything_is_asked(self) -> None:
        self.assertEqual(self.sell("OPEN"), DONE)
        for rows, words in [
            ("orderId,amount\nA1,5\nA2,\n", "line 3: the row has no amount"),
            ("orderId,amount\n,5\n", "line 2: the row has no order id"),
            ("orderId,amount\nA1,5\nA1,5\n", "line 3: the order is already in line 2"),
        ]:
            with self.subTest(rows):
                self.sales.write_text(rows)
                refused = self.recover(str(self.sales))
                self.assertEqual(refused.returncode, USAGE, refused.stderr)
                self.assertIn(words, refused.stderr)

    def test_a_journal_that_does_not_exist_is_not_an_empty_one(self) -> None:
        for journal in ("", str(self.folder / "none.sqlite")):
            refused = run(self.sandbox, "recover", PAYORDER_JOURNAL=journal)
            self.assertEqual(refused.returncode, USAGE)
            self.assertIn("journal", refused.stderr)

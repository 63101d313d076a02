"""`payorder reconcile`: no row of any file is lost."""

from __future__ import annotations

import csv
import io
import json
import random
import unittest
from typing import Any, Dict, List, Tuple

from .commands import DONE, NOT_PAID, USAGE, VARIABLES, run
from .service import STATUS, WANTS_ALL, Request, Service


def paid(request: Request) -> Dict[str, Any]:
    """Every order is paid with 100.00."""
    asked = json.loads(request.body)
    return {**STATUS, "data": {**STATUS["data"], "orderId": asked["orderId"]}}


class Rows(unittest.TestCase):
    def setUp(self) -> None:
        self.service = Service(paid)
        self.service.__enter__()
        self.addCleanup(self.service.__exit__, None, None, None)

    def reconcile(
        self, text: str, more: str = ""
    ) -> "Tuple[int, List[Dict[str, str]], str]":
        """The exit status, the report's rows, and what was written to stderr."""
        url = {"PAYORDER_BASE_URL": self.service.url}
        ended = run(None, f"reconcile - {more}", given=text, **url, **VARIABLES)
        delimiter = ";" if ";" in ended.stdout.partition("\n")[0] else ","
        report = csv.DictReader(io.StringIO(ended.stdout), delimiter=delimiter)
        return ended.returncode, list(report), ended.stderr

    def test_an_unclosed_quote_loses_no_rows(self) -> None:
        row = "R-{},100.00,tea\n"
        after = "".join(row.format(number) for number in range(13, 28))
        broken = 'orderId,amount,what\nR-11,100.00,tea\nR-12,112.50,"2 kg bag\n' + after
        for text in (
            broken,
            broken + 'R-28,100.00,5"\n',
            broken + 'R-28,100.00,"5" pipe"\n',
            broken + 'R-28,100.00,"tea"\nR-29,100.00,tea\n',
        ):
            with self.subTest(text[-30:]):
                status, report, complaint = self.reconcile(text)
                self.assertEqual((status, report), (USAGE, []), complaint)
                self.assertIn("line 3:", complaint)
        self.assertEqual(self.service.requests, [], "nothing is asked")

    def test_invalid_csv_is_reported_with_its_line(self) -> None:
        for text in ('orderId,amount\nA,1\n"B"x,2\n', 'orderId,amount\nA,1\n"B,2'):
            with self.subTest(text):
                status, _, complaint = self.reconcile(text)
                self.assertEqual(status, USAGE)
                self.assertIn("the input, line 3:", complaint)

    def test_a_file_without_orders_is_an_error(self) -> None:
        for text, words in (
            ("orderId,amount\n", "no orders"),
            ("orderId,amount\n\n,\n", "no orders"),
            ("orderId,id,amount\nA,B,1\n", "orderId (column 1) and id (column 2)"),
            ("orderId,amount,total\nA,1,2\n", "amount (column 2) and total (column 3)"),
            ("orderId,amount,amount\nA,1,2\n", "(column 2) and amount (column 3)"),
            ("\n\n", "no column names"),
        ):
            with self.subTest(text):
                status, report, complaint = self.reconcile(text)
                self.assertEqual((status, report), (USAGE, []), complaint)
                self.assertIn(words, complaint)
        named = "orderId,id,amount\nA,B,100\n"
        self.assertEqual(self.reconcile(named, "--order-column orderId")[0], DONE)
        columns = "--order-column a --amount-column a"
        twice = self.reconcile("a,a\nA,1\n", columns)
        self.assertEqual(twice[0], USAGE)

    def test_an_order_id_twice_is_reported_with_the_line_of_the_first(self) -> None:
        status, report, complaint = self.reconcile(
            "order,amount\nA,100\nB,100\nA,100\n\nB,50\nC,100\n"
        )
        self.assertEqual(status, NOT_PAID)
        self.assertEqual(
            [(row["line"], row["verdict"]) for row in report],
            [
                ("2", "matched"),
                ("3", "matched"),
                ("4", "duplicate_row"),
                ("6", "duplicate_row"),
                ("7", "matched"),
            ],
        )
        self.assertIn("line 2 has the same order id", report[2]["detail"])
        self.assertIn("2 duplicate_row", complaint)

    def test_the_report_has_the_inputs_columns_order_and_lines(self) -> None:
        ids = [f"O-{number}" for number in range(300)]
        random.Random(7).shuffle(ids)
        text = "what;order;amount;verdict\n" + "".join(
            f'"a; b";{order};100.00;kept\n' for order in ids
        )
        status, report, complaint = self.reconcile(text, "--concurrency 32")
        self.assertEqual(status, DONE, complaint)
        self.assertEqual([row["order"] for row in report], ids)
        self.assertEqual([int(row["line"]) for row in report], list(range(2, 302)))
        for row in report:
            self.assertEqual((row["what"], row["verdict"]), ("a; b", "kept"))
            self.assertEqual(row["payorder_verdict"], "matched")
        self.assertIn("301 lines read: 1 of column names, 300 orders;", complaint)
        self.assertIn('from the column "order", amounts from "amount"', complaint)

    def test_a_row_with_too_many_or_too_few_fields_is_unusable(self) -> None:
        status, report, _ = self.reconcile(
            "order,what,amount\nA,tea, black,100\nB,100\nC,tea,100,,\nD,tea,100\n"
        )
        self.assertEqual(status, NOT_PAID)
        self.assertEqual(
            [row["verdict"] for row in report],
            ["unusable_row", "unusable_row", "matched", "matched"],
        )
        self.assertIn("4 fields", report[0]["detail"])

    def test_a_line_break_in_a_field_is_read_and_counted(self) -> None:
        text = 'order,amount,where\nA,100,"Street 5\nBerlin"\r\nB,100,x\r\n'
        status, report, complaint = self.reconcile(text)
        self.assertEqual(status, DONE, complaint)
        self.assertEqual([row["line"] for row in report], ["2", "4"])
        self.assertEqual(report[0]["where"], "Street 5\nBerlin")
        self.assertIn("4 lines read: 1 of column names, 2 orders", complaint)

    def test_every_row_is_in_the_report_or_an_error_names_a_line(self) -> None:
        """Files that different CSV readers read differently."""
        pieces = [
            "A1",
            "1",
            ",",
            ",",
            "\n",
            "\n",
            '"',
            '"',
            '""',
            " ",
            "\r\n",
            "\r",
            "",
        ]
        chance = random.Random(4711)
        rows = 0
        texts = []
        files = 40 if WANTS_ALL else 10
        for number in range(files):
            middle = "".join(chance.choice(pieces) for _ in range(12))
            texts.append(f"order,amount\nFIRST,1\n{middle}\nLAST,2\n")
        for text in texts:
            with self.subTest(text):
                status, report, complaint = self.reconcile(text)
                if status == USAGE:
                    self.assertRegex(complaint, r"line \d+:")
                    continue
                rows += len(report)
                orders = [row["order"] for row in report]
                self.assertEqual((orders[0], orders[-1]), ("FIRST", "LAST"))
                shown = str([list(row.values()) for row in report]).count("A1")
                self.assertGreaterEqual(shown, text.count("A1"), report)
        self.assertGreater(rows, files / 2)

"""A wrong name gets a suggestion."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path

from payorder_tools.command.suggestions import did_you_mean

from .commands import USAGE, run


class Suggestions(unittest.TestCase):
    def test_a_similar_name_is_suggested_and_a_different_one_is_not(self) -> None:
        names = ["baseUrl", "timeoutMs", "PAYORDER_TIMEOUT", "--order-id", "order id"]
        for wrong, right in (
            ("base_url", "baseUrl"),
            ("timeoutms", "timeoutMs"),
            ("timeout", "PAYORDER_TIMEOUT"),
            ("--orderid", "--order-id"),
            ("order_id", "order id"),
        ):
            self.assertEqual(did_you_mean(wrong, names), f"; did you mean {right}?")
        for wrong in ("frobnicate", "x", "", "--"):
            self.assertEqual(did_you_mean(wrong, names), "", wrong)
        self.assertEqual(did_you_mean("x", []), "")

    def test_every_kind_of_wrong_name_gets_a_suggestion(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            orders = Path(folder) / "orders.csv"
            orders.write_text("Order No,Sum\nO-1,5\n")
            for line, right in (
                ("stats", "status"),
                ("journal lst", "list"),
                ("journal list --state unkown", "unknown"),
                ("help crate", "create"),
                ("create --pay-mode CC", "cc"),
                ("create -order-id 5", "--order-id"),
                ("completions zhs", "zsh"),
                ("status --amout 5 O-1", "--amount"),
                ("reconcile --ordercolumn=x", "--order-column"),
                ("explain conection_refused", "connection_refused"),
                ("explain PAYORDER_CANCELED", "PAYORDER_CANCELLED"),
                (
                    f"reconcile {orders} --amount-column Sum --order-column order_no",
                    "Order No",
                ),
            ):
                with self.subTest(line):
                    refused = run(None, line)
                    self.assertEqual((refused.returncode, refused.stdout), (USAGE, ""))
                    end = f"; did you mean {right}?\n"
                    self.assertTrue(refused.stderr.endswith(end), refused.stderr)

    def test_an_option_before_its_command_is_not_called_unknown(self) -> None:
        for line in ("--json status O-1", "journal --json list"):
            refused = run(None, line)
            self.assertEqual(refused.returncode, USAGE)
            self.assertIn("--json must follow the name of the command", refused.stderr)

    def test_values_that_begin_with_a_hyphen_are_not_options(self) -> None:
        for line in (
            "status --transaction-id -5",
            "status --transaction-id=--x",
            "status --transaction-id '--two words'",
            "status -- --transaction",
        ):
            with self.subTest(line):
                # Only the address is missing.
                self.assertIn("PAYORDER_BASE_URL", run(None, line).stderr)

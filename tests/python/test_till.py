"""The till sells, and after a crash it settles its orders."""

from __future__ import annotations

import signal
import time
import unittest

import payorder
from programs import EXAMPLES, Program, ProgramTestCase
from tests.support import CREDENTIALS, PATIENCE


class Till(ProgramTestCase):
    def till(self) -> Program:
        program = self.start(str(EXAMPLES / "till.py"))
        program.until("quit")
        return program

    def test_a_sale(self) -> None:
        till = self.till()
        till.type("100.00 two coffees")
        self.assertIn("/checkout/1", till.until("/checkout/"))
        self.sandbox.press("fail")
        # The till sees it, and waits on: the customer tries again.
        self.sandbox.requests(after=len(self.sandbox.requests()), wait=PATIENCE)
        self.sandbox.press("pay")
        self.assertIn(", 100.00", till.until("PAID: "))
        self.assertFalse([line for line in till.output if "NOT PAID" in line])
        till.type("list")
        self.assertIn("Completed", till.until("  created  "))
        till.type("quit")
        self.assertEqual(till.end(), 0)

    def test_an_amount_that_cannot_be_used_is_not_sent(self) -> None:
        till = self.till()
        till.type("1,50 tea")
        self.assertIn("amount", till.until("NOT SENT"))
        till.type("5 tea sandbox:reject")
        till.until("REFUSED")
        till.type("quit")
        self.assertEqual(till.end(), 0)
        self.assertEqual([one.state for one in self.entries()], ["rejected"])

    def test_another_amount_is_not_paid(self) -> None:
        till = self.till()
        till.type("100.00 tea sandbox:wrong-amount")
        till.until("/checkout/")
        self.sandbox.press("pay")
        check = till.until("CHECK: T")
        till.until("amount: expected 100.00, got 1.00")
        self.assertFalse([line for line in till.output if "PAID" in line])
        till.type("quit")
        till.end()
        # Each start shows it, until a person has seen it.
        again = self.till()
        again.until("CHECK: T")
        again.type(f"done {check.split()[1].rstrip(',')}")
        again.type("quit")
        again.end()
        third = self.till()
        self.assertFalse([line for line in third.output if "asking" in line])

    def test_an_order_that_completed_while_the_till_was_off_is_verified(self) -> None:
        till = self.till()
        till.type("100.00 tea")
        till.until("/checkout/")
        till.signal(signal.SIGKILL)
        till.end()
        self.sandbox.press("pay")
        # Another program asks first, so the journal has it as Completed.
        with payorder.Client(
            self.sandbox.url, journal=self.journal, proxy="none", **CREDENTIALS
        ) as other:
            other.journal.resolve()
        self.assertEqual(self.entries()[0].transaction_status, "Completed")
        again = self.till()
        again.until("PAID: T")

    def test_after_a_lost_response_the_till_does_not_sell_again(self) -> None:
        till = self.till()
        till.type("100.00 tea sandbox:drop-after-commit")
        till.until("may exist. Do not sell again")
        till.until("OPEN, not paid yet")
        self.sandbox.press("pay")
        till.type("settle")
        paid = till.until("PAID: T")
        self.assertTrue(paid.startswith("PAID: "), paid)
        # A call with many queries writes the journal at its end.
        till.type("quit")
        self.assertEqual(till.end(), 0)
        (entry,) = self.entries()
        self.assertEqual(entry.transaction_status, "Completed")

    def test_a_till_that_was_killed_settles_its_order_at_the_next_start(self) -> None:
        till = self.till()
        till.type("100.00 tea")
        till.until("/checkout/")
        till.signal(signal.SIGKILL)
        till.end()
        again = self.till()
        again.until("OPEN, not paid yet")
        again.until("can still pay at http")
        again.type("quit")
        again.end()
        self.sandbox.press("pay")
        third = self.till()
        self.assertTrue(third.until("PAID: T").startswith("PAID: T"))
        third.type("quit")
        third.end()
        # A paid order is not asked for again.
        fourth = self.till()
        self.assertFalse([line for line in fourth.output if "asking" in line])

    def test_ctrl_c_during_an_order_shows_its_outcome(self) -> None:
        till = self.till()
        till.type("100.00 tea sandbox:stall")
        give_up = time.monotonic() + PATIENCE
        while not self.entries() and time.monotonic() < give_up:
            time.sleep(0.05)
        # Pressed twice, it cancels the order.
        for _ in range(2):
            time.sleep(1)
            till.signal(signal.SIGINT)
        self.assertEqual(till.end(), 130)
        till.until("interrupted: the order failed")
        self.assertEqual([one.state for one in self.entries()], ["unknown"])

    def test_a_missing_setting_is_named(self) -> None:
        del self.environment["PAYORDER_BASE_URL"]
        till = self.start(str(EXAMPLES / "till.py"))
        till.until("PAYORDER_BASE_URL")
        self.assertEqual(till.end(), 1)


if __name__ == "__main__":
    unittest.main()

"""What the exam does not try of the till: the command line, and Ctrl-C."""

from __future__ import annotations

import signal
from unittest import mock

from programs import EXAMPLES, ProgramTestCase
from tests.support import PATIENCE


class Till(ProgramTestCase):
    def test_without_a_whole_sale_nothing_is_sent(self) -> None:
        for arguments in ((), ("5.00",), ("5.00", "T-1", "tea")):
            till = self.start(str(EXAMPLES / "till.py"), *arguments)
            self.assertEqual(till.end(), 1)
            self.assertEqual(till.output, ["NOT SENT: usage: till.py AMOUNT ORDER_ID"])
        self.assertEqual(self.sandbox.requests(), [])

    def test_a_start_that_cannot_read_the_journal_is_open(self) -> None:
        self.environment.update(PAYORDER_JOURNAL="/not-mounted/till.db")
        till = self.start(str(EXAMPLES / "till.py"), "5.00", "T-1")
        self.assertEqual(till.end(), 3)
        till.until("OPEN: InvalidConfigError")

    def test_a_sale_that_was_sent_before_stays_open_if_it_cannot_be_sent_again(self) -> None:
        self.environment.update(SALE_SECONDS="2")
        sale = (str(EXAMPLES / "till.py"), "5.00", "T-1")
        self.assertEqual(self.start(*sale).end(), 3)
        self.sandbox.pay("T-1")
        for problem in (
            {"PAYORDER_ACCESS_TOKEN": ""},
            {"PAYORDER_SECRET_KEY": ""},  # it could not ask for a status
            {"SALE_CUSTOMER_EMAIL": " "},
        ):
            with self.subTest(**problem), mock.patch.dict(self.environment, problem):
                till = self.start(*sale)
                self.assertEqual(till.end(), 3)
                till.until("OPEN: an earlier run may have sent the order")
                another = self.start(*sale[:2], "T-2")
                self.assertEqual(another.end(), 1)
                another.until("NOT SENT: ")

    def test_a_sale_may_take_longer_than_one_call(self) -> None:
        self.environment.update(SALE_SECONDS="200000", PAYORDER_JOURNAL="")
        till = self.start(str(EXAMPLES / "till.py"), "5.00", "T-1")
        till.until("send the customer to ")
        self.sandbox.pay("T-1")
        self.assertEqual(till.end(), 0)
        self.environment.update(SALE_PRODUCT="sandbox:drop-after-commit")
        till = self.start(str(EXAMPLES / "till.py"), "5.00", "T-2")
        self.assertEqual(till.end(), 3)
        self.assertEqual(till.output[-1], "OPEN")

    def test_ctrl_c_during_an_order_leaves_it_open(self) -> None:
        self.environment.update(SALE_PRODUCT="sandbox:stall", PAYORDER_JOURNAL="")
        till = self.start(str(EXAMPLES / "till.py"), "5.00", "T-1")
        self.sandbox.requests(after=0, wait=PATIENCE)
        till.signal(signal.SIGINT)
        self.assertEqual(till.end(), 3)
        self.assertIn("may exist", till.until("OPEN: "))

    def test_the_cashier_reads_what_to_do(self) -> None:
        self.environment.update(SALE_PRODUCT="sandbox:drop-before", SALE_SECONDS="5")
        self.environment.update(PAYORDER_JOURNAL="")
        till = self.start(str(EXAMPLES / "till.py"), "5.00", "T-1")
        till.until("CASHIER: Ask the customer to wait. Do not take the payment again.")
        self.assertEqual(till.end(), 3)

    def test_a_settled_order_is_one_for_a_person(self) -> None:
        self.sandbox.fault("status:*:settlementStatus=Settled")
        self.environment.update(SALE_SECONDS="5")
        till = self.start(str(EXAMPLES / "till.py"), "5.00", "T-1")
        self.assertEqual(till.end(), 3)
        till.until("CHECK: money moved, not as expected")

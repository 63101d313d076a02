"""The test case of these tests: a sandbox, a shop, and a browser with an empty tab."""

from __future__ import annotations

import unittest

from .chromium import Chromium
from .sandbox import Sandbox
from .shop import AMOUNT, Order, Return, Shop

PAY = f"Pay {AMOUNT} INR"
FAIL = "Let it fail"
CANCEL = "Cancel"
BACK_TO_SHOP = "Back to the shop"


class CheckoutTestCase(unittest.TestCase):
    sandbox: Sandbox
    shop: Shop
    browser: Chromium

    @classmethod
    def setUpClass(cls) -> None:
        cls.sandbox = Sandbox()
        cls.addClassCleanup(cls.sandbox.stop)
        cls.shop = Shop(cls.sandbox.base_url)
        cls.addClassCleanup(cls.shop.close)
        cls.browser = Chromium()
        cls.addClassCleanup(cls.browser.quit)

    def setUp(self) -> None:
        self.browser.new_tab()
        self.addCleanup(self.browser.close_tabs)

    def press_and_come_back(self, order: Order, button: str) -> Return:
        self.browser.press(button)
        return self.come_back(order)

    def come_back(self, order: Order) -> Return:
        return self.shop.welcome_back(
            order, self.browser.wait_for_address(self.shop.return_url)
        )

    def assert_paid_once(self, order: Order, came_back: Return) -> None:
        """The order is paid by this transaction, and has no other one."""
        self.assertTrue(came_back.payment.paid, came_back.payment.reasons)
        self.assertEqual(
            self.shop.status(order).transaction_id, came_back.transaction_id
        )
        # The service numbers the transactions of all orders one after the other.
        other = self.shop.order()
        self.browser.open(other.checkout_url)
        following = self.press_and_come_back(other, PAY).transaction_id
        self.assertEqual(
            _number(following),
            _number(came_back.transaction_id) + 1,
            "the order was paid more than once",
        )


def _number(transaction_id: str) -> int:
    return int(transaction_id[len("TXN") :])

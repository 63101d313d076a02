"""The checkout page without a mouse."""

from __future__ import annotations

from selenium.webdriver.common.keys import Keys

from .checkout_case import BACK_TO_SHOP, CANCEL, FAIL, PAY, CheckoutTestCase


class Keyboard(CheckoutTestCase):
    def test_the_tab_key_reaches_every_choice_in_reading_order_and_shows_the_focus(
        self,
    ) -> None:
        self.browser.open(self.shop.order().checkout_url)
        stops = self.browser.tab_stops()
        # The payment modes are one stop; the arrow keys choose one.
        self.assertEqual([stop["name"] for stop in stops], ["UPI", PAY, FAIL, CANCEL])
        self.assertEqual({stop["outline"] for stop in stops}, {"3px"})

    def test_an_order_is_paid_with_the_keyboard_only(self) -> None:
        order = self.shop.order()
        self.browser.open(order.checkout_url)
        for key in (Keys.TAB, Keys.ARROW_DOWN, Keys.TAB, Keys.ENTER):
            self.browser.key(key)
        came_back = self.come_back(order)
        self.assertEqual(
            (came_back.payment.paid, came_back.status.pay_mode), (True, "cc")
        )

    def test_enter_on_a_payment_mode_pays(self) -> None:
        order = self.shop.order()
        self.browser.open(order.checkout_url)
        for key in (Keys.TAB, Keys.ENTER):
            self.browser.key(key)
        # Enter presses the first button of a form, which must be the button Pay.
        self.assertTrue(self.come_back(order).payment.paid)

    def test_an_order_is_cancelled_and_left_with_the_keyboard_only(self) -> None:
        order = self.shop.order(pay_mode="upi")
        self.browser.open(order.checkout_url)
        for key in (Keys.TAB, Keys.TAB, Keys.TAB, Keys.SPACE):
            self.browser.key(key)
        cancelled = self.come_back(order)
        self.assertEqual(cancelled.status.transaction_status, "Cancelled")

        self.browser.open(order.checkout_url)
        self.assertEqual(
            [stop["name"] for stop in self.browser.tab_stops()], [BACK_TO_SHOP]
        )
        for key in (Keys.TAB, Keys.ENTER):
            self.browser.key(key)
        self.assertEqual(self.come_back(order).transaction_id, cancelled.transaction_id)

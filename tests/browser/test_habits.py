"""What people do with a checkout page, and what must not happen then."""

from __future__ import annotations

from .checkout_case import BACK_TO_SHOP, CANCEL, FAIL, PAY, CheckoutTestCase


class Habits(CheckoutTestCase):
    def test_reloading_does_not_pay_and_loses_nothing(self) -> None:
        order = self.shop.order()
        self.browser.open(order.checkout_url)
        self.browser.reload()
        self.assertEqual(self.shop.status(order).transaction_status, "Pending")
        paid = self.press_and_come_back(order, PAY)
        self.browser.reload()
        self.assertEqual(self.come_back(order).transaction_id, paid.transaction_id)

        self.browser.open(order.checkout_url)
        self.browser.reload()
        self.assertIn("Paid. Thank you.", self.browser.text)
        self.assertEqual(self.sandbox.presses(order.checkout_url, "pay"), 1)
        self.assert_paid_once(order, paid)

    def test_going_back_after_paying_cannot_pay_again(self) -> None:
        order = self.shop.order()
        self.browser.open(order.checkout_url)
        paid = self.press_and_come_back(order, PAY)
        self.browser.back()
        self.browser.wait_for_text("Paid. Thank you.")
        self.assertEqual(self.browser.buttons(), [BACK_TO_SHOP])
        self.assertEqual(
            self.press_and_come_back(order, BACK_TO_SHOP).transaction_id,
            paid.transaction_id,
        )
        self.assert_paid_once(order, paid)

    def test_going_back_after_a_failure_shows_it_and_the_customer_can_pay(self) -> None:
        order = self.shop.order()
        self.browser.open(order.checkout_url)
        self.press_and_come_back(order, FAIL)
        self.browser.back()
        self.browser.wait_for_text("The payment failed.")
        self.assert_paid_once(order, self.press_and_come_back(order, PAY))

    def test_two_tabs_pay_once(self) -> None:
        order = self.shop.order()
        tabs = [self.browser.new_tab() for _ in range(2)]
        for tab in tabs:
            self.browser.show_tab(tab)
            self.browser.open(order.checkout_url)
        came_back = []
        for tab in tabs:
            self.browser.show_tab(tab)
            came_back.append(self.press_and_come_back(order, PAY))
        # Both presses arrived, and the second one returns with the first one's payment.
        self.assertEqual(self.sandbox.presses(order.checkout_url, "pay"), 2)
        self.assertEqual(came_back[0].transaction_id, came_back[1].transaction_id)
        self.assert_paid_once(order, came_back[1])

    def test_a_tab_left_open_cannot_pay_a_cancelled_order(self) -> None:
        order = self.shop.order()
        tabs = [self.browser.new_tab() for _ in range(2)]
        for tab in tabs:
            self.browser.show_tab(tab)
            self.browser.open(order.checkout_url)
        cancelled = self.press_and_come_back(order, CANCEL)
        self.browser.show_tab(tabs[0])
        late = self.press_and_come_back(order, PAY)
        self.assertEqual(late.transaction_id, cancelled.transaction_id)
        self.assertFalse(late.payment.paid)

    def test_a_double_click_pays_once(self) -> None:
        order = self.shop.order()
        self.browser.open(order.checkout_url)
        self.browser.double_click(PAY)
        self.assert_paid_once(order, self.come_back(order))

    def test_an_unknown_checkout_address_says_what_to_do(self) -> None:
        self.browser.open(f"{self.sandbox.base_url}/checkout/4711")
        self.assertIn("There is no such checkout page", self.browser.text)
        self.assertIn("Create the order again", self.browser.text)
        self.assertEqual(
            (self.browser.title, self.browser.buttons()),
            ("Not found - payorder sandbox", []),
        )

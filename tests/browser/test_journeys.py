"""From the order to the verified payment, through the browser."""

from __future__ import annotations

from .checkout_case import BACK_TO_SHOP, CANCEL, FAIL, PAY, CheckoutTestCase


class Journeys(CheckoutTestCase):
    def test_the_page_shows_the_order_and_who_is_paid(self) -> None:
        order = self.shop.order()
        self.browser.open(order.checkout_url)
        for shown in (
            "The Sandbox Shop",
            "249.50 INR",
            order.order_id,
            "Two coffees",
            "Asha Rao",
            "no real money",
        ):
            self.assertIn(shown, self.browser.text)
        self.assertEqual(self.browser.buttons()[-3:], [PAY, FAIL, CANCEL])

    def test_an_order_is_paid_and_verified(self) -> None:
        order = self.shop.order()
        self.browser.open(order.checkout_url)
        came_back = self.press_and_come_back(order, PAY)
        self.assertEqual(came_back.status.transaction_id, came_back.transaction_id)
        self.assertEqual(
            (came_back.status.transaction_status, came_back.status.amount),
            ("Completed", order.amount),
        )
        self.assertTrue(came_back.payment.paid, came_back.payment.reasons)
        self.assertIn(came_back.transaction_id, self.browser.text)

    def test_a_failed_payment_is_not_a_payment_and_can_be_tried_again(self) -> None:
        order = self.shop.order()
        self.browser.open(order.checkout_url)
        failed = self.press_and_come_back(order, FAIL)
        self.assertEqual(
            [reason.check for reason in failed.payment.reasons], ["transactionStatus"]
        )
        self.assertEqual(failed.status.transaction_status, "Failed")

        self.browser.open(order.checkout_url)
        self.assertIn("The payment failed.", self.browser.text)
        self.assertIn(failed.transaction_id, self.browser.text)
        paid = self.press_and_come_back(order, PAY)
        self.assertNotEqual(paid.transaction_id, failed.transaction_id)
        self.assertTrue(paid.payment.paid, paid.payment.reasons)

    def test_a_cancelled_order_is_not_paid_and_stays_cancelled(self) -> None:
        order = self.shop.order()
        self.browser.open(order.checkout_url)
        cancelled = self.press_and_come_back(order, CANCEL)
        self.assertEqual(
            [reason.check for reason in cancelled.payment.reasons],
            ["transactionStatus"],
        )
        self.assertEqual(cancelled.status.transaction_status, "Cancelled")

        self.browser.open(order.checkout_url)
        self.assertIn("Nothing was taken.", self.browser.text)
        self.assertEqual(self.browser.buttons(), [BACK_TO_SHOP])
        again = self.press_and_come_back(order, BACK_TO_SHOP)
        self.assertEqual(again.transaction_id, cancelled.transaction_id)

    def test_the_payment_mode_is_the_chosen_one(self) -> None:
        order = self.shop.order()
        self.browser.open(order.checkout_url)
        self.browser.press("Net banking")
        self.assertEqual(self.press_and_come_back(order, PAY).status.pay_mode, "nb")

    def test_the_customer_returns_to_a_shop_at_another_address(self) -> None:
        # For a browser this is another origin, to which a page may not be allowed to send a form.
        elsewhere = self.shop.return_url.replace("127.0.0.1", "localhost")
        order = self.shop.order(redirection_url=f"{elsewhere}?basket=17#receipt")
        self.browser.open(order.checkout_url)
        self.browser.press(PAY)
        address = self.browser.wait_for_address(f"{elsewhere}?basket=17&txn=")
        self.assertTrue(address.endswith("#receipt"), address)
        self.assertTrue(self.shop.welcome_back(order, address).payment.paid)

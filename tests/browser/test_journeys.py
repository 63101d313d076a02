"""From the order to the proof, through the browser."""

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

    def test_an_order_is_paid_and_proved(self) -> None:
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

    def test_a_payment_that_failed_is_no_payment_and_can_be_tried_again(self) -> None:
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

    def test_the_way_to_pay_is_the_one_that_was_chosen(self) -> None:
        order = self.shop.order()
        self.browser.open(order.checkout_url)
        self.browser.press("Net banking")
        self.assertEqual(self.press_and_come_back(order, PAY).status.pay_mode, "nb")

    def test_the_way_back_leads_to_a_shop_at_another_address(self) -> None:
        # To a browser another origin, which what a page may do, and where a form may lead, depends on.
        elsewhere = self.shop.return_url.replace("127.0.0.1", "localhost")
        order = self.shop.order(redirection_url=f"{elsewhere}?basket=17#receipt")
        self.browser.open(order.checkout_url)
        self.browser.press(PAY)
        address = self.browser.wait_for_address(f"{elsewhere}?basket=17&txn=")
        self.assertTrue(address.endswith("#receipt"), address)
        self.assertTrue(self.shop.welcome_back(order, address).payment.paid)

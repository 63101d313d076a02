"""What people do with a checkout page, from the order to the verified payment."""

from __future__ import annotations

from typing import List, Tuple

from playwright.sync_api import Page

from .pages import AMOUNT, BACK_TO_SHOP, CANCEL, FAIL, PAY, CheckoutTestCase


class Journeys(CheckoutTestCase):
    def test_an_order_is_shown_paid_and_verified(self) -> None:
        page = self.opened(self.order())
        order_id = f"ORD-{self.orders}"
        shown = page.inner_text("body")
        for text in ("The Sandbox Shop", f"{AMOUNT} INR", order_id, "Two coffees"):
            self.assertIn(text, shown)
        for text in ("Asha Rao", "no real money"):
            self.assertIn(text, shown)
        self.assertEqual(self.buttons(page)[-3:], [PAY, FAIL, CANCEL])
        self.press(page, "Net banking")
        paid = self.press_and_come_back(page, PAY)
        self.assertEqual(paid.status.order_id, order_id)
        self.assertEqual(paid.status.transaction_status, "Completed")
        self.assertEqual(paid.status.pay_mode, "nb")
        self.assertIn(paid.transaction_id, page.inner_text("body"))
        self.check_paid_once(paid)

    def test_a_failed_payment_is_not_a_payment_and_can_be_tried_again(self) -> None:
        page = self.opened(self.order())
        failed = self.press_and_come_back(page, FAIL)
        reasons = [reason.check for reason in failed.payment.reasons]
        self.assertEqual(reasons, ["transactionStatus"])
        self.assertEqual(failed.status.transaction_status, "Failed")
        page.go_back()
        page.get_by_text("The payment failed.").wait_for()
        self.assertIn(failed.transaction_id, page.inner_text("body"))
        paid = self.press_and_come_back(page, PAY)
        self.assertNotEqual(paid.transaction_id, failed.transaction_id)
        self.check_paid_once(paid)

    def test_a_cancelled_order_is_not_paid_also_from_a_tab_left_open(self) -> None:
        url = self.order()
        left_open, page = self.opened(url), self.opened(url)
        cancelled = self.press_and_come_back(page, CANCEL)
        self.assertFalse(cancelled.payment)
        self.assertEqual(cancelled.status.transaction_status, "Cancelled")
        page.goto(url)
        self.assertIn("Nothing was taken.", page.inner_text("body"))
        self.assertEqual(self.buttons(page), [BACK_TO_SHOP])
        for tab, button in ((page, BACK_TO_SHOP), (left_open, PAY)):
            again = self.press_and_come_back(tab, button)
            self.assertEqual(again.transaction_id, cancelled.transaction_id)
            self.assertFalse(again.payment)

    def test_reloading_and_going_back_pay_once_and_lose_nothing(self) -> None:
        page = self.opened(self.order())
        page.reload()
        status = self.client.get_status(f"ORD-{self.orders}")
        self.assertEqual(status.transaction_status, "Pending")
        paid = self.press_and_come_back(page, PAY)
        page.reload()
        self.assertEqual(self.come_back(page).transaction_id, paid.transaction_id)
        page.go_back()
        page.get_by_text("Paid. Thank you.").wait_for()
        page.reload()
        self.assertEqual(self.buttons(page), [BACK_TO_SHOP])
        again = self.press_and_come_back(page, BACK_TO_SHOP)
        self.assertEqual(again.transaction_id, paid.transaction_id)
        self.check_paid_once(paid)

    def test_two_tabs_and_a_double_click_pay_once(self) -> None:
        url = self.order()
        tabs = [self.opened(url), self.opened(url)]
        came_back = [self.press_and_come_back(tab, PAY) for tab in tabs]
        self.assertEqual(came_back[0].transaction_id, came_back[1].transaction_id)
        self.check_paid_once(came_back[1])
        page = self.opened(self.order())
        page.get_by_text(PAY, exact=True).dblclick(no_wait_after=True)
        self.check_paid_once(self.come_back(page))

    def test_the_customer_returns_to_a_shop_at_another_address(self) -> None:
        # For a browser this is another origin, to which a page may not be allowed to send a form.
        elsewhere = self.return_url.replace("127.0.0.1", "localhost")
        page = self.opened(self.order(redirection_url=f"{elsewhere}?basket=17#receipt"))
        self.press(page, PAY)
        page.wait_for_url(f"{elsewhere}?basket=17&txn=*#receipt")

    def test_an_unknown_checkout_address_says_what_to_do(self) -> None:
        page = self.opened(f"{self.sandbox.base_url}/checkout/4711")
        self.assertIn("There is no such checkout page", page.inner_text("body"))
        self.assertIn("Create the order again", page.inner_text("body"))
        self.assertEqual(self.buttons(page), [])


class Keyboard(CheckoutTestCase):
    """The checkout page without a mouse."""

    def press_keys(self, page: Page, *keys: str) -> None:
        for key in keys:
            page.keyboard.press(key)

    def stops(self, page: Page) -> List[Tuple[str, str]]:
        """What the Tab key reaches, from the start of the page: names and outlines."""
        stops: List[Tuple[str, str]] = []
        while len(stops) < 20:
            page.keyboard.press("Tab")
            focus = page.evaluate(
                """() => {
                const at = document.activeElement;
                if (!at || at === document.body) return null;
                const style = getComputedStyle(at);
                const name = at.labels && at.labels.length ? at.labels[0] : at;
                return [name.innerText.trim(), style.outlineStyle === 'none' ? '' : style.outlineWidth];
                }"""
            )
            if focus is None:
                return stops
            stops.append((focus[0], focus[1]))
        raise AssertionError(f"the Tab key does not leave the page: {stops}")

    def test_the_tab_key_reaches_every_choice_and_shows_the_focus(self) -> None:
        # The payment modes are one stop; the arrow keys choose one.
        names = ["UPI", PAY, FAIL, CANCEL]
        stops = self.stops(self.opened(self.order()))
        self.assertEqual(stops, [(name, "3px") for name in names])

    def test_an_order_is_paid_with_the_keyboard_only(self) -> None:
        # Enter on a payment mode presses the first button of the form, which must be Pay.
        for keys, mode in (
            (("Tab", "ArrowDown", "Tab", "Enter"), "cc"),
            (("Tab", "Enter"), "upi"),
        ):
            page = self.opened(self.order())
            self.press_keys(page, *keys)
            came_back = self.come_back(page)
            self.assertTrue(came_back.payment)
            self.assertEqual(came_back.status.pay_mode, mode)

    def test_an_order_is_cancelled_and_left_with_the_keyboard_only(self) -> None:
        url = self.order(pay_mode="upi")
        page = self.opened(url)
        self.press_keys(page, "Tab", "Tab", "Tab", "Space")
        cancelled = self.come_back(page)
        self.assertEqual(cancelled.status.transaction_status, "Cancelled")
        page.goto(url)
        self.assertEqual(self.stops(page), [(BACK_TO_SHOP, "3px")])
        self.press_keys(page, "Tab", "Enter")
        self.assertEqual(self.come_back(page).transaction_id, cancelled.transaction_id)

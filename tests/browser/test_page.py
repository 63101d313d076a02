"""The sandbox's own page: what a trainer and a newcomer see."""

from __future__ import annotations

import os
import subprocess
from typing import Any, Dict

import payorder
from playwright.sync_api import Page, Route

from .pages import DESKTOP, PHONE, PROJECT, SCHEMES, CheckoutTestCase


class OwnPage(CheckoutTestCase):
    def setUp(self) -> None:
        self.sandbox.reset()

    def page(self, scheme: str = "light", **given: Any) -> Page:
        page = self.tab(scheme, **given)
        # An error of the script fails the test.
        page.on("pageerror", lambda error: self.fail(f"the script: {error}"))
        page.goto(self.sandbox.base_url)
        page.locator("#live.good").wait_for()
        return page

    def state(self, page: Page, words: str) -> None:
        page.locator("#orders .badge").first.filter(has_text=words).wait_for()

    def test_orders_come_by_themselves_and_are_paid_failed_cancelled_and_refunded(self) -> None:
        page = self.page(**PHONE)
        self.assertIn("No orders yet.", page.inner_text("#orders"))
        page.get_by_role("button", name="Sample order").click()
        self.state(page, "Waiting for the customer")
        page.get_by_role("button", name="Let it fail").click()
        self.state(page, "Payment failed")
        page.get_by_role("button", name="Pay: ").click()
        self.state(page, "Paid")
        page.get_by_role("button", name="Refund").click()
        self.state(page, "Refunded")
        (sample,) = self.sandbox.orders()
        self.assertTrue(sample.refunded)
        # What a program does, also with the text that it chose.
        self.order(order_id="<b>O'1</b>")
        page.get_by_role("heading", name="<b>O'1</b>").wait_for()
        # With the keyboard only: the focus stays where the button was.
        page.get_by_role("button", name="Cancel: <b>O'1</b>").focus()
        page.keyboard.press("Enter")
        self.state(page, "Cancelled")
        self.assertEqual(page.evaluate("document.activeElement.tagName"), "LI")
        page.locator("#news").filter(has_text="is cancelled").wait_for(state="attached")
        # No path can have this one.
        self.order(order_id="..")
        page.get_by_role("button", name="Pay: ..", exact=True).click()
        page.locator("#news").filter(has_text="Order .. is paid").wait_for(state="attached")
        # Another page has changed the order first.
        self.order(order_id="O-2")
        paying = page.get_by_role("button", name="Pay: O-2")
        paying.wait_for()

        def too_late(route: Route) -> None:
            if route.request.method == "POST":
                self.sandbox.cancel("O-2")
            route.continue_()

        page.route("**/sandbox/orders", too_late)
        paying.click()
        problem = page.get_by_role("alert")
        problem.filter(has_text='"O-2" is Cancelled already').wait_for()

    def test_a_sample_order_gets_a_new_number_also_after_many_orders(self) -> None:
        for number in range(50):
            self.order(order_id=f"O-{number}")
        page = self.page()
        for last in ("SAMPLE-51", "SAMPLE-52"):
            page.reload()
            page.get_by_role("heading", name="O-49").wait_for()
            page.get_by_role("button", name="Sample order").click()
            page.get_by_role("heading", name=last).wait_for()

    def test_an_order_that_is_created_slowly_is_not_a_problem(self) -> None:
        self.sandbox.fault("create:1:slow=1")
        self.order(order_id="SLOW")
        request = self.page().locator("#requests li").filter(has_text="fault slow=1")
        self.assertEqual(request.locator(".words").inner_text(), "The order was created")

    def test_a_fault_is_chosen_shown_on_the_wire_and_lifted(self) -> None:
        page = self.page()
        page.get_by_label("Make this go wrong").select_option("create:drop-after-commit")
        page.get_by_role("button", name="Add the fault").click()
        lift = page.get_by_role("button", name="Lift create:1:drop-after-commit")
        lift.wait_for()
        with self.assertRaises(payorder.OutcomeUnknownError):
            self.order(order_id="LOST")
        request = page.locator("#requests li").filter(has_text="LOST")
        request.filter(has_text="The order was kept, and the connection was cut").wait_for()
        request.locator("summary").click()
        sent, received = request.locator("pre").all_inner_texts()
        self.assertIn("POST /api/v1/Gateway/CreateOrder HTTP/1.1\r\n", sent)
        self.assertIn("access-token: right\r\n", sent)
        self.assertIn('"orderId":"LOST"', sent)
        self.assertNotIn(self.sandbox.credentials["access_token"], sent)
        self.assertEqual(received, "Nothing: the connection was cut.")
        lift.click()
        lift.wait_for(state="detached")
        self.assertEqual(self.sandbox.fault_rules(), [])
        # A fault with a value, and one that does not exist.
        page.get_by_label("Make this go wrong").select_option("status:FIELD=VALUE")
        page.get_by_label("FIELD=VALUE").fill("amount=1.00")
        page.get_by_label("Which requests").select_option("*")
        page.get_by_label("Which requests").focus()
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        page.get_by_text("status:*:amount=1.00", exact=True).wait_for()
        page.get_by_label("FIELD=VALUE").fill("colour=red")
        page.get_by_role("button", name="Add the fault").click()
        page.get_by_role("alert").filter(has_text="is not a fault of this step").wait_for()

    def test_the_settings_are_for_every_language_and_work_as_they_are_copied(self) -> None:
        page = self.page()
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        languages = page.get_by_label("Language")
        names = languages.locator("option").all_inner_texts()
        readmes = (PROJECT / "bindings").glob("*/README.md")
        titles = [readme.read_text(encoding="utf-8").splitlines()[0] for readme in readmes]
        packages = {title[len("# payorder for ") :] for title in titles if " for " in title}
        self.assertLessEqual({*packages, "Shell", "C", "C++", "Rust"}, set(names))
        copied: Dict[str, str] = {}
        for name in names:
            languages.select_option(name)
            page.locator("#settings button").click()
            page.locator("#settings button").filter(has_text="Copied").wait_for()
            copied[name] = page.evaluate("navigator.clipboard.readText()")
            for unknown in ("ca.pem", "ACCESS_TOKEN=A", 'BASE_URL"', "insecure"):
                self.assertNotIn(unknown, copied[name])
        self.order(order_id="SET")
        names_in_python: Dict[str, Any] = {"payorder": payorder}
        exec(copied["Python"], names_in_python)
        with names_in_python["client"] as client:
            self.assertEqual(client.get_status(order_id="SET").order_id, "SET")
        shell = copied["Shell"] + "\npython3 -m payorder status SET --quiet"
        kept = {
            key: value
            for key, value in os.environ.items()
            if key[:9] != "PAYORDER_" or key == "PAYORDER_LIBRARY"
        }
        shown = subprocess.run(["bash", "-c", shell], env=kept, stdout=subprocess.PIPE, text=True)
        self.assertEqual(shown.stdout, "Pending\n")

    def test_it_keeps_the_rules_fits_a_phone_and_loads_nothing_else(self) -> None:
        for number in range(3):
            self.order(order_id=f"LOOK-{number}" + "LONG" * 20 * number)
        self.sandbox.pay("LOOK-0")
        self.sandbox.fault("status:*:slow=1")
        for screen in (DESKTOP, PHONE):
            for scheme in SCHEMES:
                with self.subTest(screen=screen, scheme=scheme):
                    page = self.page(scheme, **screen)
                    requested = set()
                    page.on("request", lambda request: requested.add(request.url))
                    page.reload()
                    page.locator("#requests summary").first.click()
                    self.check_rules(page)
                    self.check_width(page, screen)
                    own = [one.startswith((self.sandbox.base_url, "data:")) for one in requested]
                    self.assertTrue(own and all(own), requested)

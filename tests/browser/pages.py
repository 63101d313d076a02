"""What the tests share: Chromium, a sandbox, and a shop that uses the Python package."""

from __future__ import annotations

import re
import shutil
import unittest
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, List

import payorder
from axe_playwright_python.sync_playwright import Axe
from payorder_tools.testing import Sandbox
from playwright.sync_api import Browser, Error, Page, sync_playwright

PROJECT = Path(__file__).resolve().parents[2]
SCHEMES = ("light", "dark")


def screen(width: int, height: int, scale: float, phone: bool) -> Dict[str, Any]:
    size = {"width": width, "height": height}
    return {"viewport": size, "device_scale_factor": scale, "is_mobile": phone}


DESKTOP = screen(1280, 800, 1, False)
PHONE = screen(390, 844, 1.5, True)

_ARGUMENTS = [
    # Chromium's own sandbox does not work in a container or as root. These tests open only pages
    # of this project.
    "--no-sandbox",
    "--no-proxy-server",
    # No other host name is found.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
]


class BrowserTestCase(unittest.TestCase):
    browser: Browser
    chromium = shutil.which("chromium")
    arguments = _ARGUMENTS

    @classmethod
    def setUpClass(cls) -> None:
        playwright = sync_playwright().start()
        cls.addClassCleanup(playwright.stop)
        cls.browser = playwright.chromium.launch(
            executable_path=cls.chromium, args=cls.arguments
        )
        cls.addClassCleanup(cls.browser.close)

    def tab(self, scheme: str = "light", **given: Any) -> Page:
        """An empty tab with the given screen."""
        context = self.browser.new_context(color_scheme=scheme, **(given or DESKTOP))
        self.addCleanup(context.close)
        return context.new_page()

    def check_rules(self, page: Page) -> None:
        """That the page breaks no rule of axe-core, such as contrast and headings."""
        found = Axe().run(page).response
        self.assertTrue(found["passes"], "axe looked at nothing")
        faults = [*found["violations"], *found["incomplete"]]
        # Of what could not be judged, only the contrast is a fault.
        self.assertEqual(
            [
                f"{rule['id']}: {node['failureSummary']} in {node['html']}"
                for rule in faults
                if rule in found["violations"] or rule["id"] == "color-contrast"
                for node in rule["nodes"]
            ],
            [],
        )

    def check_width(self, page: Page, phone: Dict[str, Any]) -> None:
        width = page.evaluate("document.scrollingElement.scrollWidth")
        self.assertEqual(width, phone["viewport"]["width"])


AMOUNT = "249.50"
PAY = f"Pay {AMOUNT} INR"
FAIL = "Let it fail"
CANCEL = "Cancel"
BACK_TO_SHOP = "Back to the shop"


@dataclass(frozen=True)
class Return:
    """What the shop learns when the customer returns."""

    transaction_id: str
    status: payorder.Status
    payment: payorder.Verification


class CheckoutTestCase(BrowserTestCase):
    """A sandbox, and a shop that uses the Python package."""

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        cls.sandbox = Sandbox()
        cls.addClassCleanup(cls.sandbox.close)
        cls.client = cls.sandbox.client()
        cls.addClassCleanup(cls.client.close)
        cls.return_url = f"{cls.sandbox.base_url}/shop/return"
        cls.orders = 0

    @classmethod
    def order(cls, **own: Any) -> str:
        """The checkout URL of an order of two coffees, with these fields replaced."""
        cls.orders += 1
        fields = {
            "amount": AMOUNT,
            "merchant_txn_id": f"MTX-{cls.orders}",
            "order_id": f"ORD-{cls.orders}",
            "pay_mode": "all",
            "merchant_id": "M-1",
            "product_info": "Two coffees",
            "customer_name": "Asha Rao",
            "customer_mobile": "9000000001",
            "customer_email": "asha@example.com",
            "redirection_url": cls.return_url,
            "currency_code": "INR",
            **own,
        }
        return cls.client.create_order(**fields).url

    def opened(self, checkout_url: str, **given: Any) -> Page:
        page = self.tab(**given)
        page.goto(checkout_url)
        return page

    def press(self, page: Page, name: str) -> None:
        whole = re.compile(f"^{re.escape(name)}$")
        page.locator("button, a, label").filter(has_text=whole).click()

    def buttons(self, page: Page) -> List[str]:
        return page.locator("button, a, label").all_inner_texts()

    def come_back(self, page: Page) -> Return:
        """Reads the return URL in the browser, asks for the status, and verifies the payment."""
        try:
            page.wait_for_url(f"{self.return_url}?*")
        except Error as aborted:
            # A second click ends the navigation of the first, and begins one of its own.
            if "ERR_ABORTED" not in str(aborted):
                raise
            page.wait_for_url(f"{self.return_url}?*")
        named = payorder.parse_return_url(page.url)
        status = self.client.get_status(named)
        expected = payorder.ExpectedPayment(
            status.order_id, AMOUNT, named.transaction_id
        )
        payment = payorder.verify_payment(expected, status)
        return Return(named.transaction_id, status, payment)

    def press_and_come_back(self, page: Page, button: str) -> Return:
        self.press(page, button)
        return self.come_back(page)

    def check_paid_once(self, came_back: Return) -> None:
        """The order is paid by this transaction, and has no other one."""
        self.assertTrue(came_back.payment, came_back.payment.reasons)
        status = self.client.get_status(came_back.status.order_id)
        self.assertEqual(status.transaction_id, came_back.transaction_id)
        # The service numbers the transactions of all orders one after the other.
        following = self.press_and_come_back(self.opened(self.order()), PAY)
        numbers = [int(one.transaction_id[3:]) for one in (came_back, following)]
        self.assertEqual(numbers[0] + 1, numbers[1], "paid more than once")

"""Each page of the sandbox, on a desktop and on a phone, in light and dark mode."""

from __future__ import annotations

import os
import struct
from pathlib import Path
from typing import Dict, List, NamedTuple

from playwright.sync_api import Page

from .pages import (
    BACK_TO_SHOP,
    CANCEL,
    DESKTOP,
    FAIL,
    IMAGES,
    PAY,
    PHONE,
    SCHEMES,
    SMALL_PHONE,
    CheckoutTestCase,
)

#: The longest texts that a shop may send, without a place for a line break.
LONG = {
    "amount": "99999999999999999999999999.99",
    "currency_code": "CURRENCY" * 8,
    "order_id": "ORDER" * 20,
    "product_info": "Donaudampfschifffahrtsgesellschaft" * 6,
    "customer_name": "Wolfeschlegelsteinhausenbergerdorff" * 3,
    "customer_email": "a" * 64 + "@" + "b" * 60 + ".example",
}
#: The pictures in docs/images, and which page they show on a phone.
SHOWN = {"checkout.png": "open", "paid.png": "paid"}


class Shown(NamedTuple):
    title: str
    #: The only filled button, if there are buttons.
    main: str


PAGES = {
    "open": Shown(PAY, PAY),
    "one way to pay": Shown(PAY, PAY),
    "paid": Shown("Paid", BACK_TO_SHOP),
    "failed": Shown("Payment failed", PAY),
    "cancelled": Shown("Cancelled", BACK_TO_SHOP),
    "back at the shop": Shown("Back at the shop", ""),
    "unknown": Shown("Not found", ""),
}


class Look(CheckoutTestCase):
    def setUp(self) -> None:
        self.pages: Dict[str, str] = {}
        for name, button in (("paid", PAY), ("failed", FAIL), ("cancelled", CANCEL)):
            self.pages[name] = self.order()
            page = self.opened(self.pages[name])
            self.press_and_come_back(page, button)
        self.pages["back at the shop"] = page.url
        self.pages["open"] = self.order()
        self.pages["one way to pay"] = self.order(pay_mode="upi")
        self.pages["unknown"] = f"{self.sandbox.base_url}/checkout/4711"

    def test_each_page_keeps_the_rules_and_loads_nothing_else(self) -> None:
        for kind, screen in (("desktop", DESKTOP), ("phone", PHONE)):
            for scheme in SCHEMES:
                page = self.tab(scheme, **screen)
                complaints: List[str] = []
                requested: List[str] = []
                page.on("console", lambda message: complaints.append(message.text))
                page.on("pageerror", lambda error: complaints.append(str(error)))
                page.on("request", lambda request: requested.append(request.url))
                for name, shown in PAGES.items():
                    with self.subTest(page=name, screen=kind, scheme=scheme):
                        page.goto(self.pages[name])
                        self.keep_picture(page, name, kind, scheme)
                        self.check_page(page, shown)
                        self.check_rules(page)
                # Chromium logs the 404 of the unknown page.
                self.assertEqual(len(complaints), 1, complaints)
                self.assertIn("status of 404", complaints[0])
                others = [one for one in requested if not one.startswith("data:")]
                self.assertEqual(set(others), set(self.pages.values()))

    def check_page(self, page: Page, shown: Shown) -> None:
        self.assertEqual(page.title(), f"{shown.title} - payorder sandbox")
        self.assertEqual(page.evaluate("document.documentElement.lang"), "en")
        # The filled buttons, and whether they are visible without scrolling.
        filled = page.evaluate(
            """() => [...document.querySelectorAll('button, a')]
            .filter(one => getComputedStyle(one).backgroundColor !== 'rgba(0, 0, 0, 0)')
            .map(one => [one.innerText, one.getBoundingClientRect().bottom <= innerHeight])"""
        )
        self.assertEqual(filled, [[shown.main, True]] if shown.main else [])
        self.check_sizes(page, shown)

    def check_sizes(self, page: Page, shown: Shown) -> None:
        """Buttons and links are large enough for a finger."""
        sizes = page.evaluate(
            """() => [...document.querySelectorAll('button, a, label')].map(one => {
                const {width, height} = one.getBoundingClientRect();
                return [one.innerText, Math.min(width, height)];
            })"""
        )
        self.assertEqual([one for one in sizes if one[1] < 44], [])
        self.assertEqual(bool(sizes), bool(shown.main))

    def test_no_element_is_wider_than_a_small_phone(self) -> None:
        url = self.order(**LONG, redirection_url=f"{self.return_url}?b={'7' * 300}")
        page = self.opened(url, **SMALL_PHONE)
        self.press(page, FAIL)
        page.wait_for_url(f"{self.return_url}?*")
        for name, address in {**self.pages, "long": url, "back": page.url}.items():
            with self.subTest(page=name):
                page.goto(address)
                if name in PAGES:
                    self.check_sizes(page, PAGES[name])
                # Only in the body: a phone widens the page itself for an element that is too wide.
                hanging = page.evaluate(
                    """width => [...document.body.querySelectorAll('*')]
                    .filter(one => one.getBoundingClientRect().right > width
                        || one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0)
                    .map(one => one.outerHTML.slice(0, 200))""",
                    SMALL_PHONE["viewport"]["width"],
                )
                self.assertEqual(hanging, [])
                self.check_width(page, SMALL_PHONE)

    def test_the_pictures_in_the_docs_have_the_size_of_a_phone_and_are_small(
        self,
    ) -> None:
        size, scale = PHONE["viewport"], PHONE["device_scale_factor"]
        expected = (size["width"] * scale, size["height"] * scale)
        for file_name in SHOWN:
            picture = (IMAGES / file_name).read_bytes()
            self.assertEqual(struct.unpack(">II", picture[16:24]), expected, file_name)
            self.assertLess(len(picture), 80_000, file_name)

    def keep_picture(self, page: Page, name: str, kind: str, scheme: str) -> None:
        folder = os.environ.get("PAYORDER_KEEP_PICTURES")
        if not folder:
            return
        picture = page.screenshot()
        file = f"{name.replace(' ', '-')}-{kind}-{scheme}.png"
        Path(folder, file).write_bytes(picture)
        for file_name, shown in SHOWN.items():
            if (name, kind, scheme) == (shown, "phone", "light"):
                (IMAGES / file_name).write_bytes(picture)

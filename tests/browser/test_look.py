"""Each page, on a desktop and on a phone, in light and dark mode."""

from __future__ import annotations

import os
import struct
from pathlib import Path
from typing import Dict

from . import axe
from .checkout_case import BACK_TO_SHOP, CANCEL, FAIL, PAY, CheckoutTestCase
from .chromium import DESKTOP, PHONE, SMALL_PHONE

#: The longest texts that a shop may send, without a place for a line break.
LONG = {
    "amount": "99999999999999999999999999.99",
    "currency_code": "CURRENCY" * 8,
    "order_id": "ORDER" * 20,
    "product_info": "Donaudampfschifffahrtsgesellschaft" * 6,
    "customer_name": "Wolfeschlegelsteinhausenbergerdorff" * 3,
    "customer_email": "a" * 64 + "@" + "b" * 60 + ".example",
}
SCHEMES = ("light", "dark")
IMAGES = Path(__file__).resolve().parents[2] / "docs" / "images"
#: The pictures in docs/images, and which page they show on a phone.
SHOWN = {"checkout.png": "open", "paid.png": "paid"}


class Look(CheckoutTestCase):
    pages: Dict[str, str]

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        cls.pages = {}
        for name, button in (
            ("open", None),
            ("paid", PAY),
            ("failed", FAIL),
            ("cancelled", CANCEL),
        ):
            order = cls.shop.order()
            cls.pages[name] = order.checkout_url
            if button is not None:
                cls.browser.open(order.checkout_url)
                cls.browser.press(button)
                cls.pages["back at the shop"] = cls.browser.wait_for_address(
                    cls.shop.return_url
                )
        cls.pages["one way to pay"] = cls.shop.order(pay_mode="upi").checkout_url
        cls.pages["unknown"] = f"{cls.sandbox.base_url}/checkout/4711"

    def test_each_page_breaks_no_rule_in_light_and_dark_mode(self) -> None:
        for scheme in SCHEMES:
            self.browser.screen(PHONE, scheme)
            for name, address in self.pages.items():
                with self.subTest(page=name, scheme=scheme):
                    self.browser.open(address)
                    self.assertEqual(axe.faults(self.browser), [])

    def test_each_page_has_a_title_and_a_language(self) -> None:
        titles = {
            "open": "Pay 249.50 INR",
            "one way to pay": "Pay 249.50 INR",
            "paid": "Paid",
            "failed": "Payment failed",
            "cancelled": "Cancelled",
            "back at the shop": "Back at the shop",
            "unknown": "Not found",
        }
        for name, address in self.pages.items():
            with self.subTest(page=name):
                self.browser.open(address)
                self.assertEqual(
                    self.browser.title, f"{titles[name]} - payorder sandbox"
                )
                self.assertEqual(
                    self.browser.run("return document.documentElement.lang"), "en"
                )

    def test_no_element_is_wider_than_a_small_phone(self) -> None:
        order = self.shop.order(
            **LONG, redirection_url=f"{self.shop.return_url}?basket={'7' * 300}"
        )
        self.browser.open(order.checkout_url)
        self.browser.press(FAIL)
        returned = self.browser.wait_for_address(self.shop.return_url)
        self.browser.screen(SMALL_PHONE)
        for name, address in {
            **self.pages,
            "long": order.checkout_url,
            "long at the shop": returned,
        }.items():
            with self.subTest(page=name):
                self.browser.open(address)
                # Only in the body: a phone widens the page itself for an element that is too wide.
                hanging = self.browser.run(
                    """
                    return [...document.body.querySelectorAll('*')]
                        .filter(element => element.getBoundingClientRect().right > arguments[0]
                            || element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0)
                        .map(element => element.outerHTML.slice(0, 200));
                    """,
                    SMALL_PHONE[0],
                )
                self.assertEqual(hanging, [])
                self.assertEqual(
                    self.browser.run("return document.scrollingElement.scrollWidth"),
                    SMALL_PHONE[0],
                )

    def test_buttons_and_links_are_large_enough_for_a_finger(self) -> None:
        for screen in (DESKTOP, SMALL_PHONE):
            self.browser.screen(screen)
            for name, address in self.pages.items():
                with self.subTest(page=name, screen=screen):
                    self.browser.open(address)
                    sizes = self.browser.run(
                        """
                        return [...document.querySelectorAll('button, a, label')].map(element => {
                            const {width, height} = element.getBoundingClientRect();
                            return [element.innerText, Math.min(width, height)];
                        });
                        """
                    )
                    self.assertEqual([one for one in sizes if one[1] < 44], [])
                    self.assertEqual(
                        bool(sizes), name not in ("back at the shop", "unknown")
                    )

    def test_the_main_button_is_visible_and_the_only_filled_one(self) -> None:
        first = {
            "open": PAY,
            "failed": PAY,
            "one way to pay": PAY,
            "paid": BACK_TO_SHOP,
            "cancelled": BACK_TO_SHOP,
        }
        for kind, screen in (("desktop", DESKTOP), ("phone", PHONE)):
            for scheme in SCHEMES:
                self.browser.screen(screen, scheme)
                for name, address in self.pages.items():
                    with self.subTest(page=name, screen=kind, scheme=scheme):
                        self.browser.open(address)
                        self.keep_picture(name, kind, scheme)
                        # The filled ones, and whether they are visible without scrolling.
                        filled = self.browser.run(
                            """
                            return [...document.querySelectorAll('button, a')]
                                .filter(element => getComputedStyle(element).backgroundColor !== 'rgba(0, 0, 0, 0)')
                                .map(element => [element.innerText, element.getBoundingClientRect().bottom <= innerHeight]);
                            """
                        )
                        self.assertEqual(
                            filled, [[first[name], True]] if name in first else []
                        )

    def test_no_page_logs_an_error_or_requests_another_host(self) -> None:
        self.browser.complaints()
        self.browser.requested()
        for address in self.pages.values():
            self.browser.open(address)
        # Chromium logs the 404 of the unknown page.
        expected = f"{self.pages['unknown']} - Failed to load resource: the server responded with a status of 404 (Not Found)"
        self.assertEqual(self.browser.complaints(), [expected])
        asked = self.browser.requested()
        self.assertEqual(
            {address for address in asked if not address.startswith("data:")},
            set(self.pages.values()),
        )

    def test_the_pictures_in_the_docs_have_the_size_of_a_phone_and_are_small(
        self,
    ) -> None:
        for file_name in SHOWN:
            picture = (IMAGES / file_name).read_bytes()
            width, height, scale, _ = PHONE
            self.assertEqual(
                struct.unpack(">II", picture[16:24]),
                (width * scale, height * scale),
                file_name,
            )
            self.assertLess(len(picture), 80_000, file_name)

    def keep_picture(self, name: str, kind: str, scheme: str) -> None:
        folder = os.environ.get("PAYORDER_KEEP_PICTURES")
        if not folder:
            return
        picture = self.browser.picture()
        Path(folder, f"{name.replace(' ', '-')}-{kind}-{scheme}.png").write_bytes(
            picture
        )
        for file_name, shown in SHOWN.items():
            if (name, kind, scheme) == (shown, "phone", "light"):
                (IMAGES / file_name).write_bytes(picture)

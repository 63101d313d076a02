"""Each page of the sandbox, on a desktop and on a phone, in light and dark mode."""

from __future__ import annotations

from typing import Dict, List

from .pages import (
    CANCEL,
    DESKTOP,
    FAIL,
    PAY,
    PHONE,
    SCHEMES,
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


class Look(CheckoutTestCase):
    def addresses(self) -> Dict[str, str]:
        found = {"open": self.order(), "long": self.order(**LONG)}
        for name, button in (("paid", PAY), ("failed", FAIL), ("cancelled", CANCEL)):
            found[name] = self.order()
            page = self.opened(found[name])
            self.press_and_come_back(page, button)
        found["back at the shop"] = page.url
        found["unknown"] = f"{self.sandbox.base_url}/checkout/4711"
        return found

    def test_each_page_keeps_the_rules_fits_and_loads_nothing_else(self) -> None:
        addresses = self.addresses()
        for kind, screen in (("desktop", DESKTOP), ("phone", PHONE)):
            for scheme in SCHEMES:
                page = self.tab(scheme, **screen)
                requested: List[str] = []
                page.on("request", lambda request: requested.append(request.url))
                for name, address in addresses.items():
                    with self.subTest(page=name, screen=kind, scheme=scheme):
                        page.goto(address)
                        self.check_rules(page)
                        self.check_width(page, screen)
                others = [one for one in requested if not one.startswith("data:")]
                self.assertEqual(set(others), set(addresses.values()))

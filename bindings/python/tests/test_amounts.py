from __future__ import annotations

import json
import unittest
from decimal import Decimal
from typing import Any

import payorder

from .service import ORDER, WIRE_ORDER


def sent(amount: Any) -> str:
    body = json.loads(payorder.build_create_order(**{**ORDER, "amount": amount}))
    text: str = body["amount"]
    return text


class Amounts(unittest.TestCase):
    def test_a_decimal_is_sent_as_plain_digits(self) -> None:
        for amount, text in (
            (Decimal("100.00"), "100.00"),
            (Decimal("1E+2"), "100"),
            (Decimal("1.000000000000000000001"), "1.000000000000000000001"),
            (Decimal("0.1") * 3 + 1, "1.3"),
        ):
            self.assertEqual(sent(amount), text)

    def test_what_is_not_an_amount_is_refused_with_the_reason(self) -> None:
        for amount, kind, words in (
            (100.0, TypeError, "float.*exactly.*Decimal"),
            (10000, TypeError, "an int.*hundredths"),
            (True, TypeError, "a bool"),
            (["100"], TypeError, "not list"),
            (Decimal("NaN"), ValueError, "not a number"),
            (Decimal("sNaN"), ValueError, "not a number"),
            (Decimal("-Infinity"), ValueError, "not a number"),
            (Decimal("1E+999999"), ValueError, "exponent"),
            (Decimal("0E-999999"), ValueError, "exponent"),
        ):
            with self.subTest(amount), self.assertRaisesRegex(kind, words):
                sent(amount)

    def test_no_other_way_takes_a_float(self) -> None:
        expected = {"orderId": "ORD-1", "amount": 100.0}
        for call in (
            lambda: payorder.build_create_order({**WIRE_ORDER, "amount": 100.0}),
            lambda: payorder.verify_payment(expected, "{}"),
        ):
            with self.assertRaisesRegex(TypeError, "float.*exactly.*Decimal"):
                call()


if __name__ == "__main__":
    unittest.main()

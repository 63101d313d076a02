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
    def test_text_is_sent_unchanged(self) -> None:
        for text in ("1", "100.00", "0001.10", "12345678901234567890.123456789"):
            self.assertEqual(sent(text), text)

    def test_a_decimal_is_sent_as_plain_digits(self) -> None:
        for amount, text in (
            (Decimal("100.00"), "100.00"),
            (Decimal("1E+2"), "100"),
            (Decimal("1.000000000000000000001"), "1.000000000000000000001"),
            (Decimal("12345E-2"), "123.45"),
            (Decimal("0.1") * 3 + 1, "1.3"),
        ):
            self.assertEqual(sent(amount), text)

    def test_a_float_is_refused_with_the_reason(self) -> None:
        for call in (
            lambda: sent(100.0),
            lambda: payorder.build_create_order({**WIRE_ORDER, "amount": 100.0}),
            lambda: payorder.verify_payment(
                {"orderId": "ORD-1", "amount": 100.0}, "{}"
            ),
        ):
            with self.assertRaisesRegex(TypeError, "float.*exactly.*Decimal"):
                call()

    def test_an_int_is_refused_because_it_may_count_hundredths(self) -> None:
        with self.assertRaisesRegex(TypeError, "an int.*hundredths"):
            sent(10000)
        with self.assertRaisesRegex(TypeError, "a bool"):
            sent(True)

    def test_other_types_are_refused(self) -> None:
        with self.assertRaisesRegex(TypeError, "not list"):
            sent(["100"])

    def test_a_decimal_that_is_not_an_amount_is_refused(self) -> None:
        for text in ("NaN", "sNaN", "Infinity", "-Infinity"):
            with self.assertRaisesRegex(ValueError, "not a number"):
                sent(Decimal(text))

    def test_a_large_exponent_is_refused(self) -> None:
        for text in ("1E+999999", "1E-999999", "0E-999999"):
            with self.assertRaisesRegex(ValueError, "exponent"):
                sent(Decimal(text))

    def test_a_negative_decimal_is_refused_by_the_library(self) -> None:
        with self.assertRaises(payorder.UnusableTextError) as caught:
            sent(Decimal("-5"))
        self.assertEqual(
            [(one.field, one.rule) for one in caught.exception.violations],
            [("amount", "decimal")],
        )


if __name__ == "__main__":
    unittest.main()

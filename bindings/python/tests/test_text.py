from __future__ import annotations

import json
import unittest

import payorder
from payorder._text import wire_name

from .service import ORDER, STATUS


class Text(unittest.TestCase):
    def test_a_nul_never_cuts_a_string_short(self) -> None:
        with self.assertRaisesRegex(ValueError, "url.*NUL"):
            payorder.parse_return_url("https://shop.example.com/?txn=T\0&txn=U")
        with self.assertRaisesRegex(ValueError, "status.*NUL"):
            payorder.verify_payment(
                {"orderId": "ORD-1", "amount": "1"}, json.dumps(STATUS) + "\0"
            )
        body = payorder.build_create_order(**{**ORDER, "product_info": "a\0b"})
        self.assertEqual(json.loads(body)["productInfo"], "a\0b")

    def test_half_a_surrogate_pair_is_refused_with_its_fields_name(self) -> None:
        with self.assertRaisesRegex(ValueError, "customer_name.*surrogate") as caught:
            payorder.build_create_order(**{**ORDER, "customer_name": "Asha \ud83d"})
        self.assertNotIn("Asha", str(caught.exception))
        with self.assertRaisesRegex(ValueError, "extra_fields.*surrogate"):
            payorder.build_create_order(extra_fields={"note": "\udc00"}, **ORDER)
        with self.assertRaisesRegex(ValueError, "url.*surrogate"):
            payorder.parse_return_url("https://shop.example.com/?txn=\udc00")

    def test_a_value_without_json_is_refused_with_its_fields_name(self) -> None:
        with self.assertRaisesRegex(ValueError, "^timeout_ms: .*float"):
            payorder.Client("http://127.0.0.1:1", timeout_ms=float("nan"))  # type: ignore[arg-type]
        with self.assertRaisesRegex(TypeError, "^product_info: .*object"):
            payorder.build_create_order({**ORDER, "productInfo": object()})

    def test_text_of_every_unicode_plane_is_sent_unchanged(self) -> None:
        text = 'चाय ☕ 🫖 \u2028 " \\ \x7f'
        self.assertEqual(
            json.loads(payorder.build_create_order(**{**ORDER, "product_info": text}))[
                "productInfo"
            ],
            text,
        )

    def test_a_type_that_json_does_not_have_is_a_type_error(self) -> None:
        for value in (object(), b"bytes", {1, 2}):
            with self.assertRaises(TypeError):
                payorder.build_create_order({"orderId": value})
        with self.assertRaises(ValueError):
            payorder.build_create_order({"orderId": float("nan")})

    def test_names_are_those_of_the_wire(self) -> None:
        for name, wire in (
            ("amount", "amount"),
            ("merchant_txn_id", "merchantTxnId"),
            ("redirection_url", "redirectionURL"),
            ("return_url_field", "returnUrlField"),
        ):
            self.assertEqual(wire_name(name), wire)


if __name__ == "__main__":
    unittest.main()

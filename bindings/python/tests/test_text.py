from __future__ import annotations

import json
import unittest
from types import MappingProxyType

import payorder

from .service import ORDER, STATUS, WIRE_ORDER


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
        with self.assertRaisesRegex(ValueError, "^create_retries: .*float"):
            payorder.Client("http://127.0.0.1:1", create_retries=float("nan"))  # type: ignore[arg-type]
        for value in (object(), b"bytes", {1, 2}):
            with self.assertRaisesRegex(TypeError, "^product_info: .*"):
                payorder.build_create_order({**ORDER, "product_info": value})

    def test_a_mapping_and_keyword_arguments_give_the_same_order(self) -> None:
        body = payorder.build_create_order(**ORDER)
        self.assertEqual(json.loads(body), WIRE_ORDER)
        backwards = dict(reversed(list(WIRE_ORDER.items())))
        for order in (ORDER, WIRE_ORDER, backwards, MappingProxyType(WIRE_ORDER)):
            self.assertEqual(payorder.build_create_order(order), body)
        with self.assertRaisesRegex(TypeError, "not as both"):
            payorder.build_create_order(WIRE_ORDER, order_id="ORD-1")


if __name__ == "__main__":
    unittest.main()

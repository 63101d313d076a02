from __future__ import annotations

import json
import unittest
from types import MappingProxyType

import payorder
from payorder._text import c_json, wire_name

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
        with self.assertRaisesRegex(TypeError, "^product_info: .*object"):
            payorder.build_create_order({**ORDER, "product_info": object()})

    def test_text_of_every_unicode_plane_is_sent_unchanged(self) -> None:
        text = 'चाय ☕ 🫖 \u2028 " \\ \x7f'
        self.assertEqual(
            json.loads(payorder.build_create_order(**{**ORDER, "product_info": text}))[
                "productInfo"
            ],
            text,
        )

    def test_every_value_is_written_as_json(self) -> None:
        for value in (
            {"text": 'a "\\ \0\n ☕', "whole": -(10**30), "zero": 0},
            {"true": True, "false": False, "null": None, "number": 0.5},
            {"list": ["a", 1, {}], "inner": {"a": {"b": "c"}}, "text": "a"},
            {'na"me': "a", "": ""},
            {},
        ):
            self.assertEqual(json.loads(c_json(value, "value")), value)
        self.assertEqual(
            json.loads(c_json({1: "a", None: 2}, "value")), {"1": "a", "null": 2}
        )  # type: ignore[dict-item]

    def test_no_unknown_field_of_a_mapping_is_dropped(self) -> None:
        eleven = {**WIRE_ORDER, "product": "Tea"}
        del eleven["productInfo"]
        for order, expected in (
            (
                eleven,
                {("product", "unknown_field"), ("productInfo", "required")},
            ),
            ({**WIRE_ORDER, "note": "a"}, {("note", "unknown_field")}),
        ):
            with self.assertRaises(payorder.UnusableTextError) as caught:
                payorder.build_create_order(order)
            violations = {(one.field, one.rule) for one in caught.exception.violations}
            self.assertEqual(violations, expected)

    def test_a_mapping_and_keyword_arguments_give_the_same_order(self) -> None:
        body = payorder.build_create_order(**ORDER)
        self.assertEqual(json.loads(body), WIRE_ORDER)
        backwards = dict(reversed(list(WIRE_ORDER.items())))
        for order in (WIRE_ORDER, backwards, MappingProxyType(WIRE_ORDER)):
            self.assertEqual(payorder.build_create_order(order), body)
        with self.assertRaisesRegex(TypeError, "not as both"):
            payorder.build_create_order(WIRE_ORDER, order_id="ORD-1")

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

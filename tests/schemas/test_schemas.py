"""The schemas agree with the library, and the generated client with the sandbox."""

import json
import os
import tempfile
import unittest
from pathlib import Path
from typing import Any, Callable, Dict

import generated
import jsonschema
from generated.api.default import create_order, get_status
from generated.models import Order, StatusRequest
from payorder import PayorderError
from payorder._calls import call_library
from payorder._handles import ClientHandle
from payorder._library import library
from payorder_tools.testing import Sandbox

ORDER = {
    "amount": "249.50",
    "merchantTxnId": "T-1",
    "orderId": "O-1",
    "payMode": "upi",
    "merchantId": "M-1",
    "productInfo": "tea",
    "customerName": "A. Customer",
    "customerMobile": "9999999999",
    "customerEmail": "a@example.com",
    "redirectionURL": "https://shop.example/return",
    "currencyCode": "INR",
}


def validator(name: str) -> Any:
    path = Path(os.environ["SCHEMAS"], f"{name}.schema.json")
    schema = json.loads(path.read_text(encoding="utf-8"))
    kind = jsonschema.validators.validator_for(schema)
    kind.check_schema(schema)
    return kind(schema)


def read_configuration(text: bytes) -> None:
    ClientHandle(library.payorder_client_new, text)


def read_order(text: bytes) -> None:
    call_library(library.payorder_build_create_order, text, None)


def read_query(text: bytes) -> None:
    call_library(library.payorder_build_get_status, text)


def camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(one.title() for one in others)


class Written(unittest.TestCase):
    """What programs write: the library refuses what a schema refuses."""

    def agree(self, name: str, read: Callable[[bytes], None], value: Any, valid: bool) -> None:
        with self.subTest(schema=name, value=value):
            self.assertIs(validator(name).is_valid(value), valid)
            try:
                read(json.dumps(value).encode())
            except PayorderError:
                self.assertFalse(valid)
            else:
                self.assertTrue(valid)

    def test_configurations(self) -> None:
        base = {"baseUrl": "https://pay.example.com", "accessToken": "secret"}
        changes: Dict[str, Any] = {
            "tls": [{"roots": "both"}, {}, {"roots": "all"}, {"root": "both"}],
            "timeoutMs": [1, 600000, 0, 600001, "30000", None],
            "headers": [{"X-Till": "7"}, {}, {"X-Till": 7}, ["X-Till"]],
            "checkoutHosts": [["pay.example.com"], [], [1], "pay.example.com"],
            "quoteResponses": [True, "true"],
            "userAgent": ["till", ""],
            "baseURL": ["https://pay.example.com"],
        }
        valid = [
            {"tls": {"roots": "both"}},
            {"tls": {}},
            {"timeoutMs": 1},
            {"timeoutMs": 600000},
            {"headers": {"X-Till": "7"}},
            {"headers": {}},
            {"checkoutHosts": ["pay.example.com"]},
            {"quoteResponses": True},
            {"userAgent": "till"},
        ]

        self.agree("configuration", read_configuration, {}, False)
        for key, values in changes.items():
            for value in values:
                # True is 1 for Python.
                known = any(json.dumps({key: value}) == json.dumps(one) for one in valid)
                self.agree("configuration", read_configuration, {**base, key: value}, known)

    def test_orders_and_queries(self) -> None:
        self.agree("order", read_order, ORDER, True)
        for change in ({"payMode": "cash"}, {"orderId": ""}, {"amount": 249.5}, {"note": "x"}):
            self.agree("order", read_order, {**ORDER, **change}, False)
        for name in ORDER:
            short = {key: value for key, value in ORDER.items() if key != name}
            self.agree("order", read_order, short, False)
        for query, valid in (
            ({"orderId": "O-1"}, True),
            ({"searchType": "2", "transactionId": "T-1"}, True),
            ({}, False),
            ({"searchType": "1"}, False),
            ({"orderId": 1}, False),
            ({"order": "O-1"}, False),
            ({"orderId": "O-1", "transactionId": ""}, True),
            ({"searchType": "1", "orderId": "O-1", "transactionId": "T-1"}, True),
            ({"searchType": "2", "orderId": "", "transactionId": "T-1"}, True),
            ({"searchType": "2", "orderId": "O-1", "transactionId": ""}, False),
            ({"searchType": "3", "orderId": "O-1"}, False),
            ({"orderId": ""}, False),
            ({"orderId": "", "transactionId": None}, False),
            ({"orderId": "O-1", "transactionId": "T-1"}, False),
        ):
            self.agree("query", read_query, query, valid)


class Read(unittest.TestCase):
    """What the library gives."""

    def test_what_a_sale_gives_is_valid(self) -> None:
        with tempfile.TemporaryDirectory() as folder, Sandbox() as sandbox:
            settings = {camel(key): value for key, value in sandbox.credentials.items()}
            settings.update(baseUrl=sandbox.base_url, journal=f"{folder}/journal.db")
            client = ClientHandle(library.payorder_client_new, json.dumps(settings).encode())

            def ask(function: str, *arguments: object) -> Any:
                given = [json.dumps(one).encode() if one else None for one in arguments]
                called = getattr(library, f"payorder_{function}")
                return json.loads(call_library(called, client.pointer, *given))

            validator("checkout").validate(ask("create_order", ORDER, None))
            sandbox.pay("O-1")
            status = ask("get_status", {"orderId": "O-1"}, None)
            validator("status").validate(status)
            status["data"]["amount"] = 249.5
            self.assertFalse(validator("status").is_valid(status))
            validator("entries").validate(ask("journal_list", {"events": True}))
            with self.assertRaises(PayorderError) as refused:
                ask("create_order", {**ORDER, "payMode": "cash"}, None)
            self.assertTrue(refused.exception.violations)
            validator("error").validate(json.loads(refused.exception.raw))
            with self.assertRaises(PayorderError) as duplicate:
                ask("create_order", ORDER, None)
            validator("error").validate(json.loads(duplicate.exception.raw))


class GeneratedClient(unittest.TestCase):
    def test_it_sells_in_the_sandbox(self) -> None:
        with Sandbox() as sandbox:
            headers = {
                "ACCESS-TOKEN": sandbox.credentials["access_token"],
                "X-CLIENT-KEY": sandbox.credentials["client_key"],
                "X-CLIENT-ID": sandbox.credentials["client_id"],
                "X-SECRET-KEY": sandbox.credentials["secret_key"],
            }
            scheme = json.loads(
                Path(os.environ["SCHEMAS"], "openapi.json").read_text(encoding="utf-8")
            )["components"]["securitySchemes"]
            self.assertEqual({one["name"] for one in scheme.values()}, set(headers))
            # The parameters of the generated calls have the type of a client with one token.
            client: Any = generated.Client(base_url=sandbox.base_url, headers=headers)
            checkout = create_order.sync(client=client, body=Order.from_dict(ORDER))
            assert checkout is not None
            self.assertTrue(checkout.data.url.startswith(sandbox.base_url))
            sandbox.pay("O-1")
            query = StatusRequest.from_dict({"searchType": "1", "orderId": "O-1"})
            status = get_status.sync(client=client, body=query)
            assert status is not None
            self.assertEqual(status.data.transaction_status, "Completed")
            self.assertEqual(status.data.amount, "249.50")


if __name__ == "__main__":
    unittest.main()

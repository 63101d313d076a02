from __future__ import annotations

import copy
import json
import pickle
import tempfile
from pathlib import Path
from typing import Any, Dict

import payorder
from payorder.configuration import Config

from .counted import CountedTestCase
from .service import (
    served,
    CHECKOUT_URL,
    CREATED,
    CREDENTIALS,
    ORDER,
    STATUS,
    WIRE_ORDER,
    Answer,
)


class Calls(CountedTestCase):
    def test_every_form_of_a_query_is_checked_by_the_library(self) -> None:
        with served(Answer("", 404), STATUS) as (service, client):
            with self.assertRaises(payorder.RejectedError) as refused:
                client.get_status(transaction_id="TXN-1")
            client.get_status(pickle.loads(pickle.dumps(refused.exception)))
            client.get_status(payorder.parse_return_url("?txn=TXN-1").status_query)
            client.get_status(payorder.parse_return_url("?txn=TXN-1"))
            for query in ("ORD-1", {"orderId": "ORD-1"}, {"order_id": "ORD-1"}):
                client.get_status(query)
            client.get_status(search_type="1", order_id="ORD-1", transaction_id="TXN-1")
            with self.assertRaises(payorder.InvalidRequestError) as caught:
                client.get_status(order_id="ORD-1", transaction_id="TXN-1")
        by_transaction = {"searchType": "2", "orderId": "", "transactionId": "TXN-1"}
        by_order = {"searchType": "1", "orderId": "ORD-1"}
        self.assertEqual(
            [json.loads(request.body) for request in service.requests],
            [by_transaction] * 4 + [by_order] * 4,
        )
        self.assertIn("conflict", {one.rule for one in caught.exception.violations})

    def test_an_unknown_keyword_is_a_type_error(self) -> None:
        arguments: Dict[str, Any] = {"amout": "1"}
        with payorder.Client("http://127.0.0.1:9", **CREDENTIALS) as client:
            with self.assertRaisesRegex(TypeError, "create_order.*'amout'"):
                client.create_order(**arguments)
            arguments = {"resend": True}
            with self.assertRaisesRegex(TypeError, "get_status.*'resend'"):
                client.get_status(order_id="ORD-1", **arguments)
        arguments = {"time_out": 1}
        with self.assertRaisesRegex(TypeError, "'time_out'"):
            payorder.Client("http://127.0.0.1:9", **arguments)

    def test_an_order_given_twice_is_a_type_error(self) -> None:
        with payorder.Client("http://127.0.0.1:9", **CREDENTIALS) as client:
            with self.assertRaisesRegex(TypeError, "not as both"):
                client.create_order(WIRE_ORDER, amount="2")  # type: ignore[call-overload]
            with self.assertRaisesRegex(TypeError, "not as both"):
                client.get_status({"orderId": "ORD-1"}, order_id="ORD-1")
            with self.assertRaisesRegex(TypeError, "under two names"):
                client.create_order({**WIRE_ORDER, "order_id": "ORD-2"})
            text: Any = "ORD-1"
            with self.assertRaisesRegex(TypeError, "mapping, not str"):
                client.create_order(text)
            number: Any = 7
            with self.assertRaisesRegex(TypeError, "an order id, a mapping.*not int"):
                client.get_status(number)


class Settings(CountedTestCase):
    def test_every_setting_is_passed_to_the_library(self) -> None:
        broken: Dict[str, Any] = {
            "access_token": " padded ",
            "client_key": " padded ",
            "client_id": " padded ",
            "secret_key": " padded ",
            "timeout": 0,
            "connect_timeout": 0,
            "create_retries": 11,
            "status_retries": 11,
            "max_idle": -1,
            "max_response_bytes": 1,
            "proxy": "::",
            "tls": {"roots": "none"},
            "allow_insecure_http": "yes",
            "checkout_hosts": "checkout.example.com",
            "return_url_field": "amount",
            "user_agent": "two\nlines",
            "journal": "/no/such/folder/orders.sqlite",
        }
        self.assertEqual(set(broken), set(Config.__annotations__))
        for name, value in broken.items():
            with self.subTest(name), self.assertRaisesRegex(
                payorder.InvalidConfigError, rf"\b{name}\b"
            ):
                payorder.Client("https://pay.example.com", **{name: value})

    def test_settings_that_are_none_are_left_out(self) -> None:
        nothing: Dict[str, Any] = dict.fromkeys(Config.__annotations__)
        payorder.Client("https://pay.example.com", **nothing).close()
        missing: Any = None
        with self.assertRaisesRegex(payorder.InvalidConfigError, "base_url"):
            payorder.Client(missing)

    def test_tls_may_be_a_config_or_a_mapping_and_have_paths(self) -> None:
        folder = Path(tempfile.gettempdir())
        for tls in (
            payorder.TlsConfig(ca_file=folder / "no-such-ca.pem"),
            {"caFile": str(folder / "no-such-ca.pem")},
            {"caFile": folder / "no-such-ca.pem"},
        ):
            with self.assertRaisesRegex(payorder.InvalidConfigError, "ca_file"):
                payorder.Client("https://pay.example.com", tls=tls)
        payorder.Client(
            "https://pay.example.com", tls=payorder.TlsConfig(roots="bundled")
        ).close()

    def test_a_client_shows_no_credential(self) -> None:
        with payorder.Client("https://pay.example.com", **CREDENTIALS) as client:
            self.assertEqual(
                (repr(client), str(client)),
                ("<payorder.Client of https://pay.example.com>",) * 2,
            )


class Lifetime(CountedTestCase):
    def test_a_client_cannot_be_pickled_or_copied(self) -> None:
        with payorder.Client("https://pay.example.com") as client:
            for attempt in (pickle.dumps, copy.copy, copy.deepcopy):
                with self.assertRaisesRegex(
                    TypeError, "Client cannot be pickled or copied"
                ):
                    attempt(client)

    def test_a_stopped_client_sends_nothing_more(self) -> None:
        with served(CREATED) as (service, client):
            client.stop()
            with self.assertRaises(payorder.CancelledError) as caught:
                client.create_order(**ORDER)
        self.assertEqual(caught.exception.cause, "client_stopped")
        self.assertEqual(service.requests, [])
        with self.assertRaises(payorder.InvalidHandleError):
            client.stop()

    def test_new_credentials_are_used_by_later_calls(self) -> None:
        with served(CREATED) as (service, client):
            with self.assertRaises(payorder.InvalidConfigError):
                client.set_credentials(access_token=" padded ")
            client.set_credentials(access_token="token-new")
            client.create_order(**ORDER)
        self.assertEqual(service.requests[0].headers["access-token"], "token-new")

    def test_the_url_of_an_unclear_refusal_is_not_lost(self) -> None:
        refused = {**CREATED, "responseCode": "409"}
        with served(Answer(refused, 400)) as (service, client):
            with self.assertRaises(payorder.OutcomeUnknownError) as caught:
                client.create_order(**ORDER)
        self.assertEqual(caught.exception.checkout_url, CHECKOUT_URL)

"""What Python programs may give to a call: what is passed on as it is, and what is refused."""

from __future__ import annotations

import copy
import json
import os
import pickle
import tempfile
from decimal import Decimal
from pathlib import Path
from types import MappingProxyType
from typing import Any, Callable, Dict, List, Type
from unittest import mock

import payorder
from payorder import aio
from payorder.client import Prepares
from payorder.configuration import (
    CA_VARIABLE,
    FILE_VARIABLE,
    VARIABLES,
    Config,
    wire_settings,
)
from payorder_tools.command import settings as command

from .support import CREDENTIALS, ORDER, STATUS, WIRE_ORDER, CountedTestCase, served

#: Functions that take anything here.
build: Any = payorder.build_create_order
verify: Any = payorder.verify_payment
new: Any = payorder.Client
from_env: Any = payorder.Client.from_env
NAN = float("nan")
EXPECTED = {"orderId": "ORD-1", "amount": "100.00"}
#: Nothing listens there.
NOWHERE = "http://127.0.0.1:9"


class Refused(CountedTestCase):
    """A wrong argument is an error of Python, with the argument's name. Nothing is sent."""

    def check(self, kind: Type[Exception], words: str, call: Callable[[], Any]) -> None:
        with self.subTest(words), self.assertRaisesRegex(kind, words):
            call()

    def test_what_is_not_an_amount(self) -> None:
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
            wrong: Dict[str, Any] = {"amount": amount}
            self.check(kind, words, lambda: build(**{**ORDER, **wrong}))
            self.check(kind, words, lambda: build({**WIRE_ORDER, **wrong}))
            self.check(kind, words, lambda: verify({**EXPECTED, **wrong}, "{}"))
        # `json.loads` made it a float.
        status = {**STATUS, "data": {**STATUS["data"], "amount": 100.0}}
        self.check(TypeError, "float.*JSON text", lambda: verify(EXPECTED, status))
        self.assertTrue(verify(EXPECTED, json.dumps(status)))

    def test_what_is_not_an_order_a_query_or_an_option(self) -> None:
        client: Any
        with served() as (service, client):
            create, status, many = (
                client.create_order,
                client.get_status,
                client.get_statuses,
            )
            for words, call in (
                ("create_order.*'amout'", lambda: create(amout="1")),
                ("get_status.*'resend'", lambda: status("O", resend=True)),
                ("get_statuses.*'rate'", lambda: many(["O"], rate=1)),
                ("list.*'state_'", lambda: client.journal.list(state_="open")),
                ("not as both", lambda: create(WIRE_ORDER, amount="2")),
                ("not as both", lambda: status(EXPECTED, order_id="ORD-1")),
                ("not as both", lambda: build(WIRE_ORDER, order_id="ORD-1")),
                ("two names", lambda: create({**WIRE_ORDER, "order_id": "ORD-2"})),
                ("mapping, not str", lambda: create("ORD-1")),
                ("an order id, a mapping.*not int", lambda: status(7)),
                ("iterable", lambda: many(7)),
                # Iterating over these would give letters or keys.
                ("put it into a list", lambda: many("O-1")),
                ("put it into a list", lambda: many(b"O-1")),
                ("put it into a list", lambda: many({"orderId": "O-1"})),
                ("must be a payorder.Canc", lambda: status("O", cancellation="t")),
            ):
                self.check(TypeError, words, call)
        self.assertEqual(service.requests, [])

    def test_what_is_not_a_setting(self) -> None:
        for call in (new, from_env):
            self.check(TypeError, "'time_out'", lambda: call(NOWHERE, time_out=5))
        wrong: Any = "token"
        self.check(TypeError, "client must be", lambda: aio.AsyncClient(wrong))
        client = new(NOWHERE)
        self.check(ValueError, "no cred", lambda: client.set_credentials(access_token=None))
        client.close()

    def test_what_is_not_a_text(self) -> None:
        url = "https://shop.example.com/?txn="
        parse = payorder.parse_return_url
        named = {**ORDER, "customer_name": "Asha \ud83d"}
        noted = {"note": "\udc00"}
        for words, call in (
            # A NUL would cut a C string short.
            ("url.*NUL", lambda: parse(f"{url}T\0&txn=U")),
            ("status.*NUL", lambda: verify(EXPECTED, json.dumps(STATUS) + "\0")),
            ("url.*surrogate", lambda: parse(f"{url}\udc00")),
            ("^customer_name(?!.*Asha).*surrogate", lambda: build(**named)),
            ("extra_fields.*surrogate", lambda: build(ORDER, extra_fields=noted)),
            ("^create_retries: .*float", lambda: new(NOWHERE, create_retries=NAN)),
        ):
            self.check(ValueError, words, call)
        for value in (object(), b"bytes", {1, 2}):
            order = {**ORDER, "product_info": value}
            self.check(TypeError, "^product_info: .*", lambda: build(order))
        body = json.loads(build(**{**ORDER, "product_info": "a\0b"}))
        self.assertEqual(body["productInfo"], "a\0b")

    def test_what_is_not_a_time_limit(self) -> None:
        with served() as (service, client):
            wait: Any = client.wait_for_payment
            value: Any
            for name in ("timeout", "wait", "interval", "max_interval"):
                for value in (True, "30", Decimal(30), b"30", [30]):
                    words = f"^{name} must be a number of seconds, not {type(value).__name__}"
                    self.check(TypeError, words, lambda: wait("ORD-1", **{name: value}))
                for value in (NAN, float("inf"), float("-inf"), 1e300, 10**400):
                    words = f"^{name} must be a number"
                    self.check(ValueError, words, lambda: wait("ORD-1", **{name: value}))
                words = rf"{payorder._text.wire_name(name)}Ms"
                refused = payorder.InvalidArgumentError
                for value in (-1, -0.5, 0, 86_401):
                    self.check(refused, words, lambda: wait("ORD-1", **{name: value}))
            self.assertEqual(service.requests, [])
        for value in (True, "30"):
            self.check(TypeError, "^max_idle", lambda: new(NOWHERE, max_idle=value))
        for value in (-1, -0.0004):
            self.check(
                payorder.InvalidConfigError, "maxIdleMs", lambda: new(NOWHERE, max_idle=value)
            )
        new(NOWHERE, max_idle=0).close()


class Accepted(CountedTestCase):
    def test_a_decimal_is_sent_as_plain_digits(self) -> None:
        for amount, text in (
            (Decimal("100.00"), "100.00"),
            (Decimal("1E+2"), "100"),
            (Decimal("1.10000000000000000000"), "1.10000000000000000000"),
            (Decimal("0.1") * 3 + 1, "1.3"),
        ):
            body = json.loads(build(**{**ORDER, "amount": amount}))
            self.assertEqual(body["amount"], text)

    def test_a_mapping_and_keyword_arguments_give_the_same_order(self) -> None:
        body = build(**ORDER)
        self.assertEqual(json.loads(body), WIRE_ORDER)
        backwards = dict(reversed(list(WIRE_ORDER.items())))
        for order in (ORDER, WIRE_ORDER, backwards, MappingProxyType(WIRE_ORDER)):
            self.assertEqual(build(order), body)

    def test_a_query_may_have_every_form(self) -> None:
        class Row:
            status_query = {"orderId": "ORD-1"}

        refused = {"http": 404, "text": ""}
        with served(create=[{"http": 503}], status=[refused, {"found": {}}]) as (
            service,
            client,
        ):
            with self.assertRaises(payorder.OutcomeUnknownError) as lost:
                client.create_order(**ORDER)
            with self.assertRaises(payorder.RejectedError) as rejected:
                client.get_status(transaction_id="TXN-1")
            returned = payorder.parse_return_url("?txn=TXN-1")
            again = pickle.loads(pickle.dumps(rejected.exception))
            queries: List[Any] = [again, returned, returned.status_query]
            queries += [lost.exception, Row(), "ORD-1"]
            queries += [{"orderId": "ORD-1"}, {"order_id": "ORD-1"}]
            for query in queries:
                client.get_status(query)
            both: Any = {"order_id": "ORD-1", "transaction_id": "TXN-1"}
            client.get_status(search_type="1", **both)
            with self.assertRaises(payorder.InvalidRequestError) as caught:
                client.get_status(**both)
            asked = service.bodies()[1:]
            results = list(client.get_statuses(queries, concurrency=1))
            asked_again = service.bodies()[1 + len(asked) :]
        transaction = {"searchType": "2", "orderId": "", "transactionId": "TXN-1"}
        order = {"searchType": "1", "orderId": "ORD-1"}
        self.assertEqual(asked, [transaction] * 4 + [order] * 6)
        self.assertIn("conflict", {one.rule for one in caught.exception.violations})
        self.assertEqual([one.query for one in results], queries)
        self.assertEqual(asked_again, asked[1:9])

    def test_a_status_to_verify_may_be_a_result_a_text_or_a_mapping(self) -> None:
        with served() as (_, client):
            status = client.get_status(order_id="ORD-1")
        raw = json.loads(status.raw)
        for given in (status, status.raw, raw, STATUS, json.dumps(STATUS)):
            self.assertTrue(payorder.verify_payment(EXPECTED, given))

    def test_seconds_become_whole_milliseconds(self) -> None:
        for seconds, milliseconds in [
            *((1, 1000), (0.001, 1), (1.001, 1001), (4.35, 4350), (0.1 + 0.2, 300)),
            *((600, 600_000), (600.0, 600_000), (2.0004, 2000), (1.0015, 1002)),
        ]:
            names = ("timeout", "connect_timeout", "max_idle")
            settings = wire_settings(dict.fromkeys(names, seconds))
            wanted = ("timeoutMs", "connectTimeoutMs", "maxIdleMs")
            self.assertEqual(settings, dict.fromkeys(wanted, milliseconds))
            self.assertTrue(all(type(one) is int for one in settings.values()))


class Settings(CountedTestCase):
    def test_every_setting_is_passed_to_the_library(self) -> None:
        broken: Dict[str, Any] = {
            **dict.fromkeys(CREDENTIALS, " padded "),
            "timeout": 0,
            "connect_timeout": 0,
            "create_retries": 11,
            "status_retries": 11,
            "max_calls": 0,
            "max_idle": -1,
            "max_response_bytes": 1,
            "proxy": "::",
            "tls": {"roots": "none"},
            "allow_insecure_http": "yes",
            "checkout_hosts": "checkout.example.com",
            "return_url_field": "amount",
            "user_agent": "two\nlines",
            "headers": {"x-a": " padded "},
            "quote_responses": "yes",
            "journal": "/no/such/folder/orders.sqlite",
        }
        self.assertEqual(set(broken), set(Config.__annotations__))
        for name, value in broken.items():
            for create in (payorder.Client, payorder.Client.from_env):
                with self.subTest(name), self.assertRaisesRegex(
                    payorder.InvalidConfigError,
                    rf"\b{payorder._text.wire_name(name)}(Ms)?\b",
                ) as raised:
                    create(NOWHERE, **{name: value})
                # No message shows a credential.
                self.assertNotIn("padded", f"{raised.exception!r} {raised.exception.raw}")

    def test_settings_that_are_none_are_left_out(self) -> None:
        nothing: Dict[str, Any] = dict.fromkeys(Config.__annotations__)
        payorder.Client("https://pay.example.com", **nothing).close()
        missing: Any = None
        with self.assertRaisesRegex(payorder.InvalidConfigError, "baseUrl"):
            payorder.Client(missing)

    def test_tls_may_be_a_config_or_a_mapping_and_have_paths(self) -> None:
        file = Path(tempfile.gettempdir(), "no-such-ca.pem")
        config = payorder.TlsConfig(ca_file=file)
        for tls in (config, {"caFile": str(file)}, {"caFile": file}):
            with self.assertRaisesRegex(payorder.InvalidConfigError, "caFile"):
                payorder.Client(NOWHERE, tls=tls)
        payorder.Client(NOWHERE, tls=payorder.TlsConfig(roots="bundled")).close()

    def test_the_environment_has_the_settings_of_both_clients(self) -> None:
        """The programs in README.md use all of the variables but one."""
        with tempfile.TemporaryDirectory() as folder:
            variables = {
                "PAYORDER_BASE_URL": NOWHERE,
                "PAYORDER_JOURNAL": f"{folder}/orders.sqlite",
            }
            with mock.patch.dict(os.environ, variables):
                with payorder.Client.from_env() as client:
                    self.assertEqual(list(client.journal.list()), [])
        self.assertEqual(repr(client), "<payorder.Client of PAYORDER_BASE_URL>")
        with payorder.Client.from_env(NOWHERE) as overridden:
            shown = f"<payorder.Client of {NOWHERE}>"
            self.assertEqual(repr(overridden), shown)
            # A debugger shows these too, in the frames of a traceback.
            self.assertEqual(repr(Prepares(overridden)), shown)
        self.assertEqual(repr(payorder.Client.__new__(payorder.Client)), "<payorder.Client of …>")
        with mock.patch.dict(os.environ, {"PAYORDER_BASE_URL": ""}):
            with self.assertRaisesRegex(payorder.InvalidConfigError, "PAYORDER_BASE_URL"):
                aio.AsyncClient.from_env()
        documented = payorder.Client.from_env.__doc__ or ""
        for name in (*VARIABLES.values(), CA_VARIABLE, FILE_VARIABLE):
            self.assertIn(name, documented)
            self.assertIn(name, command.HELP)

    def test_clients_and_cancellations_cannot_be_pickled_or_copied(self) -> None:
        with payorder.Client(NOWHERE) as client, payorder.Cancellation() as token:
            for attempt in (pickle.dumps, copy.copy, copy.deepcopy):
                for one in (client, token):
                    with self.assertRaisesRegex(TypeError, "cannot be pickled or copied"):
                        attempt(one)
        for closed in (token.cancel, client.cancel, client.stop):
            with self.assertRaisesRegex(payorder.InvalidHandleError, "is closed"):
                closed()

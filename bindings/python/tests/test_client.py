from __future__ import annotations

import copy
import json
import pickle
import socket
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from typing import Any, Dict, List

import payorder
from payorder._library import library
from payorder.configuration import Config

from .counted import CountedTestCase
from .service import (
    CHECKOUT_URL,
    CREATED,
    CREDENTIALS,
    ORDER,
    PATIENCE,
    STATUS,
    WIRE_ORDER,
    Answer,
    Service,
    raw_service,
    read_request,
)


class Calls(CountedTestCase):
    def test_an_order_is_sent_completely_and_returns_a_checkout(self) -> None:
        answered = {**CREATED, "data": {**CREATED["data"], "newField": 7}}
        with Service(answered) as service, payorder.Client(
            service.url, **CREDENTIALS
        ) as client:
            checkout = client.create_order(**ORDER)
        (request,) = service.requests
        self.assertEqual(request.path, "/api/v1/Gateway/CreateOrder")
        self.assertEqual(
            list(json.loads(request.body).items()), list(WIRE_ORDER.items())
        )
        self.assertEqual(request.headers["access-token"], CREDENTIALS["access_token"])
        self.assertNotIn("x-secret-key", request.headers)
        self.assertEqual(
            (checkout.url, checkout.response_code, checkout.response_message),
            (CHECKOUT_URL, "200", "Success"),
        )
        self.assertEqual(json.loads(checkout.raw)["data"]["newField"], 7)

    def test_a_mapping_with_wire_names_is_the_same_order(self) -> None:
        with Service(CREATED) as service, payorder.Client(
            service.url, **CREDENTIALS
        ) as client:
            client.create_order(**ORDER)
            client.create_order(WIRE_ORDER)
        self.assertEqual(service.requests[0].body, service.requests[1].body)

    def test_a_status_has_every_field_and_keeps_unknown_ones(self) -> None:
        answered = {**STATUS, "data": {**STATUS["data"], "newField": 7}}
        with Service(answered) as service, payorder.Client(
            service.url, **CREDENTIALS
        ) as client:
            status = client.get_status(order_id="ORD-1")
        (request,) = service.requests
        self.assertEqual(request.path, "/api/v1/Gateway/GetStatus")
        self.assertEqual(
            json.loads(request.body), {"searchType": "1", "orderId": "ORD-1"}
        )
        self.assertEqual(request.headers["x-client-key"], CREDENTIALS["client_key"])
        self.assertEqual(request.headers["x-client-id"], CREDENTIALS["client_id"])
        self.assertEqual(request.headers["x-secret-key"], CREDENTIALS["secret_key"])
        self.assertNotIn("access-token", request.headers)
        expected: Dict[str, Any] = {
            "response_code": "200",
            "response_message": "Success",
            "merchant_ref_id": "REF-1",
            "order_id": "ORD-1",
            "transaction_id": "TXN-1",
            "amount": "100.00",
            "customer_name": "Asha Rao",
            "customer_mobile": "9000000001",
            "customer_email": "asha@example.com",
            "transaction_status": "Completed",
            "transaction_date_text": "11/21/2026 02:05:06 PM",
            "transaction_date": datetime(2026, 11, 21, 14, 5, 6),
            "refund_status": "",
            "refund_type": "",
            "merchant_name": "Tea House",
            "settlement_status": "",
            "settlement_date": "",
            "pay_mode": "upi",
            "completed": True,
        }
        for name, value in expected.items():
            self.assertEqual(getattr(status, name), value, name)
        self.assertEqual(json.loads(status.raw)["data"]["newField"], 7)

    def test_fields_that_the_service_left_out_are_empty_and_the_date_none(self) -> None:
        with Service({**STATUS, "data": {"orderId": "ORD-1"}}) as service:
            with payorder.Client(service.url, **CREDENTIALS) as client:
                status = client.get_status(order_id="ORD-1")
        self.assertEqual(
            (status.amount, status.transaction_date_text, status.pay_mode), ("", "", "")
        )
        self.assertEqual((status.transaction_date, status.completed), (None, False))

    def test_every_form_of_a_query_is_checked_by_the_library(self) -> None:
        with Service(STATUS) as service, payorder.Client(
            service.url, **CREDENTIALS
        ) as client:
            client.get_status(transaction_id="TXN-1")
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
            [by_transaction] * 3 + [by_order] * 4,
        )
        self.assertIn("conflict", {one.rule for one in caught.exception.violations})

    def test_a_call_may_have_its_own_credentials_and_fields(self) -> None:
        with Service(CREATED, STATUS) as service, payorder.Client(
            service.url
        ) as client:
            client.create_order(
                **ORDER,
                access_token="token-own",
                extra_fields={"udf1": "table 4"},
                timeout=20,
            )
            client.get_status(
                order_id="ORD-1", client_key="k", client_id="i", secret_key="s"
            )
        created, asked = service.requests
        self.assertEqual(created.headers["access-token"], "token-own")
        self.assertEqual(list(json.loads(created.body))[-1], "udf1")
        self.assertEqual(
            [
                asked.headers[name]
                for name in ("x-client-key", "x-client-id", "x-secret-key")
            ],
            list("kis"),
        )

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

    def test_an_order_as_a_mapping_may_have_python_names(self) -> None:
        with Service(CREATED) as service, payorder.Client(
            service.url, **CREDENTIALS
        ) as client:
            client.create_order(dict(ORDER))
        self.assertEqual(json.loads(service.requests[0].body), WIRE_ORDER)


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

    def test_the_settings_take_effect(self) -> None:
        settings: Dict[str, Any] = {
            "return_url_field": "returnUrl",
            "user_agent": "till/7",
            "checkout_hosts": ("checkout.example.com",),
            "create_retries": 0,
            "proxy": "none",
        }
        with Service(CREATED) as service:
            with payorder.Client(
                service.url + "/prefix/", **settings, **CREDENTIALS
            ) as client:
                client.create_order(**ORDER)
        (request,) = service.requests
        self.assertEqual(request.path, "/prefix/api/v1/Gateway/CreateOrder")
        self.assertEqual(
            json.loads(request.body)["returnUrl"], ORDER["redirection_url"]
        )
        self.assertTrue(request.headers["user-agent"].startswith("till/7 payorder/"))

    def test_neither_a_client_nor_its_errors_show_a_credential(self) -> None:
        with Service(
            Answer({"responseCode": "401", "responseMessage": "bad token-7Hq2"}, 401)
        ) as service:
            with payorder.Client(service.url, **CREDENTIALS) as client:
                shown = [repr(client), str(client)]
                with self.assertRaises(payorder.UnauthorizedError) as caught:
                    client.create_order(**ORDER)
        self.assertEqual(shown[0], f"<payorder.Client of {service.url}>")
        with self.assertRaises(payorder.InvalidConfigError) as broken:
            payorder.Client("https://pay.example.com", access_token="token-7Hq2 ")
        shown += [
            text
            for error in (caught.exception, broken.exception)
            for text in (str(error), repr(error), error.raw)
        ]
        for text in shown:
            for credential in CREDENTIALS.values():
                self.assertNotIn(credential, text)

    def test_results_do_not_show_the_customer_in_their_repr(self) -> None:
        with Service(STATUS) as service, payorder.Client(
            service.url, **CREDENTIALS
        ) as client:
            shown = repr(client.get_status(order_id="ORD-1"))
        self.assertIn("ORD-1", shown)
        for personal in ("Asha", "9000000001", "asha@"):
            self.assertNotIn(personal, shown)


class Lifetime(CountedTestCase):
    def test_a_client_without_references_is_freed(self) -> None:
        client = payorder.Client("https://pay.example.com")
        self.assertEqual(library.payorder_live_clients(), 1)
        del client
        self.assertEqual(library.payorder_live_clients(), 0)

    def test_a_client_cannot_be_pickled_or_copied(self) -> None:
        with payorder.Client("https://pay.example.com") as client:
            for attempt in (pickle.dumps, copy.copy, copy.deepcopy):
                with self.assertRaisesRegex(
                    TypeError, "Client cannot be pickled or copied"
                ):
                    attempt(client)

    def test_thirty_two_threads_share_a_client(self) -> None:
        with Service(STATUS) as service, payorder.Client(
            service.url, **CREDENTIALS
        ) as client:

            def ask(number: int) -> List[str]:
                return [client.get_status(order_id="ORD-1").order_id for _ in range(10)]

            with ThreadPoolExecutor(32) as threads:
                answers = [
                    order for orders in threads.map(ask, range(32)) for order in orders
                ]
        self.assertEqual(answers, ["ORD-1"] * 320)
        self.assertEqual(len(service.requests), 320)

    def test_close_lets_the_call_in_flight_finish(self) -> None:
        arrived, closed = threading.Event(), threading.Event()
        body = json.dumps(CREATED).encode()

        def answer_after_close(connection: socket.socket) -> None:
            read_request(connection)
            arrived.set()
            closed.wait(PATIENCE)
            connection.sendall(
                b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body) + body
            )

        with raw_service(answer_after_close) as address, ThreadPoolExecutor(
            1
        ) as threads:
            client = payorder.Client(f"http://{address}", **CREDENTIALS)
            checkout = threads.submit(lambda: client.create_order(**ORDER))
            self.assertTrue(arrived.wait(PATIENCE))
            client.close()
            closed.set()
            self.assertEqual(checkout.result(PATIENCE).url, CHECKOUT_URL)

    def test_cancel_ends_every_call_in_flight_and_the_client_stays_usable(self) -> None:
        arrived = threading.Semaphore(0)
        body = json.dumps(CREATED).encode()
        stalling = threading.Event()
        stalling.set()

        def stall(connection: socket.socket) -> None:
            read_request(connection)
            if stalling.is_set():
                arrived.release()
                connection.recv(1)
            else:
                connection.sendall(
                    b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body) + body
                )

        with raw_service(stall) as address, ThreadPoolExecutor(8) as threads:
            with payorder.Client(f"http://{address}", **CREDENTIALS) as client:
                calls = [
                    threads.submit(lambda: client.create_order(**ORDER))
                    for _ in range(8)
                ]
                for _ in calls:
                    self.assertTrue(arrived.acquire(timeout=PATIENCE))
                client.cancel()
                for call in calls:
                    self.assertIsInstance(
                        call.exception(PATIENCE), payorder.CancelledInFlightError
                    )
                stalling.clear()
                self.assertEqual(client.create_order(**ORDER).url, CHECKOUT_URL)

    def test_a_stopped_client_sends_nothing_more(self) -> None:
        with Service(CREATED) as service, payorder.Client(
            service.url, **CREDENTIALS
        ) as client:
            client.stop()
            with self.assertRaises(payorder.CancelledError) as caught:
                client.create_order(**ORDER)
        self.assertEqual(caught.exception.cause, "client_stopped")
        self.assertEqual(service.requests, [])
        with self.assertRaises(payorder.InvalidHandleError):
            client.stop()

    def test_new_credentials_are_used_by_later_calls(self) -> None:
        with Service(CREATED) as service, payorder.Client(
            service.url, **CREDENTIALS
        ) as client:
            with self.assertRaises(payorder.InvalidConfigError):
                client.set_credentials(access_token=" padded ")
            client.set_credentials(access_token="token-new")
            client.create_order(**ORDER)
        self.assertEqual(service.requests[0].headers["access-token"], "token-new")

    def test_the_url_of_an_unclear_refusal_is_not_lost(self) -> None:
        refused = {**CREATED, "responseCode": "409"}
        with Service(Answer(refused, 400)) as service, payorder.Client(
            service.url, **CREDENTIALS
        ) as client:
            with self.assertRaises(payorder.OutcomeUnknownError) as caught:
                client.create_order(**ORDER)
        self.assertEqual(caught.exception.checkout_url, CHECKOUT_URL)

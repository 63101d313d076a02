"""Each kind of failure, caused over a real socket, has its own exception."""

from __future__ import annotations

import socket
import threading
import time
from typing import Any, Callable, Dict, Type, Union

import payorder

from .counted import CountedTestCase
from .service import (
    CREATED,
    CREDENTIALS,
    ORDER,
    PATIENCE,
    STATUS,
    Answer,
    Service,
    closed_port,
    hold,
    raw_service,
    read_request,
)

QUERY = {"searchType": "1", "orderId": "ORD-1"}


def refused(code: str) -> Dict[str, Any]:
    return {"responseCode": code, "responseMessage": "refused", "data": {}}


class Outcomes(CountedTestCase):
    def raises(
        self,
        kind: Type[payorder.PayorderError],
        base_url: str,
        config: Dict[str, Any],
        **order: Any,
    ) -> payorder.PayorderError:
        with payorder.Client(base_url, **{**CREDENTIALS, **config}) as client:
            with self.assertRaises(kind) as caught:
                client.create_order(**{**ORDER, **order})
        self.assertIs(type(caught.exception), kind)
        return caught.exception

    def test_every_response_has_its_exception(self) -> None:
        answers: Dict[
            Type[payorder.PayorderError], Dict[str, Union[Answer, Dict[str, Any]]]
        ] = {
            payorder.RejectedError: {
                "code 422": refused("422"),
                "HTTP 400": Answer("{}", 400),
            },
            payorder.UnauthorizedError: {
                "code 401": refused("401"),
                "HTTP 403": Answer("{}", 403),
            },
            payorder.RateLimitedError: {
                "code 429": refused("429"),
                "HTTP 429": Answer("{}", 429, (("Retry-After", "7"),)),
            },
            payorder.BadResponseError: {
                "HTML": Answer("<h1>hello</h1>"),
                "no url": {**CREATED, "data": {}},
                "a redirect": Answer("", 302, (("Location", "/elsewhere"),)),
            },
            payorder.ServiceFailedError: {
                "HTTP 502": Answer("<h1>bad</h1>", 502),
                "code 999": refused("999"),
            },
        }
        for kind, cases in answers.items():
            for case, answer in cases.items():
                with self.subTest(kind=kind.__name__, case=case), Service(
                    answer
                ) as service:
                    error = self.raises(kind, service.url, {})
                    self.assertEqual(
                        len(service.requests), 1, "an order is never sent twice"
                    )
                    self.assertEqual(error.operation, "create_order")
                    if isinstance(error, payorder.OutcomeUnknownError):
                        self.assertEqual(
                            (error.outcome, error.status_query), ("unknown", QUERY)
                        )
                    else:
                        self.assertEqual(
                            (error.outcome, error.status_query), ("rejected", None)
                        )
                    if (
                        isinstance(error, payorder.RateLimitedError)
                        and case == "HTTP 429"
                    ):
                        self.assertEqual(error.retry_after, 7.0)

    def test_the_services_words_are_in_the_error(self) -> None:
        with Service(refused("422")) as service:
            error = self.raises(payorder.RejectedError, service.url, {})
        self.assertEqual(
            (error.http_status, error.response_code, error.response_message),
            (200, "422", "refused"),
        )

    def test_no_response_in_time(self) -> None:
        with raw_service(hold) as address:
            error = self.raises(
                payorder.ResponseTimeoutError, f"http://{address}", {"timeout": 0.3}
            )
        self.assertEqual(error.status_query, QUERY)

    def test_a_connection_that_breaks_after_the_request(self) -> None:
        def read_and_close(connection: socket.socket) -> None:
            read_request(connection)

        with raw_service(read_and_close) as address:
            error = self.raises(payorder.ConnectionLostError, f"http://{address}", {})
        self.assertEqual(error.status_query, QUERY)

    def test_nothing_listens_at_the_port(self) -> None:
        error = self.raises(
            payorder.ConnectError, f"http://127.0.0.1:{closed_port()}", {}
        )
        self.assertEqual((error.outcome, error.attempts), ("not_sent", 2))
        self.assertIn("127.0.0.1", error.message)

    def test_a_port_that_does_not_speak_tls(self) -> None:
        def speak_plainly(connection: socket.socket) -> None:
            connection.recv(65536)
            connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

        with raw_service(speak_plainly) as address:
            error = self.raises(payorder.TlsError, f"https://{address}", {})
        self.assertEqual(error.outcome, "not_sent")

    def test_cancelled_before_and_after_the_first_byte(self) -> None:
        cases: Dict[str, Type[payorder.PayorderError]] = {
            # The handshake has no response, so nothing of the order is sent.
            "https": payorder.CancelledError,
            "http": payorder.CancelledInFlightError,
        }
        for scheme, kind in cases.items():
            arrived = threading.Event()

            def take(connection: socket.socket) -> None:
                connection.recv(65536)
                arrived.set()
                hold(connection)

            with self.subTest(kind=kind.__name__), raw_service(take) as address:
                with payorder.Client(f"{scheme}://{address}", **CREDENTIALS) as client:

                    def cancel() -> None:
                        arrived.wait(PATIENCE)
                        client.cancel()

                    cancelling = threading.Thread(target=cancel)
                    cancelling.start()
                    began = time.monotonic()
                    with self.assertRaises(kind) as caught:
                        client.create_order(**ORDER)
                    cancelling.join(PATIENCE)
                    self.assertLess(time.monotonic() - began, PATIENCE)
                    self.assertIs(type(caught.exception), kind)

    def test_all_violations_are_reported_together(self) -> None:
        order = {
            "amount": "0.99",
            "pay_mode": "cash",
            "customer_name": " ",
            "currency_code": None,
        }
        with Service(CREATED) as service:
            error = self.raises(payorder.InvalidRequestError, service.url, {}, **order)
            self.assertEqual(service.requests, [])
        found = {(one.field, one.rule) for one in error.violations}
        self.assertEqual(
            found,
            {
                ("amount", "minimum"),
                ("payMode", "allowed"),
                ("customerName", "blank"),
                ("currencyCode", "required"),
            },
        )
        self.assertTrue(all(one.message for one in error.violations))

    def test_missing_credentials(self) -> None:
        with Service(CREATED) as service:
            self.raises(
                payorder.MissingCredentialsError, service.url, {"access_token": None}
            )
            self.assertEqual(service.requests, [])

    def test_an_invalid_option(self) -> None:
        with Service(CREATED) as service, payorder.Client(
            service.url, **CREDENTIALS
        ) as client:
            with self.assertRaisesRegex(payorder.InvalidArgumentError, "timeout"):
                client.create_order(**ORDER, timeout=0)

    def test_a_failed_status_query_is_unknown_and_has_no_status_query(self) -> None:
        with Service(Answer("<h1>bad</h1>", 502)) as service:
            with payorder.Client(
                service.url, status_retries=0, **CREDENTIALS
            ) as client:
                with self.assertRaises(payorder.ServiceFailedError) as caught:
                    client.get_status(order_id="ORD-1")
        self.assertEqual(
            (caught.exception.operation, caught.exception.status_query),
            ("get_status", None),
        )

    def test_the_query_of_an_unknown_outcome_can_be_used_unchanged(self) -> None:
        with Service(Answer("<h1>bad</h1>", 502), STATUS) as service:
            with payorder.Client(service.url, **CREDENTIALS) as client:
                try:
                    client.create_order(**ORDER)
                except payorder.OutcomeUnknownError as error:
                    status = client.get_status(error.status_query)
        self.assertEqual(status.order_id, "ORD-1")
        self.assertEqual(
            [request.path for request in service.requests][1],
            "/api/v1/Gateway/GetStatus",
        )


class Closed(CountedTestCase):
    def test_a_call_after_close_is_the_librarys_invalid_handle(self) -> None:
        client = payorder.Client("http://127.0.0.1:9", **CREDENTIALS)
        client.close()
        client.close()
        calls: Dict[str, Callable[[], object]] = {
            "create_order": lambda: client.create_order(**ORDER),
            "get_status": lambda: client.get_status(order_id="ORD-1"),
            "cancel": client.cancel,
        }
        for name, call in calls.items():
            with self.subTest(name), self.assertRaises(
                payorder.InvalidHandleError
            ) as caught:
                call()
            self.assertEqual(
                (caught.exception.result, caught.exception.outcome), (2, "not_sent")
            )

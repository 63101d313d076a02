"""`get_statuses`: how fast it sends queries, and how it stops."""

from __future__ import annotations

import itertools
import json
import socket
import threading
import time
from typing import Any, Callable, Dict, List, Optional
from unittest import mock

import payorder
from payorder import _running

from .many_statuses import StatusesTestCase, known, numbers, wait_until
from .service import (
    CREDENTIALS,
    PATIENCE,
    STATUS,
    Answer,
    Request,
    hold,
    raw_service,
    read_request,
)


class Stopping(StatusesTestCase):
    def check_stops(
        self, stop: Callable[["payorder.Statuses[str]"], Optional[object]]
    ) -> None:
        with self.client(known) as client:
            asking = client.get_statuses(numbers(), concurrency=2)
            next(asking)
            stop(asking)
            del asking
            self.assertTrue(wait_until(lambda: not _running._calls))
            asked = len(self.service.requests)
            self.assertTrue(wait_until(self.is_quiet))
            # The service may read the two queries late that were in flight.
            self.assertLessEqual(len(self.service.requests), asked + 2)
            # Only a limited number was sent ahead.
            self.assertLess(len(self.service.requests), 1 + 2 * 32)
            # Other calls of the client still work.
            self.assertEqual(client.get_status(order_id="ORD-1").order_id, "ORD-1")

    def is_quiet(self) -> bool:
        """Whether no request comes for a while."""
        before = len(self.service.requests)
        time.sleep(0.2)
        return len(self.service.requests) == before

    def test_no_more_queries_after_close(self) -> None:
        def close(asking: "payorder.Statuses[str]") -> None:
            asking.close()
            self.assertTrue(asking.summary.stopped)
            self.assertEqual(list(asking), [])

        self.check_stops(close)

    def test_no_more_queries_after_the_with_block(self) -> None:
        def leave(asking: "payorder.Statuses[str]") -> None:
            with self.assertRaises(KeyError), asking:
                raise KeyError

        self.check_stops(leave)

    def test_no_more_queries_after_the_results_are_deleted(self) -> None:
        self.check_stops(lambda asking: None)

    def test_no_further_query_after_close_and_a_pause_for_the_rate(self) -> None:
        with self.client(known) as client:
            asking = client.get_statuses(["A", "B", "C"], rate_per_second=0.5)
            next(asking)
            asking.close()
            started = time.monotonic()
            self.assertTrue(wait_until(lambda: not _running._calls))
            self.assertLess(time.monotonic() - started, 1.5)
            self.assertEqual(len(self.service.requests), 1)

    def test_close_ends_the_queries_in_flight(self) -> None:
        going = threading.Event()
        self.addCleanup(going.set)

        def first_only(request: Request) -> Any:
            if len(self.service.requests) > 1:
                going.wait(PATIENCE)
            return known(request)

        with self.client(first_only) as client:
            asking = client.get_statuses(["A", "B", "C"], concurrency=3)
            next(asking)
            asking.close()
            started = time.monotonic()
            self.assertTrue(wait_until(lambda: not _running._calls))
            self.assertLess(time.monotonic() - started, PATIENCE / 2)

    # However slow the machine is, as many queries as may be are read at once.
    @mock.patch("payorder.batch._READING_SECONDS", PATIENCE)
    def test_while_the_program_pauses_few_queries_are_sent(self) -> None:
        with self.client(known) as client, client.get_statuses(
            numbers(), concurrency=2
        ) as asking:
            next(asking)
            self.assertTrue(wait_until(lambda: len(self.service.requests) >= 30))
            time.sleep(0.5)
            self.assertLess(len(self.service.requests), 1 + 2 * 32)

    def test_stopping_does_not_affect_other_calls_of_the_client(self) -> None:
        body = json.dumps(STATUS).encode()
        arrived, going = threading.Event(), threading.Event()

        def script(connection: socket.socket) -> None:
            while True:
                request = read_request(connection)
                if b"SLOW" in request:
                    arrived.set()
                    going.wait(PATIENCE)
                connection.sendall(
                    b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body) + body
                )

        with raw_service(script) as address:
            with payorder.Client(
                f"http://{address}", proxy="none", **CREDENTIALS
            ) as client:
                errors: List[BaseException] = []

                def slow() -> None:
                    try:
                        client.get_status(transaction_id="SLOW")
                    except payorder.PayorderError as error:
                        errors.append(error)

                other = threading.Thread(target=slow)
                other.start()
                self.assertTrue(arrived.wait(PATIENCE))
                asking = client.get_statuses(itertools.repeat("ORD-1"))
                next(asking)
                asking.close()
                self.assertTrue(wait_until(lambda: len(_running._calls) == 1))
                going.set()
                other.join(PATIENCE)
        self.assertEqual([type(error) for error in errors], [payorder.BadResponseError])

    def test_cancelling_the_client_gives_each_open_query_its_result(
        self,
    ) -> None:
        with raw_service(hold) as address:
            with payorder.Client(
                f"http://{address}", proxy="none", **CREDENTIALS
            ) as client:
                asking = client.get_statuses(["A"] * 10, concurrency=3)
                threading.Timer(0.5, client.cancel).start()
                results = list(asking)
        self.assertTrue(asking.summary.stopped)
        self.assertEqual(
            {type(result.error) for result in results},
            {payorder.CancelledInFlightError},
        )
        self.assertEqual(len(results), 3)

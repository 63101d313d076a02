"""`get_statuses`: how fast it sends queries, and how it stops."""

from __future__ import annotations

import itertools
import json
import socket
import threading
import time
from typing import Any, Callable, Dict, List, Optional

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


class Pace(StatusesTestCase):
    def test_the_end_of_a_chunk_costs_little_time(self) -> None:
        def slow(request: Request) -> Dict[str, Any]:
            time.sleep(0.1)
            return known(request)

        with self.client(slow) as client:
            asking = client.get_statuses(
                itertools.islice(numbers(), 240), concurrency=4
            )
            asking._chunks.chunk_size = 40
            began = time.monotonic()
            self.assertEqual(
                sorted(result.index for result in asking), list(range(240))
            )
            took = time.monotonic() - began
        self.assertLess(took, 6.0 * 1.5)

    def test_a_slow_query_does_not_delay_the_next_chunk(self) -> None:
        going = threading.Event()

        def straggling(request: Request) -> Dict[str, Any]:
            if json.loads(request.body)["orderId"] == "ORD-7":
                going.wait(PATIENCE)
            return known(request)

        with self.client(straggling) as client:
            asking = client.get_statuses(
                itertools.islice(numbers(), 300), concurrency=4
            )
            asking._chunks.chunk_size = 8
            came = [next(asking).index for _ in range(299)]
            self.assertNotIn(7, came)
            going.set()
            self.assertEqual([result.index for result in asking], [7])

    def test_no_more_queries_run_at_once_than_concurrency_allows(self) -> None:
        under_way, most = [0], [0]
        lock = threading.Lock()

        def counting(request: Request) -> Dict[str, Any]:
            with lock:
                under_way[0] += 1
                most[0] = max(most[0], under_way[0])
            time.sleep(
                0.6 if json.loads(request.body)["orderId"].endswith("9") else 0.005
            )
            with lock:
                under_way[0] -= 1
            return known(request)

        with self.client(counting) as client:
            asking = client.get_statuses(itertools.islice(numbers(), 60), concurrency=4)
            asking._chunks.chunk_size = 10
            self.assertEqual(len(list(asking)), 60)
        self.assertEqual(most[0], 4)

    def test_the_rate_of_any_second_is_kept_across_chunks(self) -> None:
        came: List[float] = []

        def timed(request: Request) -> Dict[str, Any]:
            came.append(time.monotonic())
            return known(request)

        with self.client(timed) as client:
            asking = client.get_statuses(
                itertools.islice(numbers(), 45), concurrency=8, rate_per_second=20
            )
            asking._chunks.chunk_size = 15
            self.assertEqual(len(list(asking)), 45)
        # A request that was delayed may arrive in the next second.
        crowded = [
            end - start for start, end in zip(came, came[22:]) if end - start < 0.97
        ]
        self.assertEqual(crowded, [])

    def test_retry_after_is_obeyed_across_chunks(self) -> None:
        came: List[float] = []

        def busy(request: Request) -> Any:
            came.append(time.monotonic())
            return (
                Answer("", 429, (("Retry-After", "1"),))
                if len(came) == 1
                else known(request)
            )

        with self.client(busy, status_retries=0) as client:
            asking = client.get_statuses(["A", "B", "C"], concurrency=1)
            asking._chunks.chunk_size = 1
            results = list(asking)
        self.assertIsInstance(results[0].error, payorder.RateLimitedError)
        self.assertGreaterEqual(came[1] - came[0], 0.95)


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
            # Only a limited part of the chunk was sent.
            self.assertLess(len(self.service.requests), 1 + 64 + 2 * 2 + 1)
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

    def test_while_the_program_pauses_few_queries_are_sent(self) -> None:
        with self.client(known) as client, client.get_statuses(
            numbers(), concurrency=2
        ) as asking:
            next(asking)
            self.assertTrue(wait_until(lambda: len(self.service.requests) >= 60))
            time.sleep(0.5)
            self.assertLess(len(self.service.requests), 1 + 64 + 2 * 2 + 1)

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

    def test_closing_the_client_raises_the_librarys_error(self) -> None:
        with self.client(known) as client:
            asking = client.get_statuses(["A", "B", "C", "D"], concurrency=1)
            asking._chunks.chunk_size = 1
            # The next chunk may have started by now, but not the one after it.
            next(asking)
            client.close()
            with self.assertRaises(payorder.InvalidHandleError):
                list(asking)
            self.assertEqual(list(asking), [])

"""`get_statuses`: any iterable of queries in, one result for each query out."""

from __future__ import annotations

import itertools
import json
import socket
import threading
import time
import tracemalloc
from typing import Any, Callable, Dict, Iterator, List

import payorder
from payorder import _running

from .many_statuses import Forgetting, StatusesTestCase, known, numbers, wait_until
from .service import (
    served,
    CREDENTIALS,
    ORDER,
    PATIENCE,
    STATUS,
    WANTS_ALL,
    Answer,
    Request,
    Service,
    raw_service,
    read_request,
)


class Results(StatusesTestCase):
    def test_every_form_of_query_has_one_result(self) -> None:
        class Row:
            status_query = {"orderId": "ORD-3"}

        with Service(Answer("", 503)) as failing, payorder.Client(
            failing.url, **CREDENTIALS
        ) as lost:
            with self.assertRaises(payorder.OutcomeUnknownError) as caught:
                lost.create_order(**{**ORDER, "order_id": "ORD-4"})
        queries: List[Any] = [
            "ORD-0",
            {"searchType": "1", "orderId": "ORD-1"},
            payorder.parse_return_url("?txn=TXN-2"),
            Row(),
            caught.exception,
        ]
        with self.client(known) as client:
            results = sorted(
                client.get_statuses(queries), key=lambda result: result.index
            )
        self.assertEqual([result.index for result in results], list(range(5)))
        for result, query in zip(results, queries):
            self.assertIs(result.query, query)
            self.assertIsNone(result.error)
        asked = [
            (result.status.order_id, result.status.transaction_id)
            for result in results
            if result.status is not None
        ]
        self.assertEqual(
            [order for order, _ in asked], ["ORD-0", "ORD-1", "", "ORD-3", "ORD-4"]
        )
        self.assertEqual(asked[2][1], "TXN-2")

    def test_the_summary_counts_the_results_so_far(self) -> None:
        with self.client(known) as client:
            asking = client.get_statuses(f"ORD-{number}" for number in range(20))
            next(asking)
            self.assertEqual((asking.summary.asked, asking.summary.stopped), (1, False))
            for _ in asking:
                pass
            summary = asking.summary
            time.sleep(0.05)
            self.assertEqual(asking.summary, summary)
        self.assertEqual(summary.transaction_status, {"Completed": 20})
        self.assertEqual((summary.asked, summary.ok, summary.stopped), (20, 20, False))
        self.assertEqual(list(asking), [])

    def test_large_results_that_are_not_taken_do_not_fill_the_memory(self) -> None:
        large = {**STATUS, "newField": "x" * 900_000}
        with self.client(large) as client:
            same = itertools.repeat("ORD-1")
            with client.get_statuses(same, concurrency=16) as asking:
                next(asking)
                self.assertTrue(wait_until(lambda: asking._stream._bytes > 4 << 20))
                time.sleep(0.5)
                self.assertLess(asking._stream._bytes, 6 << 20)

    def test_one_query_is_not_an_iterable_of_queries(self) -> None:
        with self.client(known) as client:
            unknown: Dict[str, Any] = {"rate_a_second": 1}
            with self.assertRaisesRegex(TypeError, "get_statuses.*'rate_a_second'"):
                client.get_statuses(["A", "B"], **unknown)
            number: Any = 7
            with self.assertRaises(TypeError):
                client.get_statuses(number)
            # Iterating over these would give letters or keys.
            one: Any
            for one in ("O-1", b"O-1", {"orderId": "O-1"}):
                with self.assertRaisesRegex(TypeError, "put it into a list"):
                    client.get_statuses(one)
        with self.assertRaises(payorder.InvalidHandleError):
            client.get_statuses(["A"])
        self.assertEqual(self.service.requests, [])


class Reading(StatusesTestCase):
    def test_queries_are_read_in_the_iterating_thread_and_not_far_ahead(
        self,
    ) -> None:
        threads = set()
        read = 0

        def orders() -> Iterator[str]:
            nonlocal read
            for order in numbers():
                threads.add(threading.current_thread())
                read += 1
                yield order

        with self.client(known) as client, client.get_statuses(
            orders(), concurrency=2
        ) as results:
            for result in itertools.islice(results, 50):
                self.assertLessEqual(read, 50 + 2 * 32)
        self.assertEqual(threads, {threading.current_thread()})
        self.assertLess(len(self.service.requests), 50 + 2 * 32)

    def test_an_exception_of_the_iterable_comes_after_the_results_before_it(
        self,
    ) -> None:
        def orders() -> Iterator[str]:
            yield from ("A", "B", "C")
            raise LookupError("the file ends here")

        with self.client(known) as client:
            asking = client.get_statuses(orders())
            came = []
            with self.assertRaisesRegex(LookupError, "the file ends here"):
                for result in asking:
                    came.append(result.query)
            self.assertEqual(sorted(came), ["A", "B", "C"])
            self.assertEqual(list(asking), [])

    def test_an_invalid_type_is_a_type_error_after_the_results_before_it(self) -> None:
        queries: List[Any] = ["A", 7, "B"]
        with self.client(known) as client:
            asking = client.get_statuses(queries)
            self.assertEqual(next(asking).query, "A")
            with self.assertRaisesRegex(TypeError, "order id, a mapping.*not int"):
                next(asking)

    def test_a_slow_iterable_does_not_delay_its_earlier_queries(self) -> None:
        def orders() -> Iterator[str]:
            yield "A"
            yield "B"
            time.sleep(0.3)
            yield "C"
            yield from itertools.repeat("D", 1)
            time.sleep(0.3)
            asked.append(len(self.service.requests))
            yield "E"

        asked: List[int] = []
        with self.client(known) as client:
            self.assertEqual(
                sorted(result.query for result in client.get_statuses(orders())),
                list("ABCDE"),
            )
        self.assertGreaterEqual(asked[0], 2)

    def test_thousands_of_queries_do_not_grow_the_memory(self) -> None:
        held: List[int] = []
        count = 10_000 if WANTS_ALL else 4_000
        with served(STATUS) as (service, client):
            # The test's service stores its requests, which must not count.
            service.requests = Forgetting()
            asking = client.get_statuses(
                itertools.repeat("ORD-1", count), concurrency=16
            )
            tracemalloc.start()
            try:
                for result in asking:
                    if asking.summary.asked % (count // 4) == 0:
                        held.append(tracemalloc.get_traced_memory()[0])
            finally:
                tracemalloc.stop()
        self.assertEqual((asking.summary.ok, len(held)), (count, 4))
        self.assertLess(max(held), 4_000_000)
        self.assertLess(held[-1] - held[0], 500_000)


class Stopping(StatusesTestCase):
    def test_no_more_queries_are_sent_after_the_end(self) -> None:
        def leave(asking: "payorder.Statuses[str]") -> None:
            with self.assertRaises(KeyError), asking:
                raise KeyError

        def close(asking: "payorder.Statuses[str]") -> None:
            asking.close()
            self.assertTrue(asking.summary.stopped)
            self.assertEqual(list(asking), [])

        ends: Dict[str, Callable[["payorder.Statuses[str]"], None]] = {
            "close": close,
            "the end of the with block": leave,
            "the results are deleted": lambda asking: None,
        }
        for name, end in ends.items():
            with self.subTest(name), self.client(known) as client:
                asking = client.get_statuses(numbers(), concurrency=2)
                next(asking)
                end(asking)
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

"""Many statuses: any iterable in, one result a query out."""

from __future__ import annotations

import contextlib
import itertools
import json
import socket
import threading
import time
import tracemalloc
from typing import Any, Callable, Dict, Iterator, List, Optional

import payorder
from payorder import _running

from .counted import CountedTestCase
from .service import (
    CREDENTIALS,
    PATIENCE,
    STATUS,
    Answer,
    Request,
    Service,
    hold,
    raw_service,
    read_request,
)


def known(request: Request) -> Dict[str, Any]:
    """Every order is completed."""
    asked = json.loads(request.body)
    data = {
        **STATUS["data"],
        "orderId": asked["orderId"],
        "transactionId": asked.get("transactionId", "TXN-1"),
    }
    return {**STATUS, "data": data}


def wait_until(true: Callable[[], bool]) -> bool:
    give_up = time.monotonic() + PATIENCE
    while not true() and time.monotonic() < give_up:
        time.sleep(0.01)
    return true()


def numbers() -> Iterator[str]:
    return (f"ORD-{number}" for number in itertools.count())


class Forgetting(List[Request]):
    """Remembers no request."""

    def append(self, request: Request) -> None:
        pass


class AskingTestCase(CountedTestCase):
    def tearDown(self) -> None:
        # The questions under way when the taker of results went away end on their own.
        self.assertTrue(wait_until(lambda: not _running._calls), "calls that go on")
        super().tearDown()

    @contextlib.contextmanager
    def client(self, *answers: Any, **config: Any) -> Iterator[payorder.Client]:
        with Service(*answers) as self.service:
            with payorder.Client(
                self.service.url, proxy="none", **{**CREDENTIALS, **config}
            ) as client:
                yield client

    service: Service


class Results(AskingTestCase):
    def test_every_query_has_one_result_whatever_it_was_given_as(self) -> None:
        class Row:
            status_query = {"orderId": "ORD-3"}

        with (
            Service(Answer("", 503)) as failing,
            payorder.Client(failing.url, **CREDENTIALS) as lost,
        ):
            with self.assertRaises(payorder.OutcomeUnknownError) as caught:
                lost.create_order(
                    amount="1", merchant_txn_id="M", order_id="ORD-4", pay_mode="all", merchant_id="M",
                    product_info="Tea", customer_name="A", customer_mobile="9", customer_email="a@example.com",
                    redirection_url="https://shop.example.com/", currency_code="INR",
                )  # fmt: skip
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

    def test_a_failure_is_that_querys_own_result(self) -> None:
        def moody(request: Request) -> Any:
            order = json.loads(request.body)["orderId"]
            if order == "REFUSED":
                return Answer("no", 404)
            return Answer("<h1>bad</h1>", 502) if order == "LOST" else known(request)

        queries: List[Any] = [
            "ORD-1",
            "",
            {"orderId": 7},
            "half \udc80",
            "nul \0",
            "REFUSED",
            "LOST",
            {"orderID": "x"},
        ]
        with self.client(moody, status_retries=0) as client:
            asking = client.get_statuses(queries)
            errors = {result.index: result.error for result in asking}
        self.assertEqual(errors.pop(0), None)
        kinds = {index: type(error) for index, error in errors.items()}
        self.assertEqual(
            kinds,
            {
                1: payorder.InvalidRequestError,
                2: payorder.InvalidRequestError,
                3: payorder.InvalidArgumentError,
                4: type(None),
                5: payorder.RejectedError,
                6: payorder.ServiceFailedError,
                7: payorder.InvalidRequestError,
            },
        )
        summary = asking.summary
        self.assertEqual((summary.asked, summary.rejected, summary.unknown), (8, 1, 1))
        self.assertEqual(summary.ok + summary.not_sent, 6)

    def test_the_summary_grows_with_the_results_and_is_whole_at_the_end(self) -> None:
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

    def test_the_summary_counts_long_status_texts_together(self) -> None:
        texts = iter(["A" * 64, "ä" * 33, "B" * 65, "C" * 100_000])

        def long(request: Request) -> Dict[str, Any]:
            answered = known(request)
            answered["data"]["transactionStatus"] = next(texts)
            return answered

        with self.client(long) as client:
            asking = client.get_statuses(["1", "2", "3", "4"], concurrency=1)
            self.assertEqual(len(list(asking)), 4)
        self.assertEqual(asking.summary.transaction_status, {"A" * 64: 1, "(other)": 3})

    def test_large_answers_that_nobody_takes_do_not_fill_the_memory(self) -> None:
        large = {**STATUS, "newField": "x" * 900_000}
        with self.client(large) as client:
            with client.get_statuses(numbers(), concurrency=64) as asking:
                next(asking)
                time.sleep(1.0)
                waiting = asking._chunks._waiting_bytes
                self.assertTrue(wait_until(lambda: asking._chunks._is_full()))
                self.assertLess(waiting, 6 << 20)

    def test_no_queries_no_questions(self) -> None:
        with self.client(known) as client:
            nothing: List[str] = []
            asking = client.get_statuses(nothing)
            self.assertEqual(list(asking), [])
        self.assertEqual((asking.summary.asked, asking.summary.stopped), (0, False))
        self.assertEqual(self.service.requests, [])

    def test_options_and_the_client_are_judged_before_anything_is_asked(self) -> None:
        read: List[str] = []

        def orders() -> Iterator[str]:
            for order in "AB":
                read.append(order)
                yield order

        with self.client(known) as client:
            broken: Dict[str, Any] = {
                "concurrency": 65,
                "rate_per_second": 0,
                "timeout_ms": 0,
            }
            for name, value in broken.items():
                with self.assertRaises(payorder.InvalidArgumentError):
                    client.get_statuses(orders(), **{name: value})
            unknown: Dict[str, Any] = {"rate_a_second": 1}
            with self.assertRaisesRegex(TypeError, "get_statuses.*'rate_a_second'"):
                client.get_statuses(["A", "B"], **unknown)
            number: Any = 7
            with self.assertRaises(TypeError):
                client.get_statuses(number)
            # Each letter would be an order, each key one.
            one: Any
            for one in ("O-1", b"O-1", {"orderId": "O-1"}):
                with self.assertRaisesRegex(TypeError, "put it into a list"):
                    client.get_statuses(one)
        with self.assertRaises(payorder.InvalidHandleError):
            client.get_statuses(["A"])
        self.assertEqual((read, self.service.requests), ([], []))

    def test_the_options_reach_every_question(self) -> None:
        with self.client(
            known, client_key=None, client_id=None, secret_key=None
        ) as client:
            list(
                client.get_statuses(
                    ["A", "B"], client_key="k", client_id="i", secret_key="s"
                )
            )
        for request in self.service.requests:
            self.assertEqual(
                [
                    request.headers[f"x-{name}"]
                    for name in ("client-key", "client-id", "secret-key")
                ],
                list("kis"),
            )


class Reading(AskingTestCase):
    def test_queries_are_read_in_the_thread_that_iterates_and_never_far_ahead(
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

        with (
            self.client(known) as client,
            client.get_statuses(orders(), concurrency=2) as results,
        ):
            for result in itertools.islice(results, 50):
                self.assertLessEqual(read, 2 * 1024 + 50)
        self.assertEqual(threads, {threading.current_thread()})
        self.assertLess(len(self.service.requests), 50 + 64 + 2 * 2 + 1)

    def test_what_reading_raises_comes_after_the_results_of_what_was_read(self) -> None:
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

    def test_what_is_no_query_is_a_type_error_after_the_results_before_it(self) -> None:
        queries: List[Any] = ["A", 7, "B"]
        with self.client(known) as client:
            asking = client.get_statuses(queries)
            self.assertEqual(next(asking).query, "A")
            with self.assertRaisesRegex(TypeError, "order id, a mapping.*not int"):
                next(asking)

    def test_a_slow_source_does_not_hold_up_what_it_gave(self) -> None:
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

    def test_ten_thousand_queries_leave_the_memory_flat(self) -> None:
        held: List[int] = []
        with (
            Service(STATUS) as service,
            payorder.Client(service.url, proxy="none", **CREDENTIALS) as client,
        ):
            # The service of these tests remembers its requests, which is not what is measured.
            service.requests = Forgetting()
            asking = client.get_statuses(
                itertools.repeat("ORD-1", 10_000), concurrency=16
            )
            tracemalloc.start()
            try:
                for result in asking:
                    if asking.summary.asked % 2500 == 0:
                        held.append(tracemalloc.get_traced_memory()[0])
            finally:
                tracemalloc.stop()
        self.assertEqual((asking.summary.ok, len(held)), (10_000, 4))
        self.assertLess(max(held), 4_000_000)
        self.assertLess(held[-1] - held[0], 500_000)


class Pace(AskingTestCase):
    def test_the_end_of_a_chunk_costs_next_to_nothing(self) -> None:
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

    def test_a_straggler_does_not_hold_up_the_next_chunk(self) -> None:
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

    def test_no_more_questions_are_under_way_than_asked_for(self) -> None:
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
        # A request that was held up on its way may come into the next one's second.
        crowded = [
            end - start for start, end in zip(came, came[22:]) if end - start < 0.97
        ]
        self.assertEqual(crowded, [])

    def test_a_service_that_asks_for_quiet_has_it_across_chunks(self) -> None:
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


class Stopping(AskingTestCase):
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
            time.sleep(0.2)
            self.assertEqual(len(self.service.requests), asked)
            # Of the chunk, what was not taken is bounded.
            self.assertLess(asked, 1 + 64 + 2 * 2 + 1)
            # Other calls of the client go on.
            self.assertEqual(client.get_status(order_id="ORD-1").order_id, "ORD-1")

    def test_nothing_more_is_asked_after_close(self) -> None:
        def close(asking: "payorder.Statuses[str]") -> None:
            asking.close()
            self.assertTrue(asking.summary.stopped)
            self.assertEqual(list(asking), [])

        self.check_stops(close)

    def test_nothing_more_is_asked_after_the_with_block(self) -> None:
        def leave(asking: "payorder.Statuses[str]") -> None:
            with self.assertRaises(KeyError), asking:
                raise KeyError

        self.check_stops(leave)

    def test_nothing_more_is_asked_where_nobody_holds_the_results(self) -> None:
        self.check_stops(lambda asking: None)

    def test_a_taker_that_pauses_is_not_asked_ahead_of(self) -> None:
        with (
            self.client(known) as client,
            client.get_statuses(numbers(), concurrency=2) as asking,
        ):
            next(asking)
            self.assertTrue(wait_until(lambda: len(self.service.requests) >= 60))
            time.sleep(0.5)
            self.assertLess(len(self.service.requests), 1 + 64 + 2 * 2 + 1)

    def test_stopping_touches_no_other_call_of_the_client(self) -> None:
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

    def test_cancelling_the_client_ends_it_and_each_open_query_has_its_result(
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

    def test_closing_the_client_ends_it_with_what_the_library_says(self) -> None:
        with self.client(known) as client:
            asking = client.get_statuses(["A", "B", "C", "D"], concurrency=1)
            asking._chunks.chunk_size = 1
            # The next chunk may have begun by now, not the one after it.
            next(asking)
            client.close()
            with self.assertRaises(payorder.InvalidHandleError):
                list(asking)
            self.assertEqual(list(asking), [])

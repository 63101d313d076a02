"""`get_statuses`: any iterable of queries in, one result for each query out."""

from __future__ import annotations

import contextlib
import itertools
import threading
import time
import tracemalloc
from typing import Any, Callable, Dict, Iterator, List

import payorder
from payorder import _running

from .support import (
    PATIENCE,
    STATUS,
    WANTS_ALL,
    CountedTestCase,
    Forgetting,
    eventually,
    served,
)

Asking = payorder.Statuses[str]


def numbers() -> Iterator[str]:
    return (f"ORD-{number}" for number in itertools.count())


class Results(CountedTestCase):
    def test_the_summary_counts_the_results_so_far(self) -> None:
        with served() as (_, client):
            asking = client.get_statuses(f"ORD-{number}" for number in range(20))
            next(asking)
            self.assertEqual((asking.summary.asked, asking.summary.stopped), (1, False))
            list(asking)
            summary = asking.summary
            time.sleep(0.05)
            self.assertEqual(asking.summary, summary)
        self.assertEqual(summary.transaction_status, {"Completed": 20})
        self.assertEqual((summary.asked, summary.ok, summary.stopped), (20, 20, False))
        with self.assertRaises(payorder.InvalidHandleError):
            client.get_statuses(["A"])

    def test_the_error_of_a_query_can_be_asked_again(self) -> None:
        with served(status=[{"json": {}, "http": 500}, {"json": STATUS}]) as (service, client):
            (failed,) = client.get_statuses(["ORD-7"])
            assert failed.error is not None
            with contextlib.suppress(payorder.PayorderError):
                client.get_status(failed.error)
            self.assertEqual(len({one.text for one in service.requests}), 1)


class Memory(CountedTestCase):
    def test_large_results_that_are_not_taken_do_not_fill_it(self) -> None:
        large = {"json": {**STATUS, "newField": "x" * 900_000}}
        with served(status=[large]) as (_, client):
            same = itertools.repeat("ORD-1")
            with client.get_statuses(same, concurrency=16) as asking:
                next(asking)
                self.assertTrue(eventually(lambda: asking._stream._bytes > 4 << 20))
                time.sleep(0.5)
                self.assertLess(asking._stream._bytes, 6 << 20)

    def test_thousands_of_queries_do_not_grow_it(self) -> None:
        held: List[int] = []
        count = 10_000 if WANTS_ALL else 4_000
        with served() as (service, client):
            service.requests = Forgetting()
            same = itertools.repeat("ORD-1", count)
            asking = client.get_statuses(same, concurrency=16)
            tracemalloc.start()
            try:
                for _ in asking:
                    if asking.summary.asked % (count // 4) == 0:
                        held.append(tracemalloc.get_traced_memory()[0])
            finally:
                tracemalloc.stop()
        self.assertEqual((asking.summary.ok, len(held)), (count, 4))
        self.assertLess(max(held), 4_000_000)
        self.assertLess(held[-1] - held[0], 500_000)


class Reading(CountedTestCase):
    def test_queries_are_read_in_the_iterating_thread_and_not_far_ahead(self) -> None:
        threads = set()
        read = 0

        def orders() -> Iterator[str]:
            nonlocal read
            for query in numbers():
                threads.add(threading.current_thread())
                read += 1
                yield query

        with served() as (service, client):
            with client.get_statuses(orders(), concurrency=2) as results:
                for _ in itertools.islice(results, 50):
                    self.assertLessEqual(read, 50 + 2 * 32)
        self.assertEqual(threads, {threading.current_thread()})
        self.assertLess(len(service.requests), 50 + 2 * 32)

    def test_an_exception_comes_after_the_results_of_the_queries_before_it(
        self,
    ) -> None:
        def failing() -> Iterator[str]:
            yield from ("A", "B", "C")
            raise LookupError("the file ends here")

        wrong: List[Any] = ["A", "B", "C", 7, "D"]
        for queries, kind in ((failing(), LookupError), (wrong, TypeError)):
            with served() as (_, client):
                asking = client.get_statuses(queries)
                came = []
                with self.assertRaisesRegex(kind, "ends here|order id, .*not int"):
                    for result in asking:
                        came.append(result.query)
                self.assertEqual(sorted(came), ["A", "B", "C"])
                self.assertEqual(list(asking), [])

    def test_a_query_that_raises_stop_iteration_does_not_end_them_silently(self) -> None:
        class Sale:
            def __init__(self, number: int) -> None:
                self.number, self.asked = number, 0

            @property
            def status_query(self) -> Dict[str, str]:
                self.asked += 1
                # As `next(...)` of an empty iterator.
                if self.number == 3 or self.asked > 1:
                    raise StopIteration
                return {"orderId": f"ORD-{self.number}"}

        came = []
        with served(status=[{"json": {}, "http": 400}]) as (_, client):
            with self.assertRaisesRegex(RuntimeError, "StopIteration"):
                for result in client.get_statuses(map(Sale, range(5))):
                    assert result.error is not None and result.error._asked is not None
                    came.append(result.error._asked["orderId"])
        self.assertEqual(sorted(came), ["ORD-0", "ORD-1", "ORD-2"])

    def test_a_slow_iterable_does_not_delay_its_earlier_queries(self) -> None:
        def orders() -> Iterator[str]:
            yield from ("A", "B")
            time.sleep(0.3)
            yield from ("C", "D")
            time.sleep(0.3)
            asked.append(len(service.requests))
            yield "E"

        asked: List[int] = []
        with served() as (service, client):
            results = client.get_statuses(orders())
            self.assertEqual(sorted(one.query for one in results), list("ABCDE"))
        self.assertGreaterEqual(asked[0], 2)


class Stopping(CountedTestCase):
    def test_no_more_queries_are_sent_after_the_end(self) -> None:
        def leave(asking: Asking) -> None:
            with contextlib.suppress(KeyError), asking:
                raise KeyError

        def close(asking: Asking) -> None:
            asking.close()
            self.assertTrue(asking.summary.stopped)
            self.assertEqual(list(asking), [])

        ends: Dict[str, Callable[[Asking], None]] = {
            "close": close,
            "the end of the with block": leave,
            "the results are deleted": lambda asking: None,
        }
        for name, end in ends.items():
            with self.subTest(name), served() as (service, client):
                asking = client.get_statuses(numbers(), concurrency=2)
                next(asking)
                end(asking)
                del asking
                self.assertTrue(eventually(lambda: not _running._calls))
                asked = len(service.requests)
                time.sleep(0.2)
                # The service may read the two queries late that were in flight.
                self.assertLessEqual(len(service.requests), asked + 2)
                # Only a limited number was sent ahead.
                self.assertLess(len(service.requests), 1 + 2 * 32)
                # Other calls of the client still work.
                self.assertEqual(client.get_status("ORD-1").order_id, "ORD-1")

    def test_close_ends_the_queries_in_flight_and_no_other_call(self) -> None:
        held = {"found": {}, "hold": True}
        with served(status=[held, {"found": {}}, held]) as (service, client):
            found: List[payorder.Status] = []
            other = threading.Thread(target=lambda: found.append(client.get_status("OTHER")))
            other.start()
            self.assertTrue(service.received(1))
            asking = client.get_statuses(["A", "B", "C"], concurrency=3)
            next(asking)
            asking.close()
            started = time.monotonic()
            self.assertTrue(eventually(lambda: len(_running._calls) == 1))
            self.assertLess(time.monotonic() - started, PATIENCE / 2)
            service.release()
            other.join(PATIENCE)
        self.assertEqual([one.order_id for one in found], ["OTHER"])

"""The client for asyncio does what the other one does."""

from __future__ import annotations

import _thread
import asyncio
import contextvars
import inspect
import itertools
import json
import logging
import threading
import time
import unittest
from typing import Any, Dict, Iterator, List, Optional
from unittest import mock

import payorder
from payorder import aio

from .asyncio_case import (
    SHORT,
    AsyncTestCase,
    caught,
    client,
    order,
    selling,
    until,
)
from .service import (
    CHECKOUT_URL,
    CREATED,
    ORDER,
    PATIENCE,
    STATUS,
    Request,
    Service,
    hold,
    raw_service,
)


class Calls(AsyncTestCase):
    async def test_a_sale_from_the_order_to_the_verified_payment(self) -> None:
        async with selling() as (sandbox, till):
            checkout = await till.create_order(**order(1), timeout=PATIENCE)
            self.assertIn("/checkout/1", checkout.url)
            self.assertEqual(
                (await till.get_status(order_id="ORD-1")).transaction_status,
                "Pending",
            )
            waiting = asyncio.ensure_future(
                till.wait_for_payment(order_id="ORD-1", wait=PATIENCE, interval=0.01)
            )
            sandbox.press("pay")
            waited = await waiting
            assert waited.status is not None
            expected = {"orderId": "ORD-1", "amount": "100.00"}
            self.assertTrue(payorder.verify_payment(expected, waited.status).paid)
            with self.assertRaises(payorder.DuplicateError):
                await till.create_order(**order(1))
            with self.assertRaises(payorder.OutcomeUnknownError):
                await till.create_order(**order(2, "Tea sandbox:drop-before"))
            entries = [entry async for entry in till.journal.list()]
            self.assertEqual([one.state for one in entries], ["created", "unknown"])
            resolved = await till.journal.resolve(timeout=PATIENCE)
            (left,) = resolved.entries
            settled = await till.journal.settle(left.entry, note="asked")
            self.assertEqual(settled.state, "settled")
            self.assertEqual(await till.journal.prune(older_than_days=1), 0)
            async with till.get_statuses(["ORD-1", "ORD-9"]) as results:
                errors = {one.query: one.error async for one in results}
            self.assertIsNone(errors["ORD-1"])
            self.assertIsInstance(errors["ORD-9"], payorder.RejectedError)
            self.assertEqual(results.summary.asked, 2)
            self.assertEqual(till.take_undelivered(), [])
        with self.assertRaises(payorder.InvalidHandleError):
            await till.get_status(order_id="ORD-1")

    async def test_the_journal_is_read_page_by_page(self) -> None:
        async with selling() as (sandbox, till):
            for number in range(5):
                await till.create_order(**order(number))
            with mock.patch("payorder.aio.journals._PAGE", 2):
                listed = [one.order_id async for one in till.journal.list(limit=4)]
            self.assertEqual(listed, [f"ORD-{number}" for number in range(4)])
            with self.assertRaises(payorder.InvalidArgumentError):
                async for _ in till.journal.list(state="lost"):
                    pass

    async def test_calls_run_at_the_same_time_and_not_in_the_event_loop(self) -> None:
        all_here = threading.Barrier(8)

        def answer(_: Request) -> Dict[str, Any]:
            all_here.wait(PATIENCE)
            return STATUS

        with Service(answer) as service:
            async with client(service.url) as till:
                asked = (till.get_status(order_id="ORD-1") for _ in range(8))
                self.assertEqual(len(await asyncio.gather(*asked)), 8)

    async def test_wrong_arguments_are_refused(self) -> None:
        async with client("http://127.0.0.1:9") as till:
            wrong: Any = "token"
            with self.assertRaisesRegex(TypeError, "cancellation must be"):
                await till.get_status(order_id="ORD-1", cancellation=wrong)
            with self.assertRaises(TypeError):
                await till.create_order({"amount": 1.5})
            with self.assertRaisesRegex(TypeError, "put it into a list"):
                async for _ in till.get_statuses("ORD-1"):
                    pass
            self.assertEqual(till.take_undelivered(), [])
            with self.assertRaisesRegex(TypeError, "client must be"):
                aio.AsyncClient(wrong)
            for limit in (0, -1, True, 1.5):
                limits: Dict[str, Any] = {"max_calls": limit}
                with self.assertRaises(payorder.InvalidConfigError):
                    aio.AsyncClient(till._client, **limits)

    async def test_log_events_have_the_context_of_the_task(self) -> None:
        request: contextvars.ContextVar[str] = contextvars.ContextVar("request")
        seen: List[Optional[str]] = []

        class Handler(logging.Handler):
            def emit(self, record: logging.LogRecord) -> None:
                seen.append(request.get(""))

        log, handler = logging.getLogger("payorder"), Handler()
        log.addHandler(handler)
        self.addCleanup(log.removeHandler, handler)
        with mock.patch.object(log, "level", logging.INFO), Service(STATUS) as service:
            async with client(service.url) as till:
                request.set("request 7")
                await till.get_status(order_id="ORD-1")
        self.assertEqual(set(seen), {"request 7"})

    async def test_a_cancellation_ends_a_call(self) -> None:
        with raw_service(hold) as host:
            async with client(f"http://{host}") as till:
                with payorder.Cancellation() as cancellation:
                    asyncio.get_running_loop().call_later(SHORT, cancellation.cancel)
                    with self.assertRaises(payorder.CancelledInFlightError):
                        await till.create_order(**ORDER, cancellation=cancellation)
                    with self.assertRaises(payorder.CancelledError):
                        await till.get_status(
                            order_id="ORD-1", cancellation=cancellation
                        )
                with self.assertRaises(payorder.InvalidHandleError):
                    await till.get_status(order_id="ORD-1", cancellation=cancellation)
                asyncio.get_running_loop().call_later(SHORT, till.cancel)
                with self.assertRaises(payorder.CancelledInFlightError):
                    await till.create_order(**ORDER)
                self.assertEqual(till.take_undelivered(), [])

    def test_every_method_is_there_with_the_same_arguments(self) -> None:
        for own, other, elsewhere in (
            (aio.AsyncClient, payorder.Client, {"close", "from_env"}),
            (aio.AsyncJournal, payorder.Journal, set()),
        ):
            methods = {
                name: method
                for name, method in vars(other).items()
                if inspect.isfunction(method) and not name.startswith("_")
            }
            self.assertGreaterEqual(len(methods), 4)
            for name in set(methods) - elsewhere:
                with self.subTest(name):
                    self.assertEqual(
                        list(inspect.signature(vars(own)[name]).parameters.values()),
                        list(inspect.signature(methods[name]).parameters.values()),
                    )
                    ordinary = (
                        "get_statuses",
                        "list",
                        "cancel",
                        "stop",
                        "set_credentials",
                    )
                    coroutine = name not in ordinary
                    self.assertEqual(
                        inspect.iscoroutinefunction(vars(own)[name]), coroutine
                    )
                    self.assertEqual(
                        vars(own)[name].__qualname__, f"{own.__name__}.{name}"
                    )


class Threads(AsyncTestCase):
    async def test_a_full_default_executor_delays_no_order(self) -> None:
        loop, blocked = asyncio.get_running_loop(), threading.Event()
        others = [loop.run_in_executor(None, blocked.wait, PATIENCE) for _ in range(99)]
        try:
            with Service(CREATED) as service:
                async with client(service.url) as till:
                    checkout = await till.create_order(**ORDER)
            self.assertEqual(checkout.url, CHECKOUT_URL)
        finally:
            blocked.set()
            await asyncio.gather(*others)

    async def test_waiting_for_payments_delays_no_order(self) -> None:
        def answer(request: Request) -> Dict[str, Any]:
            if request.path.endswith("CreateOrder"):
                return CREATED
            data = {**STATUS["data"], "transactionStatus": "Pending"}
            return {**STATUS, "data": data}

        with Service(answer) as service:
            async with client(service.url, max_calls=1, max_waits=1) as till:
                waits = [
                    asyncio.ensure_future(
                        caught(till.wait_for_payment(order_id="ORD-1"))
                    )
                    for _ in range(3)
                ]
                await until(lambda: len(service.requests) > 0)
                self.assertEqual((await till.create_order(**ORDER)).url, CHECKOUT_URL)
                for wait in waits:
                    wait.cancel()
                    await wait

    async def test_no_more_threads_than_allowed(self) -> None:
        most: List[int] = []

        def answer(_: Request) -> Dict[str, Any]:
            names = [one.name for one in threading.enumerate()]
            most.append(names.count("payorder-aio"))
            # Long enough for other calls to begin.
            time.sleep(0.02)
            return STATUS

        with Service(answer) as service:
            async with client(service.url, max_calls=3) as till:
                asked = (till.get_status(order_id="ORD-1") for _ in range(30))
                self.assertEqual(len(await asyncio.gather(*asked)), 30)
        self.assertLessEqual(max(most), 3)

    async def test_without_a_thread_nothing_is_sent(self) -> None:
        async with client("http://127.0.0.1:9") as till:
            with mock.patch.object(
                _thread, "start_new_thread", side_effect=RuntimeError("no thread")
            ):
                with self.assertRaises(payorder.InternalError) as raised:
                    await till.create_order(**ORDER)
            self.assertEqual(raised.exception.cause, payorder.Cause.NO_RESOURCES)
            self.assertEqual(raised.exception.outcome, "not_sent")
            with self.assertRaises(payorder.ConnectError):
                await till.create_order(**ORDER)
            self.assertEqual(till.take_undelivered(), [])

    async def test_one_thread_is_enough_for_a_call(self) -> None:
        start, failed = threading.Thread.start, []

        def fail(thread: threading.Thread) -> None:
            if thread.name == "payorder-aio":
                failed.append(thread)
                raise RuntimeError("no thread")
            start(thread)

        with Service(STATUS) as service:
            async with client(service.url) as till:
                with mock.patch.object(threading.Thread, "start", fail):
                    status = await till.get_status(order_id="ORD-1")
        self.assertEqual((status.order_id, len(failed)), ("ORD-1", 1))


class ManyStatuses(AsyncTestCase):
    def answer(self, request: Request) -> Dict[str, Any]:
        asked = json.loads(request.body)["orderId"]
        return {**STATUS, "data": {**STATUS["data"], "orderId": asked}}

    async def test_a_slow_program_slows_the_queries_down(self) -> None:
        with Service(self.answer) as service:
            async with client(service.url) as till:
                endless = (f"ORD-{number}" for number in itertools.count())
                async with till.get_statuses(endless, concurrency=4) as results:
                    await results.__anext__()
                    # The number of requests stops growing.
                    before = -1
                    while before != len(service.requests):
                        before = len(service.requests)
                        await asyncio.sleep(0.5)
                    self.assertLess(before, 1000)
                    for _ in range(before + 100):
                        await results.__anext__()
                    self.assertGreater(len(service.requests), before)
                with self.assertRaises(StopAsyncIteration):
                    await results.__anext__()
                self.assertTrue(results.summary.stopped)

    async def test_a_cancelled_task_ends_the_queries(self) -> None:
        with raw_service(hold) as host:
            async with client(f"http://{host}") as till:
                results = till.get_statuses(["ORD-1", "ORD-2"])
                task = asyncio.ensure_future(caught(results.__anext__()))
                await asyncio.sleep(0.2)
                task.cancel()
                await task
                self.assertEqual([one async for one in results], [])

    async def test_a_source_that_blocks_does_not_block_a_cancelled_task(self) -> None:
        blocked = threading.Event()

        def source() -> Iterator[str]:
            blocked.wait(PATIENCE)
            yield "ORD-1"

        async with client("http://127.0.0.1:9") as till:
            results = till.get_statuses(source())
            task = asyncio.ensure_future(caught(results.__anext__()))
            await asyncio.sleep(0.1)
            with self.assertRaisesRegex(RuntimeError, "another task"):
                await results.__anext__()
            task.cancel()
            before = time.monotonic()
            await task
            self.assertLess(time.monotonic() - before, PATIENCE / 2)
            blocked.set()

    async def test_a_cancellation_ends_the_queries_without_an_exception(self) -> None:
        with raw_service(hold) as host, payorder.Cancellation() as cancellation:
            async with client(f"http://{host}") as till:
                results = till.get_statuses(["ORD-1"], cancellation=cancellation)
                asyncio.get_running_loop().call_later(0.2, cancellation.cancel)
                seen = [one async for one in results]
                for one in seen:
                    self.assertIsNotNone(one.error)
                self.assertTrue(results.summary.stopped)


if __name__ == "__main__":
    unittest.main()

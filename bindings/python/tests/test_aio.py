"""The client for asyncio does what the other one does, and a cancelled task loses no order."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import inspect
import itertools
import json
import logging
import os
import socket
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path
from typing import Any, Awaitable, Callable, Dict, Iterator, List, Optional, Type
from unittest import mock

import payorder
from payorder import aio

from .counted import CountedTestCase
from .program import run
from .sandbox import CREDENTIALS as SANDBOX_CREDENTIALS
from .sandbox import Sandbox
from .service import (
    CHECKOUT_URL,
    CREATED,
    CREDENTIALS,
    ORDER,
    PATIENCE,
    STATUS,
    Request,
    Service,
    hold,
    raw_service,
    read_request,
)


def order(number: int, product: str = "Tea") -> Dict[str, Any]:
    return {
        **ORDER,
        "order_id": f"ORD-{number}",
        "merchant_txn_id": f"MTX-{number}",
        "product_info": product,
    }


class Held:
    """A service that receives an order and answers when `go` is set."""

    def __init__(self) -> None:
        self.received = threading.Event()
        self.go = threading.Event()

    def __call__(self, _: Request) -> Dict[str, Any]:
        self.received.set()
        self.go.wait(PATIENCE)
        return CREATED


class Silent:
    """A service that receives requests and never answers, for `raw_service`.

    `received` says whether a complete request arrived; `marker` is created then.
    """

    def __init__(self, marker: Optional[Path] = None) -> None:
        self.received = threading.Event()
        self._marker = marker

    def __call__(self, connection: socket.socket) -> None:
        read_request(connection)
        if self._marker is not None:
            self._marker.touch()
        self.received.set()
        hold(connection)


#: Seconds: long enough to send a request, and short enough to wait for.
SHORT = PATIENCE / 20


def client(url: str, **limits: int) -> aio.AsyncClient:
    return aio.AsyncClient(
        payorder.Client(url, proxy="none", timeout=PATIENCE, **CREDENTIALS), **limits
    )


async def until(happened: Callable[[], bool]) -> None:
    """Waits for something that happens in another thread."""
    give_up = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < give_up, "it did not happen"
        await asyncio.sleep(0.005)


async def caught(call: Awaitable[Any]) -> BaseException:
    """The `CancelledError` of a call, as the program's task sees it."""
    try:
        result = await call
    except asyncio.CancelledError as error:
        return error
    raise AssertionError(f"not cancelled: {result!r}")


def found(error: BaseException) -> aio.OrderCancelled:
    outcome = aio.OrderCancelled.find(error)
    assert outcome is not None, repr(error)
    return outcome


class AsyncTestCase(CountedTestCase, unittest.IsolatedAsyncioTestCase):
    def tearDown(self) -> None:
        give_up = time.monotonic() + PATIENCE
        while any(one.name == "payorder-aio" for one in threading.enumerate()):
            self.assertLess(time.monotonic(), give_up, "a thread was left over")
            time.sleep(0.005)
        super().tearDown()


class Calls(AsyncTestCase):
    async def test_a_sale_from_the_order_to_the_verified_payment(self) -> None:
        with Sandbox() as sandbox, tempfile.TemporaryDirectory() as folder:
            sync = payorder.Client(
                sandbox.url,
                proxy="none",
                journal=Path(folder) / "orders.sqlite",
                **SANDBOX_CREDENTIALS,
            )
            async with aio.AsyncClient(sync) as till:
                checkout = await till.create_order(**order(1), timeout=PATIENCE)
                self.assertIn("/checkout/1", checkout.url)
                self.assertEqual(
                    (await till.get_status(order_id="ORD-1")).transaction_status,
                    "Pending",
                )
                waiting = asyncio.ensure_future(
                    till.wait_for_payment(
                        order_id="ORD-1", wait=PATIENCE, interval=0.01
                    )
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
        with Sandbox() as sandbox, tempfile.TemporaryDirectory() as folder:
            sync = payorder.Client(
                sandbox.url,
                proxy="none",
                journal=Path(folder) / "orders.sqlite",
                **SANDBOX_CREDENTIALS,
            )
            async with aio.AsyncClient(sync) as till:
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

    def test_the_arguments_are_those_of_the_other_client(self) -> None:
        for own, other in (
            (aio.AsyncClient, payorder.Client),
            (aio.AsyncJournal, payorder.Journal),
        ):
            compared = 0
            for name, method in vars(own).items():
                if inspect.isfunction(method) and not name.startswith("_"):
                    same = vars(other).get(name)
                    if same is not None:
                        compared += 1
                        self.assertEqual(
                            list(inspect.signature(method).parameters.values()),
                            list(inspect.signature(same).parameters.values()),
                        )
            self.assertGreaterEqual(compared, 4)


class CancelledTasks(AsyncTestCase):
    async def test_the_outcome_of_a_cancelled_order_is_known(self) -> None:
        silent = Silent()
        with raw_service(silent) as host, tempfile.TemporaryDirectory() as folder:
            sync = payorder.Client(
                f"http://{host}",
                proxy="none",
                journal=Path(folder) / "orders.sqlite",
                **CREDENTIALS,
            )
            async with aio.AsyncClient(sync) as till:
                task = asyncio.ensure_future(caught(till.create_order(**ORDER)))
                await until(silent.received.is_set)
                task.cancel()
                await asyncio.sleep(0)
                # A second time, while the task waits for the outcome.
                task.cancel()
                error = await task
                self.assertIs(type(error), asyncio.CancelledError)
                outcome = found(error)
                self.assertIsInstance(outcome.error, payorder.CancelledInFlightError)
                self.assertTrue(outcome.may_exist)
                assert outcome.error is not None
                self.assertEqual(
                    outcome.error.status_query, {"searchType": "1", "orderId": "ORD-1"}
                )
                self.assertIn("ORD-1", str(outcome))
                (kept,) = till.take_undelivered()
                self.assertEqual(kept.order_id, "ORD-1")
                self.assertEqual(till.take_undelivered(), [])
                (entry,) = [one async for one in till.journal.list()]
                self.assertEqual((entry.order_id, entry.state), ("ORD-1", "unknown"))

    async def test_a_checkout_url_that_arrives_with_the_cancellation_is_kept(
        self,
    ) -> None:
        with Service(CREATED) as service:
            async with client(service.url) as till:
                task = asyncio.ensure_future(caught(till.create_order(**ORDER)))
                await asyncio.sleep(0)
                (call,) = till._undelivered._calls.values()
                # Without giving the event loop time: the task has not seen the result.
                give_up = time.monotonic() + PATIENCE
                while not call.ended and time.monotonic() < give_up:
                    time.sleep(0.005)
                task.cancel()
                outcome = found(await task)
                assert outcome.checkout is not None
                self.assertEqual(outcome.checkout.url, CHECKOUT_URL)
                self.assertIn(CHECKOUT_URL, str(outcome))
                # What is kept has none of the customer's data.
                self.assertNotIn(ORDER["customer_email"], repr(vars(call)))
                self.assertFalse(hasattr(call, "_function"))
                (kept,) = till.take_undelivered()
                self.assertEqual(kept.checkout, outcome.checkout)

    async def test_an_order_that_did_not_begin_is_not_sent(self) -> None:
        held = Held()
        with Service(held) as service:
            async with client(service.url, max_calls=1) as till:
                first = asyncio.ensure_future(till.create_order(**order(1)))
                await until(held.received.is_set)
                second = asyncio.ensure_future(caught(till.create_order(**order(2))))
                third = asyncio.ensure_future(till.create_order(**order(3)))
                await asyncio.sleep(0.05)
                second.cancel()
                outcome = found(await second)
                self.assertFalse(first.done())
                self.assertIsInstance(outcome.error, payorder.CancelledError)
                self.assertFalse(outcome.may_exist)
                self.assertEqual(len(service.requests), 1)
                held.go.set()
                self.assertEqual((await first).url, CHECKOUT_URL)
                self.assertEqual((await third).url, CHECKOUT_URL)
                asked = [json.loads(one.body)["orderId"] for one in service.requests]
                self.assertEqual(asked, ["ORD-1", "ORD-3"])
                self.assertEqual(till.take_undelivered(), [])

    async def test_wait_for(self) -> None:
        with raw_service(hold) as host:
            async with client(f"http://{host}") as till:
                with self.assertRaises(asyncio.TimeoutError) as raised:
                    await asyncio.wait_for(till.create_order(**ORDER), SHORT)
                # Python 3.8 does not chain the exceptions.
                if sys.version_info >= (3, 9):
                    outcome = found(raised.exception)
                    self.assertIsInstance(
                        outcome.error, payorder.CancelledInFlightError
                    )
                (kept,) = till.take_undelivered()
                self.assertIsInstance(kept.error, payorder.CancelledInFlightError)

    @unittest.skipIf(sys.version_info < (3, 11), "asyncio.timeout needs Python 3.11")
    async def test_timeout(self) -> None:
        with raw_service(hold) as host:
            async with client(f"http://{host}") as till:
                with self.assertRaises(TimeoutError) as raised:
                    async with asyncio.timeout(SHORT):  # type: ignore[attr-defined, unused-ignore]
                        await till.create_order(**ORDER)
                self.assertTrue(found(raised.exception).may_exist)
                task: Any = asyncio.current_task()
                self.assertEqual(task.cancelling(), 0)
                self.assertEqual(len(till.take_undelivered()), 1)

    async def test_a_limit_of_the_library_cancels_no_task(self) -> None:
        with raw_service(hold) as host:
            async with client(f"http://{host}") as till:
                with self.assertRaises(payorder.ResponseTimeoutError):
                    await till.create_order(**ORDER, timeout=SHORT)
                self.assertEqual(till.take_undelivered(), [])

    async def test_a_cancelled_wait_has_the_last_status(self) -> None:
        pending = {**STATUS, "data": {**STATUS["data"], "transactionStatus": "Pending"}}
        with Service(pending) as service:
            async with client(service.url) as till:
                task = asyncio.ensure_future(
                    caught(till.wait_for_payment(order_id="ORD-1", interval=0.01))
                )
                # The second query begins after the first status.
                await until(lambda: len(service.requests) >= 2)
                task.cancel()
                cause = (await task).__cause__
        assert isinstance(cause, payorder.PayorderError) and cause.status is not None
        self.assertEqual(cause.status.transaction_status, "Pending")

    async def test_a_coroutine_that_is_closed_keeps_its_order(self) -> None:
        held = Held()
        with Service(held) as service:
            async with client(service.url) as till:
                coroutine: Any = till.create_order(**ORDER)
                coroutine.send(None)
                await until(held.received.is_set)
                coroutine.close()
                kept: List[aio.OrderCancelled] = []

                def taken() -> bool:
                    kept.extend(till.take_undelivered())
                    return bool(kept)

                await until(taken)
                held.go.set()
        self.assertIsInstance(kept[0].error, payorder.CancelledInFlightError)

    async def test_outcomes_can_be_pickled_and_copied(self) -> None:
        import copy
        import pickle

        checkout = payorder.Checkout(json.dumps(CREATED))
        outcome = aio.OrderCancelled("ORD-1", checkout, None)
        for one in (copy.copy(outcome), pickle.loads(pickle.dumps(outcome))):
            self.assertEqual((one.order_id, one.checkout), ("ORD-1", checkout))


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
                threading.Thread, "start", side_effect=RuntimeError("no thread")
            ):
                with self.assertRaises(payorder.InternalError) as raised:
                    await till.create_order(**ORDER)
            self.assertEqual(raised.exception.cause, payorder.Cause.NO_RESOURCES)
            self.assertEqual(raised.exception.outcome, "not_sent")
            with self.assertRaises(payorder.ConnectError):
                await till.create_order(**ORDER)
            self.assertEqual(till.take_undelivered(), [])


class ManyStatuses(AsyncTestCase):
    def answer(self, request: Request) -> Dict[str, Any]:
        asked = json.loads(request.body)["orderId"]
        return {**STATUS, "data": {**STATUS["data"], "orderId": asked}}

    async def test_every_query_has_its_result(self) -> None:
        with Service(self.answer) as service:
            async with client(service.url) as till:
                wanted = [f"ORD-{number}" for number in range(300)]
                async with till.get_statuses(iter(wanted), concurrency=16) as results:
                    seen = [one.query async for one in results]
                self.assertEqual(sorted(seen), sorted(wanted))
                self.assertEqual(results.summary.ok, 300)
                self.assertFalse(results.summary.stopped)

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

    async def test_an_exception_of_the_source_comes_after_the_results(self) -> None:
        def source() -> Iterator[str]:
            yield "ORD-1"
            raise LookupError("no more")

        with Service(self.answer) as service:
            async with client(service.url) as till:
                seen: List[str] = []
                with self.assertRaises(LookupError):
                    async for one in till.get_statuses(source()):
                        seen.append(one.query)
        self.assertEqual(seen, ["ORD-1"])


class EventLoops(CountedTestCase):
    """Event loops that end during a call."""

    def kept(self, till: aio.AsyncClient) -> aio.OrderCancelled:
        give_up = time.monotonic() + PATIENCE
        while time.monotonic() < give_up:
            for outcome in till.take_undelivered():
                return outcome
            time.sleep(0.01)
        raise AssertionError("the outcome is lost")

    def test_an_order_of_a_closed_event_loop_is_kept(self) -> None:
        held = Held()
        with Service(held) as service:
            till = client(service.url)
            loop = asyncio.new_event_loop()
            task = loop.create_task(till.create_order(**ORDER))
            loop.run_until_complete(until(held.received.is_set))
            loop.close()
            held.go.set()
            outcome = self.kept(till)
            assert outcome.checkout is not None
            self.assertEqual(outcome.checkout.url, CHECKOUT_URL)
            # The next event loop works.
            self.assertEqual(
                asyncio.run(self.one(till, till.create_order(**ORDER))).url,
                CHECKOUT_URL,
            )
            # Otherwise asyncio would print that it was destroyed.
            task._log_destroy_pending = False  # type: ignore[attr-defined]
            del task

    async def one(self, till: aio.AsyncClient, call: Awaitable[Any]) -> Any:
        async with till:
            return await call

    def test_tasks_that_are_left_at_the_end_are_cancelled(self) -> None:
        async def main(till: aio.AsyncClient) -> "asyncio.Task[Any]":
            task = asyncio.ensure_future(till.create_order(**ORDER))
            await until(silent.received.is_set)
            return task

        silent = Silent()
        with raw_service(silent) as host:
            till = client(f"http://{host}")
            task = asyncio.run(main(till))
            self.assertTrue(task.cancelled())
            outcome = self.kept(till)
            self.assertIsInstance(outcome.error, payorder.CancelledInFlightError)
            till._client.close()

    def test_the_program_ends_during_a_call(self) -> None:
        program = """
            import asyncio, os, sys
            import payorder
            from payorder import aio

            till = aio.AsyncClient(payorder.Client(
                sys.argv[1], access_token="token", proxy="none", timeout=600,
                client_key="key", client_id="id", secret_key="secret",
                journal=sys.argv[2],
            ), max_calls=1)
            order = dict(zip(
                "amount merchant_txn_id order_id pay_mode merchant_id product_info"
                " customer_name customer_mobile customer_email redirection_url"
                " currency_code".split(),
                ["1.00", "MTX-1", "ORD-1", "all", "M", "Tea", "A", "9000000001",
                 "a@example.com", "https://shop.example.com", "INR"],
            ))
            loop = asyncio.new_event_loop()
            task = loop.create_task(till.create_order(**order))
            later = loop.create_task(till.create_order(
                **{**order, "order_id": "ORD-2", "merchant_txn_id": "MTX-2"}))

            async def sent():
                while not os.path.exists(sys.argv[3]):
                    await asyncio.sleep(0.01)

            loop.run_until_complete(sent())
            print("ending", flush=True)
        """
        with tempfile.TemporaryDirectory() as folder:
            path, marker = Path(folder) / "orders.sqlite", Path(folder) / "sent"
            stack = contextlib.ExitStack()
            self.addCleanup(stack.close)
            host = stack.enter_context(raw_service(Silent(marker)))
            began = time.monotonic()
            ended = run(program, f"http://{host}", str(path), str(marker))
            self.assertLess(time.monotonic() - began, PATIENCE)
            self.assertEqual(ended.returncode, 0, ended.stderr)
            self.assertIn("ending", ended.stdout)
            with payorder.Client("https://a.example", journal=path) as reader:
                entries = [(one.order_id, one.state) for one in reader.journal.list()]
            self.assertEqual(entries, [("ORD-1", "unknown")])

    @unittest.skipUnless(os.name == "posix", "needs the signals of Unix")
    def test_ctrl_c_ends_an_order_and_shows_its_outcome(self) -> None:
        program = """
            import asyncio, os, signal, sys, threading, time
            import payorder
            from payorder import aio
            from tests.service import CREDENTIALS, ORDER

            async def main():
                sync = payorder.Client(
                    sys.argv[1], proxy="none", journal=sys.argv[2], **CREDENTIALS)
                async with aio.AsyncClient(sync) as till:
                    try:
                        await till.create_order(**ORDER)
                    finally:
                        print("kept", till.take_undelivered())

            def press():
                while not os.path.exists(sys.argv[3]):
                    time.sleep(0.01)
                os.kill(os.getpid(), signal.SIGINT)

            # A job in the background of a shell ignores it.
            signal.signal(signal.SIGINT, signal.default_int_handler)
            threading.Thread(target=press, daemon=True).start()
            asyncio.run(main())
        """
        with tempfile.TemporaryDirectory() as folder:
            path, marker = Path(folder) / "orders.sqlite", Path(folder) / "sent"
            stack = contextlib.ExitStack()
            self.addCleanup(stack.close)
            host = stack.enter_context(raw_service(Silent(marker)))
            ended = run(program, f"http://{host}", str(path), str(marker))
            self.assertIn("KeyboardInterrupt", ended.stderr)
            self.assertIn("kept [OrderCancelled('ORD-1'", ended.stdout)
            with payorder.Client("https://a.example", journal=path) as reader:
                self.assertEqual(next(reader.journal.list()).state, "unknown")
            if sys.version_info >= (3, 11):
                self.assertIn("OrderCancelled: the task of the order", ended.stderr)

    @unittest.skipUnless(hasattr(os, "fork"), "needs fork")
    def test_a_forked_child_has_threads_of_its_own(self) -> None:
        program = """
            import asyncio, os, sys
            import payorder
            from payorder import aio

            till = aio.AsyncClient(payorder.Client(
                sys.argv[1], proxy="none", client_key="key", client_id="id",
                secret_key="secret", access_token="token",
            ), max_calls=1)

            async def ask():
                return (await till.get_status(order_id="ORD-1", timeout=30)).order_id

            async def fork_during_a_call():
                held = asyncio.ensure_future(till.get_status(order_id="held", timeout=30))
                await asyncio.sleep(0.3)
                child = os.fork()
                if child == 0:
                    return None
                held.cancel()
                return child

            child = asyncio.new_event_loop().run_until_complete(fork_during_a_call())
            if child is None:
                print("child", asyncio.new_event_loop().run_until_complete(ask()), flush=True)
                os._exit(0)
            print("ended", os.waitpid(child, 0)[1])
        """
        free = threading.Event()

        def answer(request: Request) -> Dict[str, Any]:
            if b"held" in request.body:
                free.wait(2)
            return STATUS

        with Service(answer) as service:
            ended = run(program, service.url)
        self.assertIn("child ORD-1", ended.stdout, ended.stderr)
        self.assertIn("ended 0", ended.stdout, ended.stderr)


if __name__ == "__main__":
    unittest.main()

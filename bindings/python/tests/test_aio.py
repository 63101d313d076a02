"""What the conformance suite does not say of the client for asyncio: its threads and iterators."""

from __future__ import annotations

import _thread
import asyncio
import itertools
import tempfile
import threading
import time
import unittest
from typing import Any, Awaitable, Callable, Iterator
from unittest import mock

import payorder
from payorder import aio

from .support import (
    CHECKOUT_URL,
    HELD,
    ORDER,
    PATIENCE,
    CountedTestCase,
    eventually,
    order,
    served,
)


async def until(happened: Callable[[], bool]) -> None:
    """Waits in a task for something that happens in another thread."""
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


class AsyncTestCase(CountedTestCase, unittest.IsolatedAsyncioTestCase):
    def tearDown(self) -> None:
        def none_left() -> bool:
            return all(one.name != "payorder-aio" for one in threading.enumerate())

        self.assertTrue(eventually(none_left), "a thread was left over")
        super().tearDown()


class Threads(AsyncTestCase):
    async def test_no_more_calls_run_at_once_than_allowed(self) -> None:
        held = {"found": {}, "hold": True}
        with served(status=[held]) as (service, client):
            till = aio.AsyncClient(client, max_calls=3)
            asked = [
                asyncio.ensure_future(till.get_status(order_id="ORD-1"))
                for _ in range(30)
            ]
            # Three at the same time, and not in the event loop.
            await until(lambda: len(service.requests) == 3)
            await asyncio.sleep(0.1)
            self.assertEqual(len(service.requests), 3)
            service.release()
            self.assertEqual(len(await asyncio.gather(*asked)), 30)

    async def test_no_other_work_delays_an_order(self) -> None:
        loop, blocked = asyncio.get_running_loop(), threading.Event()
        others = [loop.run_in_executor(None, blocked.wait, PATIENCE) for _ in range(99)]
        pending = {"found": {"transactionStatus": "Pending"}}
        with served(status=[pending]) as (service, client):
            till = aio.AsyncClient(client, max_calls=1, max_waits=1)
            waits = [
                asyncio.ensure_future(caught(till.wait_for_payment("ORD-1")))
                for _ in range(3)
            ]
            await until(lambda: len(service.requests) > 0)
            self.assertEqual((await till.create_order(**ORDER)).url, CHECKOUT_URL)
            for wait in waits:
                wait.cancel()
                await wait
        blocked.set()
        await asyncio.gather(*others)

    async def test_without_a_thread_nothing_is_sent(self) -> None:
        with served() as (service, client):
            till = aio.AsyncClient(client)
            with mock.patch.object(
                _thread, "start_new_thread", side_effect=RuntimeError
            ):
                with self.assertRaises(payorder.InternalError) as raised:
                    await till.create_order(**ORDER)
            self.assertEqual(raised.exception.cause, payorder.Cause.NO_RESOURCES)
            self.assertEqual(raised.exception.outcome, "not_sent")
            self.assertEqual(service.requests, [])
            start = threading.Thread.start

            def fail(thread: threading.Thread) -> None:
                if thread.name == "payorder-aio":
                    raise RuntimeError
                start(thread)

            # One thread is enough.
            with mock.patch.object(threading.Thread, "start", fail):
                self.assertEqual((await till.create_order(**ORDER)).url, CHECKOUT_URL)
            with self.assertRaises(TypeError):
                await till.create_order({"amount": 1.5})
            self.assertEqual(till.take_undelivered(), [])


class Iterators(AsyncTestCase):
    async def test_the_journal_is_read_page_by_page(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            with served({"journal": f"{folder}/orders"}) as (_, client):
                till = aio.AsyncClient(client)
                for number in range(5):
                    await till.create_order(**order(number))
                with mock.patch("payorder.aio.journals._PAGE", 2):
                    listed = [one.order_id async for one in till.journal.list(limit=4)]
        self.assertEqual(listed, [f"ORD-{number}" for number in range(4)])

    async def test_a_slow_program_slows_the_queries_down(self) -> None:
        with served() as (service, client):
            till = aio.AsyncClient(client)
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

    async def test_a_cancelled_task_ends_the_queries_also_if_their_source_blocks(
        self,
    ) -> None:
        blocked = threading.Event()

        def source() -> Iterator[str]:
            blocked.wait(PATIENCE)
            yield "ORD-1"

        with served(status=[HELD]) as (_, client):
            till = aio.AsyncClient(client)
            for queries in (["ORD-1", "ORD-2"], source()):
                results = till.get_statuses(queries)
                task = asyncio.ensure_future(caught(results.__anext__()))
                await asyncio.sleep(0.2)
                with self.assertRaisesRegex(RuntimeError, "another task"):
                    await results.__anext__()
                task.cancel()
                before = time.monotonic()
                await task
                self.assertLess(time.monotonic() - before, PATIENCE / 2)
                self.assertEqual([one async for one in results], [])
            blocked.set()

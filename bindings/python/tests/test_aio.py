"""What the conformance suite does not say of the client for asyncio: threads and iterators."""

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

from .support import HELD, ORDER, PATIENCE, CountedTestCase, eventually, order, served


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
    async def test_without_a_thread_nothing_is_sent(self) -> None:
        with tempfile.TemporaryDirectory() as folder, served({"journal": f"{folder}/orders"}) as (
            service,
            client,
        ):
            till = aio.AsyncClient(client)
            no_thread = mock.patch.object(_thread, "start_new_thread", side_effect=RuntimeError)
            with no_thread, self.assertRaises(payorder.InternalError) as raised:
                await till.journal.prune()
            self.assertEqual(raised.exception.cause, payorder.Cause.NO_THREAD)
            # A loop that cannot watch a descriptor needs one for all calls.
            with no_thread, cannot_watch():
                with self.assertRaises(payorder.InternalError):
                    await till.create_order(**ORDER)
            self.assertEqual(service.requests, [])
            with self.assertRaises(TypeError):
                await till.create_order({"amount": 1.5})
            self.assertEqual(till.take_undelivered(), [])

    async def test_a_loop_that_cannot_watch_a_descriptor_has_a_thread(self) -> None:
        with served() as (_, client), cannot_watch():
            till = aio.AsyncClient(client)
            for _ in range(3):
                created = [till.create_order(**order(number)) for number in range(10)]
                urls = {one.url for one in await asyncio.gather(*created)}
                self.assertEqual(len(urls), 10)
            # `tearDown` waits for the end of the thread.


def cannot_watch() -> Any:
    """As the event loop of Windows."""
    loop = type(asyncio.get_running_loop())
    return mock.patch.object(loop, "add_reader", side_effect=NotImplementedError)


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
                self.assertTrue(results.summary.stopped)
            blocked.set()

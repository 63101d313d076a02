"""A cancelled task, a closed event loop and the end of the program lose no order."""

from __future__ import annotations

import asyncio
import copy
import itertools
import os
import pickle
import sys
import tempfile
import time
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Awaitable, Callable, List, Tuple, Type
from unittest import mock

import payorder
from payorder import aio
from payorder._library import library
from payorder.aio.calls import QueuedCall
from payorder.started import Queue, StartedCall

from .support import (
    CHECKOUT_URL,
    CREATED,
    HELD,
    ORDER,
    PATIENCE,
    CountedTestCase,
    Service,
    eventually,
    order,
    run,
    served,
)
from .test_aio import AsyncTestCase, caught, until

#: Seconds: long enough to send a request, and short enough to wait for.
SHORT = PATIENCE / 20


async def started(client: payorder.Client) -> None:
    """Until a task has started its call, and no longer: no task gets its result meanwhile."""
    while not client._queue.has_calls():
        await asyncio.sleep(0)


def found(error: BaseException) -> aio.OrderCancelled:
    outcome = aio.OrderCancelled.find(error)
    assert outcome is not None, repr(error)
    return outcome


class CancelledTasks(AsyncTestCase):
    def check_unknown(self, outcome: aio.OrderCancelled) -> None:
        self.assertEqual(outcome.order_id, "ORD-1")
        self.assertIn("ORD-1", str(outcome))
        self.assertTrue(outcome.may_exist)
        error = outcome.error
        assert isinstance(error, payorder.CancelledInFlightError)
        query = {"searchType": "1", "orderId": "ORD-1"}
        self.assertEqual(error.status_query, query)

    async def test_the_outcome_of_a_cancelled_order_is_known(self) -> None:
        with tempfile.TemporaryDirectory() as folder, served(
            {"journal": f"{folder}/orders"}, create=[HELD]
        ) as (service, client):
            till = aio.AsyncClient(client)
            task = asyncio.ensure_future(caught(till.create_order(**ORDER)))
            await until(lambda: len(service.requests) == 1)
            task.cancel()
            await asyncio.sleep(0)
            # A second time, while the task waits for the outcome.
            task.cancel()
            error = await task
            self.assertIs(type(error), asyncio.CancelledError)
            self.check_unknown(found(error))
            (kept,) = till.take_undelivered()
            self.check_unknown(kept)
            self.assertEqual(till.take_undelivered(), [])
            (entry,) = client.journal.list()
            self.assertEqual((entry.order_id, entry.state), ("ORD-1", "unknown"))
            # An idle client is not in the event loop.
            self.assertFalse(till._loops._watches)

    async def test_a_checkout_url_that_arrives_with_the_cancellation_is_kept(
        self,
    ) -> None:
        with served() as (_, client):
            till = aio.AsyncClient(client)
            task = asyncio.ensure_future(caught(till.create_order(**ORDER)))
            await started(client)
            (call,) = till._undelivered._calls.values()
            # Without giving the event loop time: the task has not seen the result.
            eventually(lambda: not library.payorder_live_calls())
            task.cancel()
            outcome = found(await task)
            assert outcome.checkout is not None
            self.assertEqual(outcome.checkout.url, CHECKOUT_URL)
            self.assertIn(CHECKOUT_URL, str(outcome))
            # What is kept has none of the customer's data.
            kept_objects = repr([vars(call), vars(call.made)])
            self.assertIn("ORD-1", kept_objects)
            self.assertNotIn(ORDER["customer_email"], kept_objects)
            (kept,) = till.take_undelivered()
            self.assertEqual(kept.checkout, outcome.checkout)

    async def test_an_order_that_did_not_begin_is_not_sent(self) -> None:
        held = {"created": {}, "hold": True}
        with served({"max_calls": 1}, create=[held]) as (service, client):
            till = aio.AsyncClient(client)
            first = asyncio.ensure_future(till.create_order(**order(1)))
            await until(lambda: len(service.requests) == 1)
            second = asyncio.ensure_future(caught(till.create_order(**order(2))))
            third = asyncio.ensure_future(till.create_order(**order(3)))
            await asyncio.sleep(0.05)
            second.cancel()
            outcome = found(await second)
            self.assertFalse(first.done())
            self.assertIsInstance(outcome.error, payorder.CancelledError)
            self.assertFalse(outcome.may_exist)
            service.release()
            await asyncio.gather(first, third)
            asked = [one["orderId"] for one in service.bodies()]
            self.assertEqual(asked, ["ORD-1", "ORD-3"])
            self.assertEqual(till.take_undelivered(), [])

    async def test_nothing_is_sent_for_a_task_that_is_already_cancelled(self) -> None:
        def cancel(task: Any) -> None:
            task.cancel()

        def time_limit(task: Any) -> None:
            asyncio.get_running_loop().call_later(0, task.cancel)
            time.sleep(0.05)

        with served() as (service, client):
            till = aio.AsyncClient(client)

            async def late(end: Callable[[Any], None]) -> None:
                end(asyncio.current_task())
                await till.create_order(**ORDER)

            for end in (cancel, time_limit):
                error = await asyncio.ensure_future(caught(late(end)))
                self.assertIsNone(aio.OrderCancelled.find(error))
            await till.get_status(order_id="ORD-1")
            self.assertEqual([one.to for one in service.requests], ["status"])
            self.assertEqual(till._undelivered._calls, {})

    async def test_a_call_that_begins_is_in_flight(self) -> None:
        for turns in (1, 2):
            with served() as (service, client):
                till = aio.AsyncClient(client)
                order = asyncio.ensure_future(till.create_order(**ORDER))
                wait = asyncio.ensure_future(till.wait_for_payment("ORD-1", wait=PATIENCE))
                for _ in range(turns):
                    await asyncio.sleep(0)
                till.cancel()
                for task in (order, wait):
                    with self.assertRaises(payorder.CancelledError):
                        await task
                self.assertEqual(service.requests, [])
                order = asyncio.ensure_future(till.create_order(**ORDER))
                for _ in range(turns):
                    await asyncio.sleep(0)
                await till.aclose()
                self.assertEqual((await order).url, CHECKOUT_URL)

    async def test_timeouts_of_asyncio_have_the_outcome(self) -> None:
        async def with_timeout(call: Awaitable[Any]) -> None:
            async with asyncio.timeout(SHORT):  # type: ignore[attr-defined, unused-ignore]
                await call

        limits: List[Any] = [lambda call: asyncio.wait_for(call, SHORT)]
        limits += [with_timeout] if sys.version_info >= (3, 11) else []
        with served(create=[HELD]) as (_, client):
            till = aio.AsyncClient(client)
            for limited in limits:
                with self.assertRaises(asyncio.TimeoutError) as raised:
                    await limited(till.create_order(**ORDER))
                # Python 3.8 does not chain the exceptions.
                if sys.version_info >= (3, 9):
                    self.check_unknown(found(raised.exception))
                (kept,) = till.take_undelivered()
                self.check_unknown(kept)
            if sys.version_info >= (3, 11):
                task: Any = asyncio.current_task()
                self.assertEqual(task.cancelling(), 0)

    async def test_a_cancelled_wait_has_the_last_status(self) -> None:
        pending = {"found": {"transactionStatus": "Pending"}}
        with served(status=[pending]) as (service, client):
            waiting = aio.AsyncClient(client).wait_for_payment("ORD-1", interval=0.01)
            task = asyncio.ensure_future(caught(waiting))
            # The second query begins after the first status.
            await until(lambda: len(service.requests) >= 2)
            task.cancel()
            cause = (await task).__cause__
        assert isinstance(cause, payorder.PayorderError) and cause.status is not None
        self.assertEqual(cause.status.transaction_status, "Pending")

    async def test_a_coroutine_that_is_closed_keeps_its_order(self) -> None:
        with served(create=[HELD]) as (service, client):
            till = aio.AsyncClient(client)
            coroutine: Any = till.create_order(**ORDER)
            while not client._queue.has_calls():
                coroutine.send(None)
            await until(lambda: len(service.requests) == 1)
            coroutine.close()
            self.check_unknown(kept_by(till))

    async def test_an_exception_of_a_signal_handler_keeps_the_order(self) -> None:
        start = Queue.start

        def started(*arguments: Any) -> None:
            start(*arguments)
            service.received()
            raise Alarm

        with served(create=[HELD]) as (service, client):
            till = aio.AsyncClient(client)
            with mock.patch.object(Queue, "start", started):
                with self.assertRaises(Alarm):
                    await till.create_order(**ORDER)
            self.check_unknown(kept_by(till))
            client.close()
            with self.assertRaises(payorder.InvalidHandleError):
                await till.create_order(**ORDER)
            self.assertEqual(till._undelivered._calls, {})

    @unittest.skipUnless(os.name == "posix", "a thread takes the answers on Windows")
    async def test_a_cancelled_task_gets_an_answer_that_was_not_given_to_it(
        self,
    ) -> None:
        with served() as (_, client), interrupted(Alarm):
            till = aio.AsyncClient(client)
            task = asyncio.ensure_future(caught(till.create_order(**ORDER)))
            await started(client)
            # The event loop does not run meanwhile.
            self.assertTrue(eventually(lambda: not library.payorder_live_calls()))
            with self.assertRaises(Alarm):
                till.take_undelivered()
            task.cancel()
            ended, _ = await asyncio.wait([task], timeout=PATIENCE)
            # So that the test can end if it fails.
            client._queue.settle()
            self.assertTrue(ended)
            checkout = found(task.result()).checkout
            assert checkout is not None
            self.assertEqual(checkout.url, CHECKOUT_URL)

    async def test_a_cancelled_task_ends_although_its_event_loop_did_not_wake_it(
        self,
    ) -> None:
        with served() as (_, client):
            till = aio.AsyncClient(client)
            with mock.patch.object(QueuedCall, "wake", lambda _: None):
                task = asyncio.ensure_future(caught(till.create_order(**ORDER)))
                await started(client)
            await until(lambda: not client._queue.has_calls())
            task.cancel()
            ended, _ = await asyncio.wait([task], timeout=PATIENCE)
            for call in till._undelivered._calls.values():
                # So that the test can end if it fails.
                call._wake()
            self.assertTrue(ended)
            self.assertIsNotNone(found(task.result()).checkout)

    async def test_outcomes_can_be_pickled_and_copied(self) -> None:
        checkout = payorder.Checkout.from_json(CREATED)
        outcome = aio.OrderCancelled("ORD-1", checkout, None)
        for one in (copy.copy(outcome), pickle.loads(pickle.dumps(outcome))):
            self.assertEqual((one.order_id, one.checkout), ("ORD-1", checkout))


class Alarm(Exception):
    """What a signal handler raises."""


def interrupted(
    kind: Callable[[], BaseException], owner: Any = StartedCall, name: str = "_end"
) -> Any:
    """A signal handler raises an exception when a function begins, once.

    Without a name, when an answer was taken, before it has its call.
    """
    function = getattr(owner, name)
    interrupts = [kind]

    def interrupted_function(*arguments: Any) -> Any:
        if interrupts:
            raise interrupts.pop()()
        return function(*arguments)

    return mock.patch.object(owner, name, interrupted_function)


def kept_by(till: aio.AsyncClient) -> aio.OrderCancelled:
    kept: List[aio.OrderCancelled] = []

    def taken() -> bool:
        kept.extend(till.take_undelivered())
        return bool(kept)

    assert eventually(taken), "the outcome is lost"
    return kept[0]


class EventLoops(CountedTestCase):
    """Event loops that end during a call."""

    def test_an_order_of_a_closed_event_loop_is_kept(self) -> None:
        with served(create=[{"created": {}, "hold": True}]) as (service, client):
            till = aio.AsyncClient(client)
            loop = asyncio.new_event_loop()
            task = loop.create_task(till.create_order(**ORDER))
            loop.run_until_complete(until(lambda: len(service.requests) == 1))
            loop.close()
            service.release()
            outcome = kept_by(till)
            assert outcome.checkout is not None
            self.assertEqual(outcome.checkout.url, CHECKOUT_URL)

            async def next_one() -> payorder.Checkout:
                return await till.create_order(**ORDER)

            # The next event loop works.
            self.assertEqual(asyncio.run(next_one()).url, CHECKOUT_URL)
            # Otherwise asyncio would print that it was destroyed.
            task._log_destroy_pending = False  # type: ignore[attr-defined]
            del task

    @unittest.skipUnless(os.name == "posix", "a thread takes the answers on Windows")
    def test_a_task_gets_its_answer_after_an_exception_of_a_signal_handler(
        self,
    ) -> None:
        kinds: Tuple[Type[BaseException], ...] = (KeyboardInterrupt, Alarm)
        for kind in kinds:
            with served() as (_, client), interrupted(kind):
                loop = asyncio.new_event_loop()
                raised: List[Any] = []
                loop.set_exception_handler(lambda _, said: raised.append(said))
                task = loop.create_task(aio.AsyncClient(client).create_order(**ORDER))
                try:
                    loop.run_until_complete(asyncio.wait([task], timeout=PATIENCE))
                except KeyboardInterrupt as stop:
                    raised.append(stop)
                    loop.run_until_complete(asyncio.wait([task], timeout=PATIENCE))
                self.assertEqual(len(raised), 1)
                self.assertTrue(task.done())
                self.assertEqual(task.result().url, CHECKOUT_URL)
                loop.run_until_complete(asyncio.sleep(0))
                loop.close()

    def test_an_exception_while_the_task_reads_its_answer_loses_no_order(self) -> None:
        places = (StartedCall, "result"), (payorder.Checkout, "__init__"), (QueuedCall, "leave")
        for kind, place in itertools.product((KeyboardInterrupt, Alarm), places):
            with self.subTest(f"{kind.__name__} in {place[1]}"), served() as (_, client):
                till = aio.AsyncClient(client)
                with interrupted(kind, *place), self.assertRaises(kind):
                    asyncio.run(till.create_order(**ORDER))
                checkout = kept_by(till).checkout
                assert checkout is not None
                self.assertEqual(checkout.url, CHECKOUT_URL)

    def test_an_error_of_the_library_that_a_handler_raises_hides_no_order(self) -> None:
        def failed_call() -> BaseException:
            with self.assertRaises(payorder.NotSentError) as raised:
                client.get_status({})
            return raised.exception

        start = Queue.start

        def started(*arguments: Any) -> None:
            start(*arguments)
            service.received()
            raise failed_call()

        interrupts = [
            interrupted(failed_call, StartedCall, "result"),
            mock.patch.object(Queue, "start", started),
        ]
        for interrupt in interrupts:
            with served() as (service, client), interrupt:
                till = aio.AsyncClient(client)
                with self.assertRaises(aio.OrderCancelled) as raised:
                    asyncio.run(till.create_order(**ORDER))
                self.assertIsInstance(raised.exception.__cause__, payorder.NotSentError)
                self.assertTrue(raised.exception.may_exist)
                self.assertIn("ORD-1", str(raised.exception))
                self.assertTrue(kept_by(till).may_exist)

    def test_event_loops_in_several_threads_share_a_client(self) -> None:
        with served() as (_, client):
            till = aio.AsyncClient(client)

            async def some(first: int) -> List[str]:
                orders = (till.create_order(**order(first + n)) for n in range(20))
                return [one.url for one in await asyncio.gather(*orders)]

            with ThreadPoolExecutor() as pool:
                urls = list(pool.map(lambda n: asyncio.run(some(n * 20)), range(4)))
        expected = [CHECKOUT_URL.replace("ORD-1", f"ORD-{n}") for n in range(80)]
        self.assertEqual(sum(urls, []), expected)

    def ended_while_sent(self, program: str) -> Tuple[str, str]:
        """Runs a program until an order of its journal was sent, and a while. Its two outputs."""
        with tempfile.TemporaryDirectory() as folder:
            journal = str(Path(folder, "orders"))
            with Service(create=[HELD]) as service:
                began = time.monotonic()
                ended = run(BEGINNING + program, service.url, journal)
                self.assertLess(time.monotonic() - began, PATIENCE)
            with payorder.Client("https://a.example", journal=journal) as reader:
                entries = [(one.order_id, one.state) for one in reader.journal.list()]
        self.assertEqual(entries, [("ORD-1", "unknown")], ended.stderr)
        return ended.stdout, ended.stderr

    def test_the_program_ends_during_a_call(self) -> None:
        output, errors = self.ended_while_sent(
            """
    loop = asyncio.new_event_loop()
    task = loop.create_task(till.create_order(**ORDER))
    later = loop.create_task(till.create_order(**order(2)))
    loop.run_until_complete(sent())
    print("ending", flush=True)
"""
        )
        self.assertIn("ending", output, errors)

    @unittest.skipUnless(os.name == "posix", "needs the signals of Unix")
    def test_ctrl_c_ends_an_order_and_shows_its_outcome(self) -> None:
        output, errors = self.ended_while_sent(
            """
    async def press():
        await sent()
        os.kill(os.getpid(), signal.SIGINT)

    async def main():
        pressing = asyncio.ensure_future(press())
        try:
            await till.create_order(**ORDER)
        finally:
            print("kept", till.take_undelivered())

    # A job in the background of a shell ignores it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    asyncio.run(main())
"""
        )
        self.assertIn("KeyboardInterrupt", errors)
        self.assertIn("kept [OrderCancelled('ORD-1'", output)
        if sys.version_info >= (3, 11):
            self.assertIn("OrderCancelled: the task of the order", errors)

    @unittest.skipUnless(hasattr(os, "fork"), "needs fork")
    def test_a_forked_child_has_threads_of_its_own(self) -> None:
        held = {"found": {}, "hold": True}
        with Service(status=[held, {"found": {}}]) as service:
            ended = run(BEGINNING + FORKING, service.url, "")
        self.assertEqual(ended.stdout, "child ORD-1\nended 0\nparent True\n", ended.stderr)


#: A program with a client that makes one call at a time.
BEGINNING = """
    import asyncio, gc, os, signal, sys
    import payorder
    from payorder import aio
    from payorder._library import library
    from tests.support import CREDENTIALS, ORDER, order

    client = payorder.Client(
        sys.argv[1], proxy="none", timeout=600, journal=sys.argv[2] or None, max_calls=1,
        **CREDENTIALS)
    till = aio.AsyncClient(client)

    async def sent():
        while not library.payorder_live_calls():
            await asyncio.sleep(0.01)
        await asyncio.sleep(2)
"""

FORKING = """
    async def ask():
        return (await till.get_status(order_id="ORD-1")).order_id

    async def fork_during_a_call():
        held = asyncio.ensure_future(till.get_status(order_id="held"))
        await sent()
        return os.fork(), held

    async def until_cancelled(held):
        await asyncio.wait([held], timeout=20)

    loop = asyncio.new_event_loop()
    child, held = loop.run_until_complete(fork_during_a_call())
    if child == 0:
        held._log_destroy_pending = False
        del held, loop
        gc.collect()
        print("child", asyncio.new_event_loop().run_until_complete(ask()), flush=True)
        os._exit(0)
    print("ended", os.waitpid(child, 0)[1])
    # What the child did with the loop has not disturbed this one.
    held.cancel()
    loop.run_until_complete(until_cancelled(held))
    print("parent", held.cancelled())
"""

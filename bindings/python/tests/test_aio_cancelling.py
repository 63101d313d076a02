"""A cancelled task, a closed event loop and the end of the program lose no order."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path
from typing import Any, Awaitable, Dict, List

import payorder
from payorder import aio

from .asyncio_case import (
    SHORT,
    AsyncTestCase,
    Held,
    Silent,
    caught,
    client,
    ended_while_sent,
    found,
    order,
    until,
)
from .counted import CountedTestCase
from .program import run
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


class CancelledTasks(AsyncTestCase):
    async def test_the_outcome_of_a_cancelled_order_is_known(self) -> None:
        silent = Silent()
        with raw_service(silent) as host, tempfile.TemporaryDirectory() as folder:
            async with client(f"http://{host}", Path(folder, "orders")) as till:
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
            from tests.service import CREDENTIALS, ORDER

            till = aio.AsyncClient(payorder.Client(
                sys.argv[1], proxy="none", timeout=600, journal=sys.argv[2], **CREDENTIALS,
            ), max_calls=1)
            loop = asyncio.new_event_loop()
            task = loop.create_task(till.create_order(**ORDER))
            later = loop.create_task(till.create_order(
                **{**ORDER, "order_id": "ORD-2", "merchant_txn_id": "MTX-2"}))

            async def sent():
                while not os.path.exists(sys.argv[3]):
                    await asyncio.sleep(0.01)

            loop.run_until_complete(sent())
            print("ending", flush=True)
        """
        began = time.monotonic()
        ended, entries = ended_while_sent(program)
        self.assertLess(time.monotonic() - began, PATIENCE)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertIn("ending", ended.stdout)
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
        ended, entries = ended_while_sent(program)
        self.assertIn("KeyboardInterrupt", ended.stderr)
        self.assertIn("kept [OrderCancelled('ORD-1'", ended.stdout)
        self.assertEqual(entries, [("ORD-1", "unknown")])
        if sys.version_info >= (3, 11):
            self.assertIn("OrderCancelled: the task of the order", ended.stderr)

    @unittest.skipUnless(hasattr(os, "fork"), "needs fork")
    def test_a_forked_child_has_threads_of_its_own(self) -> None:
        program = """
            import asyncio, os, sys
            import payorder
            from payorder import aio
            from tests.service import CREDENTIALS

            till = aio.AsyncClient(
                payorder.Client(sys.argv[1], proxy="none", **CREDENTIALS), max_calls=1)

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

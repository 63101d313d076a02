"""Calls that are started, and taken without asyncio."""

from __future__ import annotations

import os
import signal
import threading
import time
import unittest
from typing import Any, List
from unittest import mock

import payorder
from payorder.started import StartedCall

from .support import (
    CHECKOUT_URL,
    HELD,
    ORDER,
    PATIENCE,
    CountedTestCase,
    Service,
    run,
    served,
)


class Started(CountedTestCase):
    def test_calls_are_taken_in_the_order_in_which_they_ended(self) -> None:
        held = {"created": {}, "hold": True}
        with served(create=[held]) as (service, client):
            self.assertEqual(client.take_done(), [])
            slow = client.start("create_order", ORDER)
            self.assertTrue(service.received())
            quick = client.start("get_status", "ORD-1", timeout=5)
            with self.assertRaisesRegex(RuntimeError, "has not ended"):
                quick.result()
            self.assertEqual(client.take_done(PATIENCE), [quick])
            # Those of a closed client too.
            client.close()
            service.release()
            self.assertEqual(client.take_done(PATIENCE), [slow])
            self.assertEqual(slow.result().url, CHECKOUT_URL)
            self.assertEqual(quick.result().order_id, "ORD-1")
            # Nothing is in the queue: this does not wait.
            self.assertEqual(client.take_done(PATIENCE), [])

    def test_a_call_that_cannot_be_started_is_an_error_at_once(self) -> None:
        wrong: Any = "prune"
        with served() as (service, client), payorder.Cancellation() as stop:
            with self.assertRaisesRegex(TypeError, "only create_order, get_status"):
                client.start(wrong)
            with self.assertRaises(payorder.InvalidArgumentError):
                client.start("get_status", "ORD-1", timeout=-1)
            stop.close()
            with self.assertRaises(payorder.InvalidHandleError):
                client.start("get_status", "ORD-1", cancellation=stop)
            self.assertEqual(client.take_done(PATIENCE), [])
            self.assertEqual(service.requests, [])

    @unittest.skipUnless(os.name == "posix", "needs the signals of Unix")
    def test_ctrl_c_ends_the_wait_and_loses_no_answer(self) -> None:
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, before)
        held = {"created": {}, "hold": True}
        with served(create=[held]) as (service, client):
            call = client.start("create_order", ORDER)
            kill = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
            kill.start()
            began = time.monotonic()
            with self.assertRaises(KeyboardInterrupt):
                client.take_done(PATIENCE)
            self.assertLess(time.monotonic() - began, PATIENCE / 2)
            kill.join()
            service.release()
            self.assertEqual(client.take_done(PATIENCE), [call])
            self.assertEqual(call.result().url, CHECKOUT_URL)

    def test_an_exception_of_a_signal_handler_at_the_worst_moment_loses_none(
        self,
    ) -> None:
        end = StartedCall._end
        interrupts: List[BaseException] = [KeyboardInterrupt()]

        def interrupted(call: Any, *answer: Any) -> None:
            if interrupts:
                raise interrupts.pop()
            end(call, *answer)

        with served() as (_, client):
            call = client.start("create_order", ORDER)
            with mock.patch.object(StartedCall, "_end", interrupted):
                with self.assertRaises(KeyboardInterrupt):
                    client.take_done(PATIENCE)
                self.assertEqual(client.take_done(), [call])
            self.assertEqual(call.result().url, CHECKOUT_URL)

    def test_the_program_ends_while_calls_run_and_are_logged(self) -> None:
        with Service(create=[HELD]) as service:
            began = time.monotonic()
            ended = run(ENDS, service.url)
            self.assertLess(time.monotonic() - began, PATIENCE)
            self.assertEqual(len(service.requests), 4)
        self.assertEqual((ended.stderr, ended.returncode), ("", 0))
        # All are logged, also those that were in the queue.
        self.assertEqual(ended.stdout.count('"call_finished"'), 20)


ENDS = """
    import logging, sys, time
    import payorder
    from tests.support import CREDENTIALS, order

    logging.basicConfig(stream=sys.stdout, level=logging.INFO, format="%(message)s")
    client = payorder.Client(sys.argv[1], proxy="none", max_calls=4, **CREDENTIALS)
    for number in range(20):
        client.start("create_order", order(number))
    time.sleep(0.5)
"""

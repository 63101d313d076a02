"""Calls that are started, and taken without asyncio."""

from __future__ import annotations

import gc
import math
import opcode
import os
import signal
import sys
import threading
import time
import unittest
from typing import Any, List, Tuple, Type
from unittest import mock

import payorder
from payorder.started import Queue, StartedCall

from .support import (
    CHECKOUT_URL,
    CREDENTIALS,
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

    def test_each_call_can_be_cancelled_by_itself_or_by_a_cancellation(self) -> None:
        with served(create=[HELD]) as (service, client):
            stop = payorder.Cancellation()
            one = client.start("create_order", order(1))
            other = client.start("create_order", order(2), cancellation=stop)
            third = client.start("create_order", order(3))
            self.assertTrue(service.received(3))
            for ended, cancel in ((other, stop.cancel), (one, one.cancel)):
                cancel()
                self.assertEqual(client.take_done(PATIENCE), [ended])
                with self.assertRaises(payorder.CancelledInFlightError):
                    ended.result()
            one.cancel()
            self.assertFalse(third.ended)
            client.cancel()
            self.assertEqual(client.take_done(PATIENCE), [third])

    def test_a_wait_of_any_length_can_be_asked_for(self) -> None:
        with served(create=[HELD]) as (_, client):
            # A wait that is too long ends after 5 seconds, with the call.
            call = client.start("create_order", ORDER, timeout=5)
            for past in (-0.002, -1e30, -math.inf):
                self.assertEqual(client.take_done(past), [])
            call.cancel()
            self.assertEqual(client.take_done(math.inf), [call])

    def test_the_calls_of_a_closed_client_that_nobody_has_finish(self) -> None:
        settings = {"proxy": "none", "max_calls": 1, **CREDENTIALS}
        with Service() as service:

            def sell() -> List[StartedCall[Any]]:
                with payorder.Client(service.url, **settings) as till:
                    return [till.start("create_order", order(n)) for n in range(3)]

            calls = sell()
            gc.collect()
            self.assertTrue(service.received(3))

            def ended() -> bool:
                # The next client takes their answers.
                payorder.Client(service.url, **settings)
                return all(call.ended for call in calls)

            self.assertTrue(eventually(ended))
            self.assertEqual(len({call.result().url for call in calls}), 3)

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

    def test_an_exception_at_any_instruction_of_start_loses_no_call(self) -> None:
        class Alarm(Exception):
            pass

        code = Queue.start.__code__
        kinds: Tuple[Type[BaseException], ...] = (Alarm, KeyboardInterrupt)
        for kind in kinds:
            passed = taken = number = 0

            def trace(frame: Any, event: str, _: Any) -> Any:
                nonlocal passed
                if frame.f_code is not code:
                    return None
                frame.f_trace_opcodes = True
                passed += event == "opcode"
                if passed == number:
                    raise kind
                return trace

            with served({"max_calls": 1}) as (service, client):
                # Python 3.12 traces instructions only if this was set before.
                sys._getframe().f_trace_opcodes = True
                before = sys.gettrace()
                while number <= passed:
                    number, passed = number + 1, 0
                    try:
                        sys.settrace(trace)
                        client.start("get_status", "ORD-1")
                    except kind:
                        pass
                    finally:
                        sys.settrace(before)
                    ended = client.take_done(PATIENCE)
                    # One that the library does not have would be there for ever.
                    self.assertFalse(client._queue.has_calls(), number)
                    taken += len(ended)
                self.assertGreater(number, 50)
                self.assertEqual(taken, len(service.requests))

    def test_an_exception_at_any_instruction_of_take_loses_no_call(self) -> None:
        code, passed, number = Queue.take.__code__, 0, 0
        returns = {code for name, code in opcode.opmap.items() if "RETURN" in name}

        def trace(frame: Any, event: str, _: Any) -> Any:
            nonlocal passed
            if frame.f_code is not code:
                return None
            frame.f_trace_opcodes = True
            # What has been returned is the program's.
            passed += event == "opcode" and code.co_code[frame.f_lasti] not in returns
            if passed == number:
                raise KeyboardInterrupt
            return trace

        with served() as (_, client):
            sys._getframe().f_trace_opcodes = True
            before = sys.gettrace()
            while number <= passed:
                number, passed = number + 1, 0
                call = client.start("get_status", "ORD-1")
                taken: List[Any] = []
                try:
                    sys.settrace(trace)
                    taken = client.take_done(PATIENCE)
                except KeyboardInterrupt:
                    pass
                finally:
                    sys.settrace(before)
                taken += client.take_done(0 if taken else 5)
                self.assertEqual(taken, [call], number)
            self.assertGreater(number, 10)

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

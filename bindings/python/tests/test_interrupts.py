"""Ctrl-C during a call ends status queries and loses no order."""

from __future__ import annotations

import itertools
import os
import signal
import tempfile
import threading
import time
import unittest
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable, List, Optional
from unittest import mock

import payorder

from .support import (
    CHECKOUT_URL,
    HELD,
    ORDER,
    PATIENCE,
    WANTS_ALL,
    CountedTestCase,
    Service,
    order,
    run,
    served,
)


class Alarm(Exception):
    """What a signal handler of the program raises, such as a time limit of a task."""


def alarm(*_: object) -> None:
    raise Alarm


@unittest.skipUnless(hasattr(signal, "raise_signal"), "needs signals")
class InterruptsTestCase(CountedTestCase):
    def setUp(self) -> None:
        # In a background job of a shell, the signal is ignored.
        self.handle(signal.SIGINT, signal.default_int_handler)

    def handle(self, number: int, handler: Callable[..., object]) -> None:
        before = signal.signal(number, handler)
        self.addCleanup(signal.signal, number, before)

    pressed_at = 0.0

    def press(self, service: Service, number: int = signal.SIGINT) -> None:
        """Presses Ctrl-C after the next request has arrived, or sends another signal."""
        requests = len(service.requests) + 1

        def pressing() -> None:
            service.received(requests)
            time.sleep(0.2)
            self.pressed_at = time.monotonic()
            os.kill(os.getpid(), number)

        thread = threading.Thread(target=pressing)
        thread.start()
        self.addCleanup(thread.join, PATIENCE)

    def check_order(self, stop: Optional[BaseException]) -> None:
        """Nobody loses that the order of a call that ended may exist."""
        assert isinstance(stop, payorder.OrderInterrupted)
        error = stop.error
        assert isinstance(error, payorder.CancelledInFlightError)
        self.assertIn(("searchType", "1"), (error.status_query or {}).items())
        self.assertIn("the order may exist", str(stop))


class Calls(InterruptsTestCase):
    def test_what_a_handler_raises_ends_each_waiting_call(self) -> None:
        self.handle(signal.SIGUSR1, alarm)
        numbers = itertools.count()
        kinds = ((signal.SIGINT, KeyboardInterrupt), (signal.SIGUSR1, Alarm))
        with tempfile.TemporaryDirectory() as folder, served(
            {"journal": f"{folder}/orders"}, create=[HELD], status=[HELD]
        ) as (service, client):
            calls: List[Callable[[], object]] = [
                lambda: client.create_order(**order(next(numbers))),
                lambda: client.get_status(order_id="ORD-1"),
                lambda: client.wait_for_payment(order_id="ORD-1"),
                lambda: client.journal.resolve(),
                lambda: list(client.get_statuses(["ORD-1"])),
            ]
            for (number, kind), call in itertools.product(kinds, calls):
                self.press(service, number)
                with self.assertRaises(kind) as caught:
                    call()
                # The library's part is 50 ms. The rest is for a busy machine.
                self.assertLess(time.monotonic() - self.pressed_at, 2)
                stop = caught.exception
                if call is calls[0]:
                    interrupted = isinstance(stop, KeyboardInterrupt)
                    self.check_order(stop if interrupted else stop.__cause__)

    def test_ctrl_c_in_one_call_does_not_end_the_next_or_another_thread_s(self) -> None:
        checkouts: List[payorder.Checkout] = []
        held = {"created": {}, "hold": True}
        with served(create=[held], status=[HELD, HELD, {"found": {}}]) as (
            service,
            client,
        ):
            other = threading.Thread(target=lambda: checkouts.append(client.create_order(**ORDER)))
            other.start()
            self.assertTrue(service.received())
            for call in (client.wait_for_payment, client.get_status):
                self.press(service)
                with self.assertRaises(KeyboardInterrupt):
                    call(order_id="ORD-1")
            self.assertEqual(client.get_status(order_id="ORD-1").amount, "100.00")
            service.release()
            other.join(PATIENCE)
        self.assertEqual([one.url for one in checkouts], [CHECKOUT_URL])

    def test_an_error_of_the_library_that_a_handler_raises_hides_no_order(self) -> None:
        with served(create=[HELD]) as (service, client):
            self.handle(signal.SIGUSR1, lambda *_: client.get_status({}))
            self.press(service, signal.SIGUSR1)
            # Not that one, which says that nothing was sent.
            with self.assertRaises(payorder.CancelledInFlightError) as caught:
                client.create_order(**ORDER)
            self.assertIsInstance(caught.exception.__cause__, payorder.InvalidRequestError)
            self.assertIsNotNone(caught.exception.status_query)
        make = payorder.Checkout.__init__

        def interrupted_make(*arguments: Any) -> None:
            payorder.Checkout.__init__ = make  # type: ignore[method-assign]
            client.get_status({})

        with served() as (_, client):
            with mock.patch.object(payorder.Checkout, "__init__", interrupted_make):
                with self.assertRaises(payorder.OrderInterrupted) as interrupted:
                    client.create_order(**ORDER)
        checkout = interrupted.exception.checkout
        assert checkout is not None
        self.assertEqual(checkout.url, CHECKOUT_URL)

    @unittest.skipUnless(hasattr(signal, "setitimer"), "needs timers")
    def test_a_storm_of_signals_whose_handler_raises_nothing_ends_no_call(self) -> None:
        heard: List[int] = []
        self.handle(signal.SIGALRM, lambda number, _: heard.append(number))
        with served(create=[{"created": {}, "hold": True}]) as (service, client):
            timer = threading.Timer(0.5, service.release)
            timer.start()
            signal.setitimer(signal.ITIMER_REAL, 0.0005, 0.0005)
            try:
                self.assertEqual(client.create_order(**ORDER).url, CHECKOUT_URL)
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
        # Each time that the library lets Python run them, about every 50 ms.
        self.assertGreater(len(heard), 3)


class Programs(InterruptsTestCase):
    def test_no_order_is_lost_at_any_instruction(self) -> None:
        ended = run(AT_EVERY_INSTRUCTION)
        self.assertEqual((ended.stderr, ended.returncode), ("", 0))
        self.assertRegex(ended.stdout, r"^[1-9]\d\d+ instructions, 0 orders lost\n$")

    @unittest.skipUnless(hasattr(signal, "setitimer"), "needs timers")
    def test_a_waiting_call_raises_what_a_handler_raises(self) -> None:
        moments = 400 if WANTS_ALL else 24
        raised = f"{{'Alarm()': {moments}}}\nno call goes on\n"
        # A program for each call, at the same time, because they mostly wait.
        with ThreadPoolExecutor() as pool:
            running = [
                pool.submit(run, AT_MANY_MOMENTS, str(moments), str(call)) for call in range(4)
            ]
        for one in running:
            # Not its standard error: Python ignores an exception in a function such as `__del__`.
            self.assertEqual(one.result().stdout, raised)

    @unittest.skipUnless(hasattr(os, "fork"), "this system does not fork")
    def test_a_forked_child_is_interrupted_as_its_parent(self) -> None:
        with Service(status=[HELD]) as service:
            ended = run(FORKING, service.url)
        self.assertEqual((ended.stderr, ended.returncode), ("", 0))
        said = "1 thread\nchild: interrupted\n1 thread\nchild: interrupted\n"
        self.assertEqual(ended.stdout, said + "parent: interrupted\n")


#: Presses Ctrl-C before the first instruction of the package that `create_order` runs, then before
#: the second, and so on.
AT_EVERY_INSTRUCTION = """
    import opcode, os, signal, sys
    import payorder
    from tests.support import CHECKOUT_URL, ORDER, Service

    PACKAGE = os.path.dirname(payorder.__file__)
    OUTERMOST = payorder.Client.create_order.__code__
    RETURNS = {number for name, number in opcode.opmap.items() if "RETURN" in name}

    def run_until(number):
        passed = [0]

        def trace(frame, event, argument):
            if not frame.f_code.co_filename.startswith(PACKAGE):
                return None
            # Python itself ignores exceptions that are raised in there.
            if frame.f_code.co_name == "__del__" or frame.f_back.f_code.co_name == "__del__":
                return None
            frame.f_trace_opcodes = True
            if event != "opcode":
                return trace
            # After the outermost function has returned, the program's own instructions follow.
            if frame.f_code is OUTERMOST and frame.f_code.co_code[frame.f_lasti] in RETURNS:
                return trace
            passed[0] += 1
            if passed[0] == number:
                signal.raise_signal(signal.SIGINT)
            return trace

        # Python 3.12 traces instructions only if this was set before.
        sys._getframe().f_trace_opcodes = True
        sys.settrace(trace)
        try:
            order = {**ORDER, "order_id": f"ORD-{number}"}
            return client.create_order(**order), passed[0] >= number, None
        except payorder.OrderInterrupted as stop:
            return stop.checkout, True, stop
        except KeyboardInterrupt as stop:
            return None, True, stop
        finally:
            sys.settrace(None)

    signal.signal(signal.SIGINT, signal.default_int_handler)
    with Service() as service:
        client = payorder.Client(service.url, proxy="none", access_token="t")
        client.create_order(**{**ORDER, "order_id": "FIRST"})
        number, unsaid = 0, {}
        interrupted = True
        while interrupted:
            number += 1
            checkout, interrupted, ended = run_until(number)
            if checkout is not None:
                assert checkout.url == f"{CHECKOUT_URL[:-1]}{number}"
            elif getattr(ended, "error", None) is None:
                unsaid[f"ORD-{number}"] = ended
        # A request can be late in the list.
        sent = {body["orderId"] for body in service.bodies()}
    lost = {order_id: ended for order_id, ended in unsaid.items() if order_id in sent}
    for order_id, ended in lost.items():
        print("lost at instruction", order_id, repr(ended))
    print(f"{number} instructions, {len(lost)} orders lost")
"""

#: A signal handler raises an exception at many moments of one of four calls.
AT_MANY_MOMENTS = """
    import collections, signal, sys, time
    import payorder
    from payorder import _running
    from tests.support import CREDENTIALS, HELD, ORDER, Service

    # What a handler raises while Python 3.11 makes a class becomes a RuntimeError.
    from payorder import Statuses, Summary

    class Alarm(Exception):
        pass

    moments = int(sys.argv[1])
    waiting = False

    def ring(*_):
        if waiting:
            raise Alarm

    signal.signal(signal.SIGALRM, ring)
    raised = collections.Counter()
    with Service(create=[HELD], status=[HELD]) as service:
        client = payorder.Client(service.url, proxy="none", **CREDENTIALS)
        call = (
            lambda: client.create_order(**ORDER),
            lambda: client.get_status(order_id="ORD-1"),
            lambda: client.wait_for_payment(order_id="ORD-1"),
            lambda: list(client.get_statuses(["ORD-1"])),
        )[int(sys.argv[2])]
        for moment in range(moments):
            try:
                waiting = True
                # Again every second, if Python ignores the exception.
                signal.setitimer(signal.ITIMER_REAL, 0.0001 + moment * 0.06 / moments, 1)
                call()
            except BaseException as error:
                waiting = False
                raised[repr(error)] += 1
        give_up = time.monotonic() + 30
        while _running._calls and time.monotonic() < give_up:
            time.sleep(0.01)
    print(dict(raised))
    print("calls go on" if _running._calls else "no call goes on")
"""


#: Children of the main thread and of another thread are interrupted, and so is their parent.
FORKING = """
    import os, signal, sys, threading, time, warnings

    # From Python 3.12 on, of a fork beside another thread.
    warnings.simplefilter("ignore", DeprecationWarning)

    seen = []
    # The function that was registered last runs first.
    os.register_at_fork(before=lambda: seen.append(len(sys._current_frames())))
    import payorder

    signal.signal(signal.SIGINT, signal.default_int_handler)
    keys = dict(client_key="k", client_id="i", secret_key="s")
    client = payorder.Client(sys.argv[1], proxy="none", **keys)

    def wait(name):
        # From a process of its own, because this one must have a single thread.
        presser = os.fork()
        if presser == 0:
            time.sleep(0.5)
            os.kill(os.getppid(), signal.SIGINT)
            os._exit(0)
        try:
            client.get_status(order_id="ORD-1", timeout=20)
        except KeyboardInterrupt:
            print(name, "interrupted", flush=True)
        os.waitpid(presser, 0)

    def fork():
        child = os.fork()
        if child == 0:
            print(seen[-1] - before, "thread", flush=True)
            wait("child:")
            os._exit(0)
        assert os.waitpid(child, 0)[1] == 0

    before = 0
    fork()
    before = 1
    thread = threading.Thread(target=fork)
    thread.start()
    thread.join()
    wait("parent:")
"""

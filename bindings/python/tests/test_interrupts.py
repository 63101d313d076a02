"""Ctrl-C during a call ends status queries and loses no order."""

from __future__ import annotations

import itertools
import os
import pickle
import signal
import socket
import tempfile
import threading
import time
import unittest
from typing import Any, Callable, List, Optional

import payorder
from payorder import _running

from .counted import CountedTestCase
from .program import run
from .service import (
    served,
    CHECKOUT_URL,
    CREATED,
    CREDENTIALS,
    ORDER,
    PATIENCE,
    STATUS,
    WANTS_ALL,
    Request,
    Service,
    hold,
    raw_service,
)
from .many_statuses import wait_until


@unittest.skipUnless(hasattr(signal, "raise_signal"), "needs signals")
class InterruptsTestCase(CountedTestCase):
    def setUp(self) -> None:
        self.arrived, self.pressed = threading.Event(), threading.Event()
        # In a background job of a shell, the signal is ignored.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, before)

    def tearDown(self) -> None:
        self.assertTrue(wait_until(lambda: not _running._calls), "calls that go on")
        super().tearDown()

    pressed_at = 0.0

    def press(
        self,
        *after: float,
        once: Optional[threading.Event] = None,
        number: int = signal.SIGINT,
    ) -> None:
        """Presses Ctrl-C after the event, once for each delay in seconds."""

        def pressing() -> None:
            if once is not None:
                once.wait(PATIENCE)
            for seconds in after:
                time.sleep(seconds)
                self.pressed_at = time.monotonic()
                os.kill(os.getpid(), number)
            self.pressed.set()

        thread = threading.Thread(target=pressing)
        thread.start()
        self.addCleanup(thread.join, PATIENCE)


class Alarm(Exception):
    """What a signal handler of the program raises, such as a time limit of a task."""


def alarm(*_: object) -> None:
    raise Alarm


class Asking(InterruptsTestCase):
    def test_what_a_handler_raises_ends_each_waiting_call(self) -> None:
        def silent(connection: socket.socket) -> None:
            connection.recv(65536)
            self.arrived.set()
            hold(connection)

        before = signal.signal(signal.SIGUSR1, alarm)
        self.addCleanup(signal.signal, signal.SIGUSR1, before)
        ids = iter(("ORD-1", "ORD-2"))

        def create() -> None:
            order = next(ids)
            new = {"order_id": order, "merchant_txn_id": order}
            client.create_order(**{**ORDER, **new})

        with tempfile.TemporaryDirectory() as folder, raw_service(silent) as address:
            with payorder.Client(
                f"http://{address}", journal=f"{folder}/journal", **CREDENTIALS
            ) as client:
                calls: List[Callable[[], object]] = [
                    create,
                    lambda: client.get_status(order_id="ORD-1"),
                    lambda: client.wait_for_payment(order_id="ORD-1"),
                    lambda: client.journal.resolve(),
                    lambda: list(client.get_statuses(["ORD-1"])),
                ]
                kinds = ((signal.SIGINT, KeyboardInterrupt), (signal.SIGUSR1, Alarm))
                for (number, kind), call in itertools.product(kinds, calls):
                    self.arrived.clear()
                    self.press(0.2, once=self.arrived, number=number)
                    with self.assertRaises(kind) as caught:
                        call()
                    took = time.monotonic() - self.pressed_at
                    # The library's part is 50 ms. The rest is for a busy machine.
                    self.assertLess(took, 2)
                    self.check_outcome(caught.exception, call is create)

    def check_outcome(self, stop: BaseException, order: bool) -> None:
        """The order of a call that ended may exist, and nobody loses that."""
        if order:
            known = stop if isinstance(stop, KeyboardInterrupt) else stop.__cause__
            assert isinstance(known, payorder.OrderInterrupted)
            error = known.error
            assert isinstance(error, payorder.CancelledInFlightError)
            self.assertIn(("searchType", "1"), (error.status_query or {}).items())
            self.assertIn("the order may exist", str(known))
        else:
            self.assertIn(type(stop), (KeyboardInterrupt, Alarm))

    def test_ctrl_c_in_one_call_does_not_end_the_next(self) -> None:
        pressed: List[int] = []

        def slow(request: Request) -> Any:
            if not pressed:
                pressed.append(1)
                os.kill(os.getpid(), signal.SIGINT)
                time.sleep(0.3)
                return CREATED
            time.sleep(0.3)
            return STATUS

        with served(slow) as (service, client):
            with self.assertRaises(payorder.OrderInterrupted):
                client.create_order(**ORDER)
            for _ in range(3):
                self.assertEqual(client.get_status(order_id="ORD-1").amount, "100.00")

    def test_other_threads_continue(self) -> None:
        going, arrived = threading.Event(), threading.Event()
        checkouts: List[payorder.Checkout] = []

        def slow(request: Request) -> Any:
            if request.path.endswith("CreateOrder"):
                arrived.set()
            going.wait(PATIENCE)
            return CREATED if request.path.endswith("CreateOrder") else STATUS

        with served(slow) as (service, client):
            other = threading.Thread(
                target=lambda: checkouts.append(client.create_order(**ORDER))
            )
            other.start()
            self.assertTrue(arrived.wait(PATIENCE))
            for call in (client.wait_for_payment, client.get_status):
                self.press(0.3)
                with self.assertRaises(KeyboardInterrupt):
                    call(order_id="ORD-1")
            going.set()
            other.join(PATIENCE)
        self.assertEqual([one.url for one in checkouts], [CHECKOUT_URL])


class Creating(InterruptsTestCase):
    def slow(self) -> Service:
        """Responds after Ctrl-C was pressed and noticed."""

        def answer(request: Request) -> Any:
            self.arrived.set()
            self.pressed.wait(PATIENCE)
            time.sleep(0.5)
            return CREATED

        return Service(answer)

    def test_an_error_of_the_library_that_a_handler_raises_hides_no_order(self) -> None:
        def ask(*_: object) -> None:
            client.get_status({})

        before = signal.signal(signal.SIGUSR1, ask)
        self.addCleanup(signal.signal, signal.SIGUSR1, before)
        with self.slow() as service:
            with payorder.Client(service.url, **CREDENTIALS) as client:
                self.press(0.1, once=self.arrived, number=signal.SIGUSR1)
                with self.assertRaises(payorder.InvalidRequestError) as caught:
                    client.create_order(**ORDER)
        order = caught.exception.__cause__
        assert isinstance(order, payorder.OrderInterrupted)
        self.assertIsInstance(order.error, payorder.CancelledInFlightError)

    def test_no_order_is_lost_at_any_instruction(self) -> None:
        ended = run(AT_EVERY_INSTRUCTION)
        self.assertEqual((ended.stderr, ended.returncode), ("", 0))
        self.assertRegex(ended.stdout, r"^[1-9]\d\d+ instructions, 0 orders lost\n$")

    @unittest.skipUnless(hasattr(signal, "setitimer"), "needs timers")
    def test_a_waiting_query_raises_what_a_handler_raises(self) -> None:
        moments = 400 if WANTS_ALL else 60
        ended = run(AT_MANY_MOMENTS, str(moments))
        # Not its standard error: Python ignores an exception in a function such as `__del__`.
        self.assertEqual(
            ended.stdout, f"{{'Alarm()': {4 * moments}}}\nno call goes on\n"
        )

    @unittest.skipUnless(hasattr(signal, "setitimer"), "needs timers")
    def test_a_storm_of_signals_whose_handler_raises_nothing_ends_no_call(self) -> None:
        heard: List[int] = []
        before = signal.signal(signal.SIGALRM, lambda number, _: heard.append(number))
        self.addCleanup(signal.signal, signal.SIGALRM, before)
        with self.slow() as service:
            self.pressed.set()
            with payorder.Client(service.url, **CREDENTIALS) as client:
                signal.setitimer(signal.ITIMER_REAL, 0.0005, 0.0005)
                try:
                    self.assertEqual(client.create_order(**ORDER).url, CHECKOUT_URL)
                finally:
                    signal.setitimer(signal.ITIMER_REAL, 0)
        # Each time that the library lets Python run them, about every 50 ms.
        self.assertGreater(len(heard), 3)


#: Presses Ctrl-C before the first instruction of the package that `create_order` runs, then before
#: the second, and so on.
AT_EVERY_INSTRUCTION = """
    import opcode, os, signal, sys
    import payorder
    from tests.service import CREATED, ORDER, Service

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
            return client.create_order(**ORDER), passed[0] >= number, None
        except payorder.OrderInterrupted as stop:
            return stop.checkout, True, stop
        except KeyboardInterrupt as stop:
            return None, True, stop
        finally:
            sys.settrace(None)

    signal.signal(signal.SIGINT, signal.default_int_handler)
    with Service(CREATED) as service:
        client = payorder.Client(service.url, proxy="none", access_token="t")
        client.create_order(**ORDER)
        number = lost = 0
        interrupted = True
        while interrupted:
            number += 1
            sent = len(service.requests)
            checkout, interrupted, ended = run_until(number)
            if checkout is not None:
                assert checkout.url == CREATED["data"]["url"]
            elif len(service.requests) > sent and getattr(ended, "error", None) is None:
                lost += 1
                print("lost at instruction", number, repr(ended))
    print(f"{number} instructions, {lost} orders lost")
"""


class Process(InterruptsTestCase):
    """The effects on the host process."""

    @unittest.skipUnless(hasattr(os, "fork"), "this system does not fork")
    def test_a_forked_child_is_interrupted_as_its_parent(self) -> None:
        with raw_service(hold) as address:
            ended = run(FORKING, f"http://{address}")
        self.assertEqual((ended.stderr, ended.returncode), ("", 0))
        said = "1 thread\nchild: interrupted\n1 thread\nchild: interrupted\n"
        self.assertEqual(ended.stdout, said + "parent: interrupted\n")


#: A signal handler raises an exception at many moments of a call.
AT_MANY_MOMENTS = """
    import collections, signal, sys, time
    import payorder
    from payorder import _running
    from tests.service import CREDENTIALS, ORDER, hold, raw_service

    class Alarm(Exception):
        pass

    moments = int(sys.argv[1])
    waiting = False

    def ring(*_):
        if waiting:
            raise Alarm

    signal.signal(signal.SIGALRM, ring)
    raised = collections.Counter()
    with raw_service(hold) as address:
        client = payorder.Client(f"http://{address}", **CREDENTIALS)
        for call in (
            lambda: client.create_order(**ORDER),
            lambda: client.get_status(order_id="ORD-1"),
            lambda: client.wait_for_payment(order_id="ORD-1"),
            lambda: list(client.get_statuses(["ORD-1"])),
        ):
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
    import os, signal, sys, threading, time

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


class Cancellations(CountedTestCase):
    def test_only_a_cancellation_cancels(self) -> None:
        with payorder.Client("http://127.0.0.1:9", **CREDENTIALS) as client:
            anything: Any = "token"
            with self.assertRaisesRegex(TypeError, "must be a payorder.Cancellation"):
                client.get_status(order_id="O", cancellation=anything)
        with payorder.Cancellation() as cancellation:
            with self.assertRaises(TypeError):
                pickle.dumps(cancellation)
        with self.assertRaisesRegex(
            payorder.InvalidHandleError, "cancellation is closed"
        ):
            cancellation.cancel()

"""Ctrl-C during a call ends status queries and loses no order."""

from __future__ import annotations

import os
import pickle
import signal
import socket
import threading
import time
import unittest
from typing import Any, Callable, List, Optional

import payorder
from payorder import _running

from .counted import CountedTestCase
from .program import run
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

    def press(self, *after: float, once: Optional[threading.Event] = None) -> None:
        """Presses Ctrl-C after the event, once for each delay in seconds."""

        def pressing() -> None:
            if once is not None:
                once.wait(PATIENCE)
            for seconds in after:
                time.sleep(seconds)
                os.kill(os.getpid(), signal.SIGINT)
            self.pressed.set()

        thread = threading.Thread(target=pressing)
        thread.start()
        self.addCleanup(thread.join, PATIENCE)


class Asking(InterruptsTestCase):
    def test_a_status_query_ends_at_once(self) -> None:
        def silent(connection: socket.socket) -> None:
            connection.recv(65536)
            self.arrived.set()
            hold(connection)

        with raw_service(silent) as address:
            with payorder.Client(f"http://{address}", **CREDENTIALS) as client:
                calls: List[Callable[[], object]] = [
                    lambda: client.get_status(order_id="ORD-1"),
                    lambda: client.wait_for_payment(order_id="ORD-1"),
                    lambda: list(client.get_statuses(["ORD-1"])),
                ]
                for call in calls:
                    self.arrived.clear()
                    self.press(0.2, once=self.arrived)
                    began = time.monotonic()
                    with self.assertRaises(KeyboardInterrupt) as caught:
                        call()
                    self.assertIs(type(caught.exception), KeyboardInterrupt)
                    self.assertLess(time.monotonic() - began, 10)
                client.cancel()

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

        with Service(slow) as service:
            with payorder.Client(service.url, **CREDENTIALS) as client:
                with self.assertRaises(payorder.OrderInterrupted):
                    client.create_order(**ORDER)
                for _ in range(3):
                    self.assertEqual(
                        client.get_status(order_id="ORD-1").amount, "100.00"
                    )

    def test_other_threads_continue(self) -> None:
        going, arrived = threading.Event(), threading.Event()
        checkouts: List[payorder.Checkout] = []

        def slow(request: Request) -> Any:
            if request.path.endswith("CreateOrder"):
                arrived.set()
            going.wait(PATIENCE)
            return CREATED if request.path.endswith("CreateOrder") else STATUS

        with Service(slow) as service:
            with payorder.Client(service.url, proxy="none", **CREDENTIALS) as client:
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

    def test_an_order_created_meanwhile_comes_with_the_interrupt(self) -> None:
        with self.slow() as service:
            with payorder.Client(service.url, **CREDENTIALS) as client:
                self.press(0.1, once=self.arrived)
                with self.assertRaises(KeyboardInterrupt) as caught:
                    client.create_order(**ORDER)
        stop = caught.exception
        assert isinstance(stop, payorder.OrderInterrupted)
        assert stop.checkout is not None
        self.assertEqual((stop.checkout.url, stop.error), (CHECKOUT_URL, None))
        # The traceback shows this text if the exception is not caught.
        self.assertIn(CHECKOUT_URL, str(stop))

    def test_an_order_that_fails_meanwhile_comes_with_the_interrupt(self) -> None:
        def drop(connection: socket.socket) -> None:
            connection.recv(65536)
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.3)

        with raw_service(drop) as address:
            with payorder.Client(f"http://{address}", **CREDENTIALS) as client:
                with self.assertRaises(payorder.OrderInterrupted) as caught:
                    client.create_order(**ORDER)
        error = caught.exception.error
        assert isinstance(error, payorder.ConnectionLostError)
        self.assertEqual(error.status_query, {"searchType": "1", "orderId": "ORD-1"})
        self.assertIn("the order may exist", str(caught.exception))

    def test_ctrl_c_pressed_twice_cancels(self) -> None:
        def silent(connection: socket.socket) -> None:
            connection.recv(65536)
            self.arrived.set()
            hold(connection)

        with raw_service(silent) as address:
            with payorder.Client(f"http://{address}", **CREDENTIALS) as client:
                self.press(0.1, 0.3, once=self.arrived)
                began = time.monotonic()
                with self.assertRaises(payorder.OrderInterrupted) as caught:
                    client.create_order(**ORDER)
                self.assertLess(time.monotonic() - began, 10)
        error = caught.exception.error
        self.assertIsInstance(error, payorder.CancelledInFlightError)
        assert error is not None
        self.assertEqual(error.status_query, {"searchType": "1", "orderId": "ORD-1"})

    def test_a_handler_that_raises_nothing_has_no_effect(self) -> None:
        heard: List[int] = []
        signal.signal(signal.SIGINT, lambda number, _: heard.append(number))
        with self.slow() as service:
            with payorder.Client(service.url, **CREDENTIALS) as client:
                self.press(0.1, 0.1, once=self.arrived)
                self.assertEqual(client.create_order(**ORDER).url, CHECKOUT_URL)
        self.assertTrue(heard)

    def test_an_exception_of_another_handler_has_the_order_as_its_cause(self) -> None:
        class Alarm(Exception):
            pass

        def alarm(*_: object) -> None:
            raise Alarm

        before = signal.signal(signal.SIGUSR1, alarm)
        self.addCleanup(signal.signal, signal.SIGUSR1, before)
        with self.slow() as service:
            with payorder.Client(service.url, **CREDENTIALS) as client:

                def ring() -> None:
                    self.arrived.wait(PATIENCE)
                    os.kill(os.getpid(), signal.SIGUSR1)
                    self.pressed.set()

                ringing = threading.Thread(target=ring)
                ringing.start()
                with self.assertRaises(Alarm) as caught:
                    client.create_order(**ORDER)
                ringing.join(PATIENCE)
        order = caught.exception.__cause__
        assert isinstance(order, payorder.OrderInterrupted)
        assert order.checkout is not None
        self.assertEqual(order.checkout.url, CHECKOUT_URL)

    def test_no_order_is_lost_at_any_instruction(self) -> None:
        ended = run(AT_EVERY_INSTRUCTION)
        self.assertEqual((ended.stderr, ended.returncode), ("", 0))
        self.assertRegex(ended.stdout, r"^[1-9]\d\d+ instructions, 0 orders lost\n$")

    @unittest.skipUnless(hasattr(signal, "setitimer"), "needs timers")
    def test_a_waiting_query_raises_what_a_handler_raises(self) -> None:
        ended = run(AT_MANY_MOMENTS)
        # Not its standard error: Python ignores an exception in a function such as `__del__`.
        self.assertEqual(ended.stdout, "{'Alarm()': 800}\nno call goes on\n")


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

    def test_the_file_descriptor_for_signals_stays_the_programs(self) -> None:
        reading, writing = os.pipe()
        os.set_blocking(writing, False)
        self.addCleanup(os.close, reading)
        self.addCleanup(os.close, writing)
        with Service(STATUS) as service:
            with payorder.Client(service.url, **CREDENTIALS) as client:
                client.get_status(order_id="ORD-1")
                self.assertEqual(signal.set_wakeup_fd(writing), -1)
                try:
                    client.get_status(order_id="ORD-1")
                finally:
                    self.assertEqual(signal.set_wakeup_fd(-1), writing)

    @unittest.skipUnless(hasattr(os, "fork"), "this system does not fork")
    def test_no_thread_of_the_package_runs_when_a_process_forks(self) -> None:
        with Service(STATUS) as service:
            ended = run(FORKING, service.url)
        self.assertEqual((ended.stderr, ended.returncode), ("", 0))
        self.assertEqual(ended.stdout, "1 thread\nchild: interrupted\nparent: 100.00\n")


#: A signal handler raises an exception at many moments of a call. The calls of Python that wait may
#: replace it with another one.
AT_MANY_MOMENTS = """
    import collections, signal, time
    import payorder
    from payorder import _interrupts, _running, batch
    from tests.service import CREDENTIALS, hold, raw_service

    class Alarm(Exception):
        pass

    waiting = False

    def ring(*_):
        if waiting:
            raise Alarm

    # Then the main thread begins to wait more often.
    _interrupts.TICK = batch.TICK = 0.0002
    signal.signal(signal.SIGALRM, ring)
    raised = collections.Counter()
    with raw_service(hold) as address:
        client = payorder.Client(f"http://{address}", **CREDENTIALS)
        for call in (
            lambda: client.wait_for_payment(order_id="ORD-1"),
            lambda: list(client.get_statuses(["ORD-1"])),
        ):
            for moment in range(400):
                try:
                    waiting = True
                    # Again every second, if Python ignores the exception.
                    signal.setitimer(signal.ITIMER_REAL, 0.0001 + moment * 0.00001, 1)
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


#: A forked child is interrupted, and its parent's call continues.
FORKING = """
    import os, signal, sys, threading, time

    seen = []
    # The function that was registered last runs first.
    os.register_at_fork(before=lambda: seen.append(threading.active_count()))
    import payorder

    signal.signal(signal.SIGINT, signal.default_int_handler)
    keys = dict(client_key="k", client_id="i", secret_key="s")
    client = payorder.Client(sys.argv[1], proxy="none", **keys)
    client.get_status(order_id="ORD-1")
    child = os.fork()
    if child == 0:
        try:
            client.get_status(order_id="ORD-1")
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(20)
        except KeyboardInterrupt:
            print(seen[0], "thread", flush=True)
            print("child: interrupted", flush=True)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    print("parent:", client.get_status(order_id="ORD-1").amount)
"""


class Cancellations(CountedTestCase):
    def test_a_cancellation_ends_its_own_call_and_no_other(self) -> None:
        errors: List[payorder.PayorderError] = []
        waiting = threading.Semaphore(0)

        def silent(connection: socket.socket) -> None:
            connection.recv(65536)
            waiting.release()
            hold(connection)

        with raw_service(silent) as address, payorder.Cancellation() as cancellation:
            with payorder.Client(f"http://{address}", **CREDENTIALS) as client:

                def ask(cancellation: Optional[payorder.Cancellation]) -> None:
                    try:
                        client.get_status(order_id="ORD-1", cancellation=cancellation)
                    except payorder.PayorderError as error:
                        errors.append(error)

                mine = threading.Thread(target=ask, args=(cancellation,))
                other = threading.Thread(target=ask, args=(None,))
                for thread in (mine, other):
                    thread.start()
                    self.assertTrue(waiting.acquire(timeout=PATIENCE))
                cancellation.cancel()
                mine.join(PATIENCE)
                self.assertTrue(other.is_alive())
                self.assertEqual(
                    [type(error) for error in errors], [payorder.CancelledInFlightError]
                )
                client.cancel()
                other.join(PATIENCE)
                self.assertTrue(cancellation.cancelled)

    def test_calls_in_the_main_thread_end_too(self) -> None:
        with raw_service(hold) as address:
            with payorder.Client(
                f"http://{address}", proxy="none", **CREDENTIALS
            ) as client:
                calls: List[Callable[[payorder.Cancellation], object]] = [
                    lambda by: client.create_order(**ORDER, cancellation=by),
                    lambda by: client.get_status(order_id="O", cancellation=by),
                    lambda by: client.wait_for_payment(order_id="O", cancellation=by),
                ]
                for call in calls:
                    with payorder.Cancellation() as cancellation:
                        timer = threading.Timer(0.3, cancellation.cancel)
                        timer.start()
                        with self.assertRaises(payorder.CancelledInFlightError):
                            call(cancellation)
                        timer.join(PATIENCE)
                        # It stays cancelled.
                        with self.assertRaises(payorder.CancelledError):
                            call(cancellation)

    def test_many_statuses_end_with_the_results_so_far(self) -> None:
        with raw_service(hold) as address, payorder.Cancellation() as cancellation:
            with payorder.Client(
                f"http://{address}", proxy="none", **CREDENTIALS
            ) as client:
                asking = client.get_statuses(
                    ["A"] * 10, concurrency=3, cancellation=cancellation
                )
                timer = threading.Timer(0.5, cancellation.cancel)
                timer.start()
                errors = {type(result.error) for result in asking}
                timer.join(PATIENCE)
        self.assertEqual(errors, {payorder.CancelledInFlightError})
        self.assertTrue(asking.summary.stopped)

    def test_a_closed_cancellation_is_refused(self) -> None:
        cancellation = payorder.Cancellation()
        cancellation.close()
        cancellation.close()
        with self.assertRaisesRegex(
            payorder.InvalidHandleError, "cancellation is closed"
        ):
            cancellation.cancel()
        with payorder.Client("http://127.0.0.1:9", **CREDENTIALS) as client:
            with self.assertRaises(payorder.InvalidHandleError):
                client.create_order(**ORDER, cancellation=cancellation)
            anything: Any = "token"
            with self.assertRaisesRegex(TypeError, "must be a payorder.Cancellation"):
                client.get_status(order_id="O", cancellation=anything)
        with self.assertRaises(TypeError):
            pickle.dumps(cancellation)

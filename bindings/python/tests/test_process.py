"""The host process stays the host's: forks, exits, daemon threads."""

from __future__ import annotations

import os
import socket
import subprocess
import time
import unittest
import warnings

import payorder

from .counted import CountedTestCase
from .program import run
from .service import (
    CHECKOUT_URL,
    CREATED,
    CREDENTIALS,
    ORDER,
    STATUS,
    Service,
    hold,
    raw_service,
    read_request,
)


class Forks(CountedTestCase):
    @unittest.skipUnless(hasattr(os, "fork"), "this system does not fork")
    def test_a_client_made_before_a_fork_works_on_both_sides(self) -> None:
        with (
            Service(CREATED) as service,
            payorder.Client(service.url, **CREDENTIALS) as client,
        ):
            client.create_order(**ORDER)
            reading, writing = os.pipe()
            with warnings.catch_warnings():
                # The service's threads stay in this process, and the child does without them.
                warnings.simplefilter("ignore", DeprecationWarning)
                child = os.fork()
            if child == 0:
                try:
                    said = client.create_order(**ORDER).url
                except BaseException as error:
                    said = repr(error)
                os.write(writing, said.encode())
                os._exit(0)
            os.close(writing)
            self.assertEqual(client.create_order(**ORDER).url, CHECKOUT_URL)
            with os.fdopen(reading) as pipe:
                self.assertEqual(pipe.read(), CHECKOUT_URL)
            self.assertEqual(os.waitpid(child, 0)[1], 0)
            self.assertEqual(client.create_order(**ORDER).url, CHECKOUT_URL)
        self.assertEqual(len(service.requests), 4)


def answer_late(connection: socket.socket) -> None:
    """Closes the connection well after the program is interrupted, or has begun to end."""
    read_request(connection)
    time.sleep(1.5)


#: Calls the service whose address is the first argument, in the thread that runs it, and logs to stdout.
CALLING = """
    import logging, os, signal, sys, threading, time
    import payorder

    logging.basicConfig(stream=sys.stdout, level=logging.DEBUG, format="%(message)s")
    client = payorder.Client(sys.argv[1], client_key="k", client_id="i", secret_key="s", status_retries=0)

    def call():
        try:
            client.get_status(order_id="ORD-1")
        except payorder.PayorderError as error:
            print(error.name, flush=True)

    def wait_for_call():
        while not payorder._library.library.payorder_live_calls():
            time.sleep(0.01)
        time.sleep(0.5)
"""

#: Ends while a daemon thread is in a call, and takes a while for it.
ENDS_DURING_A_CALL = """
    class SlowToGo:
        def __del__(self, sleep=time.sleep):
            sleep(2)

    sys.modules["slow"] = SlowToGo()
    threading.Thread(target=call, daemon=True).start()
    wait_for_call()
"""

#: Is asked to stop while its main thread is in a call.
INTERRUPTED_IN_A_CALL = """
    def interrupt():
        wait_for_call()
        os.kill(os.getpid(), signal.SIGINT)

    # A process that a shell put in the background begins with the signal ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Thread(target=interrupt, daemon=True).start()
    try:
        call()
        print("not interrupted")
    except KeyboardInterrupt:
        print("interrupted")
"""


#: Asks for statuses without end.
ASKING = """
    import itertools, os, signal, sys, threading, time, warnings
    import payorder

    warnings.simplefilter("ignore")
    client = payorder.Client(sys.argv[1], proxy="none", client_key="k", client_id="i", secret_key="s")
    results = client.get_statuses(itertools.repeat("ORD-1"))
"""

#: Ends while results come that nobody takes, or in the middle of a thread that takes them.
LEFT_BEHIND = """
    def take():
        for result in results:
            time.sleep(0.0001)

    next(results)
    if sys.argv[2] == "1":
        threading.Thread(target=take, daemon=True).start()
    time.sleep(0.5)
    sys.modules["kept"] = results
"""

LEFT_BEHIND_UNANSWERED = """
    threading.Thread(target=next, args=(results,), daemon=True).start()
    time.sleep(0.5)
"""

INTERRUPTED_WHILE_TAKING = """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Timer(0.5, os.kill, [os.getpid(), signal.SIGINT]).start()
    try:
        next(results)
    except KeyboardInterrupt:
        print("interrupted")
"""

FORKED_WHILE_TAKING = """
    results = client.get_statuses(itertools.repeat("ORD-1", 500))
    taken = [next(results)]
    child = os.fork()
    if child == 0:
        try:
            next(results)
        except RuntimeError as error:
            print("child:", type(error).__name__, next(client.get_statuses(["ORD-1"])).query, flush=True)
        results.close()
        del results
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    taken += results
    print("parent:", len(taken))
"""


class Exits(unittest.TestCase):
    def check_quiet(self, ended: "subprocess.CompletedProcess[str]") -> None:
        self.assertEqual((ended.stderr, ended.returncode), ("", 0))

    def test_a_client_left_open_is_no_trouble_at_exit(self) -> None:
        program = """
            import payorder, sys
            class Held: pass
            held = Held(); held.client = payorder.Client("https://pay.example.com"); held.itself = held
            sys.modules["kept"] = held
            client = payorder.Client("https://pay.example.com")
        """
        self.check_quiet(run(program))

    def test_a_failed_client_is_no_trouble_when_it_is_dropped(self) -> None:
        program = """
            import payorder
            for arguments in ({"timeout_ms": 0}, {"unknown": 1}, {"tls": {"caFile": object()}}):
                try:
                    payorder.Client("https://pay.example.com", **arguments)
                except (payorder.InvalidConfigError, TypeError):
                    pass
                else:
                    raise SystemExit("no error")
        """
        self.check_quiet(run(program))

    def test_exit_ends_the_call_that_a_daemon_thread_is_in(self) -> None:
        with raw_service(answer_late) as address:
            ended = run(CALLING + ENDS_DURING_A_CALL, f"http://{address}")
        self.check_quiet(ended)
        self.assertIn("call_finished", ended.stdout)
        self.assertIn("\nPAYORDER_CANCELLED", ended.stdout)

    def test_exit_ends_the_asking_for_statuses_that_is_under_way(self) -> None:
        for taken in (0, 1):
            with self.subTest(taken=taken), Service(STATUS) as service:
                ended = run(ASKING + LEFT_BEHIND, service.url, str(taken))
                self.check_quiet(ended)
                self.assertEqual(ended.stdout, "")

    def test_exit_does_not_wait_for_a_service_that_says_nothing(self) -> None:
        with raw_service(hold) as address:
            began = time.monotonic()
            self.check_quiet(run(ASKING + LEFT_BEHIND_UNANSWERED, f"http://{address}"))
            self.assertLess(time.monotonic() - began, 20)

    def test_an_interrupt_reaches_who_takes_the_statuses_at_once(self) -> None:
        with raw_service(hold) as address:
            began = time.monotonic()
            ended = run(ASKING + INTERRUPTED_WHILE_TAKING, f"http://{address}")
            self.check_quiet(ended)
            self.assertLess(time.monotonic() - began, 20)
        self.assertEqual(ended.stdout, "interrupted\n")

    @unittest.skipUnless(hasattr(os, "fork"), "this system does not fork")
    def test_the_child_of_a_fork_leaves_the_asking_to_its_parent(self) -> None:
        with Service(STATUS) as service:
            ended = run(ASKING + FORKED_WHILE_TAKING, service.url)
            self.check_quiet(ended)
        self.assertEqual(ended.stdout, "child: RuntimeError ORD-1\nparent: 500\n")

    def test_an_interrupt_ends_a_question_and_is_not_lost(self) -> None:
        with raw_service(answer_late) as address:
            ended = run(CALLING + INTERRUPTED_IN_A_CALL, f"http://{address}")
        self.check_quiet(ended)
        self.assertRegex(
            ended.stdout, r"call_finished.*CANCELLED_IN_FLIGHT.*\ninterrupted\n$"
        )

    def test_the_process_says_nothing_of_its_own(self) -> None:
        program = """
            import sys, payorder
            client = payorder.Client("http://127.0.0.1:9", access_token="t")
            try:
                client.create_order(amount="1")
            except payorder.InvalidRequestError:
                pass
            try:
                client.get_status(order_id="O", client_key="k", client_id="i", secret_key="s", timeout_ms=500)
            except payorder.PayorderError:
                pass
        """
        ended = run(program)
        self.check_quiet(ended)
        self.assertEqual(ended.stdout, "")


if __name__ == "__main__":
    unittest.main()

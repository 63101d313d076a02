"""Effects on the host process: forks, exits, daemon threads."""

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
    def test_a_client_from_before_a_fork_works_in_parent_and_child(self) -> None:
        with Service(CREATED) as service, payorder.Client(
            service.url, **CREDENTIALS
        ) as client:
            client.create_order(**ORDER)
            reading, writing = os.pipe()
            with warnings.catch_warnings():
                # The service's threads exist only in this process, not in the child.
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
    """Closes the connection long after the program was interrupted or began to exit."""
    read_request(connection)
    time.sleep(1.5)


#: Calls the service at the URL in the first argument, and logs to stdout.
CALLING = """
    import logging, os, signal, sys, threading, time
    import payorder

    logging.basicConfig(stream=sys.stdout, level=logging.DEBUG, format="%(message)s")
    keys = dict(client_key="k", client_id="i", secret_key="s")
    client = payorder.Client(sys.argv[1], status_retries=0, **keys)

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

#: Exits slowly while a daemon thread is in a call.
ENDS_DURING_A_CALL = """
    class SlowToGo:
        def __del__(self, sleep=time.sleep):
            sleep(2)

    sys.modules["slow"] = SlowToGo()
    threading.Thread(target=call, daemon=True).start()
    wait_for_call()
"""

#: Is interrupted while its main thread is in a call.
INTERRUPTED_IN_A_CALL = """
    def interrupt():
        wait_for_call()
        os.kill(os.getpid(), signal.SIGINT)

    # In a background job of a shell, the signal is ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Thread(target=interrupt, daemon=True).start()
    try:
        call()
        print("not interrupted")
    except KeyboardInterrupt:
        print("interrupted")
"""


#: Asks for statuses forever.
ASKING = """
    import itertools, os, signal, sys, threading, time, warnings
    import payorder

    warnings.simplefilter("ignore")
    keys = dict(client_key="k", client_id="i", secret_key="s")
    client = payorder.Client(sys.argv[1], proxy="none", **keys)
    results = client.get_statuses(itertools.repeat("ORD-1"))
"""

#: Exits while results arrive, in a thread that takes them or with nobody taking them.
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
            again = next(client.get_statuses(["ORD-1"]))
            print("child:", type(error).__name__, again.query, flush=True)
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

    def test_an_open_client_at_exit_is_no_problem(self) -> None:
        program = """
            import payorder, sys
            class Held: pass
            held = Held()
            held.client = payorder.Client("https://pay.example.com")
            held.itself = held
            sys.modules["kept"] = held
            client = payorder.Client("https://pay.example.com")
        """
        self.check_quiet(run(program))

    def test_a_client_that_was_not_created_can_be_deleted(self) -> None:
        program = """
            import payorder
            for arguments in ({"timeout": 0}, {"unknown": 1}, {"tls": {"caFile": object()}}):
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

    def test_exit_ends_running_status_queries(self) -> None:
        for taken in (0, 1):
            with self.subTest(taken=taken), Service(STATUS) as service:
                ended = run(ASKING + LEFT_BEHIND, service.url, str(taken))
                self.check_quiet(ended)
                self.assertEqual(ended.stdout, "")

    def test_exit_does_not_wait_for_a_silent_service(self) -> None:
        with raw_service(hold) as address:
            began = time.monotonic()
            self.check_quiet(run(ASKING + LEFT_BEHIND_UNANSWERED, f"http://{address}"))
            self.assertLess(time.monotonic() - began, 20)

    def test_an_interrupt_ends_iterating_over_statuses_at_once(self) -> None:
        with raw_service(hold) as address:
            began = time.monotonic()
            ended = run(ASKING + INTERRUPTED_WHILE_TAKING, f"http://{address}")
            self.check_quiet(ended)
            self.assertLess(time.monotonic() - began, 20)
        self.assertEqual(ended.stdout, "interrupted\n")

    @unittest.skipUnless(hasattr(os, "fork"), "this system does not fork")
    def test_a_forked_child_leaves_the_queries_to_its_parent(self) -> None:
        with Service(STATUS) as service:
            ended = run(ASKING + FORKED_WHILE_TAKING, service.url)
            self.check_quiet(ended)
        self.assertEqual(ended.stdout, "child: RuntimeError ORD-1\nparent: 500\n")

    def test_an_interrupt_ends_a_status_query_and_is_not_lost(self) -> None:
        with raw_service(answer_late) as address:
            ended = run(CALLING + INTERRUPTED_IN_A_CALL, f"http://{address}")
        self.check_quiet(ended)
        self.assertRegex(
            ended.stdout, r"call_finished.*CANCELLED_IN_FLIGHT.*\ninterrupted\n$"
        )

    def test_the_library_prints_nothing(self) -> None:
        program = """
            import sys, payorder
            client = payorder.Client("http://127.0.0.1:9", access_token="t")
            try:
                client.create_order(amount="1")
            except payorder.InvalidRequestError:
                pass
            try:
                keys = dict(client_key="k", client_id="i", secret_key="s")
                client.get_status(order_id="O", timeout=0.5, **keys)
            except payorder.PayorderError:
                pass
        """
        ended = run(program)
        self.check_quiet(ended)
        self.assertEqual(ended.stdout, "")


if __name__ == "__main__":
    unittest.main()

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
from .service import CHECKOUT_URL, CREATED, CREDENTIALS, ORDER, Service, raw_service, read_request


class Forks(CountedTestCase):
    @unittest.skipUnless(hasattr(os, "fork"), "this system does not fork")
    def test_a_client_made_before_a_fork_works_on_both_sides(self) -> None:
        with Service(CREATED) as service, payorder.Client(service.url, **CREDENTIALS) as client:
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
        while not payorder._events._calls:
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

    def test_an_interrupt_waits_for_the_call_and_is_not_lost(self) -> None:
        with raw_service(answer_late) as address:
            ended = run(CALLING + INTERRUPTED_IN_A_CALL, f"http://{address}")
        self.check_quiet(ended)
        self.assertRegex(ended.stdout, r"call_finished.*\ninterrupted\n$")

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

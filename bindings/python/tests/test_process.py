"""Effects on the host process: forks, exits, daemon threads."""

from __future__ import annotations

import os
import subprocess
import time
import unittest

from .support import HELD, Service, run

#: Exits slowly while a daemon thread is in a call to the service at the URL in the first argument.
ENDS_DURING_A_CALL = """
    import logging, sys, threading, time
    import payorder

    logging.basicConfig(stream=sys.stdout, level=logging.DEBUG, format="%(message)s")
    keys = dict(client_key="k", client_id="i", secret_key="s")
    client = payorder.Client(sys.argv[1], status_retries=0, **keys)

    def call():
        try:
            client.get_status(order_id="ORD-1")
        except payorder.PayorderError as error:
            print(error.name, flush=True)

    class SlowToGo:
        def __del__(self, sleep=time.sleep):
            sleep(2)

    sys.modules["slow"] = SlowToGo()
    threading.Thread(target=call, daemon=True).start()
    while not payorder._library.library.payorder_live_calls():
        time.sleep(0.01)
    time.sleep(0.5)
"""

#: Asks for statuses forever.
ASKING = """
    import itertools, os, sys, threading, time, warnings
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
        with Service(status=[HELD]) as service:
            ended = run(ENDS_DURING_A_CALL, service.url)
        self.check_quiet(ended)
        self.assertIn("call_finished", ended.stdout)
        self.assertIn("\nPAYORDER_CANCELLED", ended.stdout)

    def test_exit_ends_running_status_queries(self) -> None:
        for taken in (0, 1):
            with self.subTest(taken=taken), Service() as service:
                ended = run(ASKING + LEFT_BEHIND, service.url, str(taken))
                self.check_quiet(ended)
                self.assertEqual(ended.stdout, "")

    def test_exit_does_not_wait_for_a_silent_service(self) -> None:
        with Service(status=[HELD]) as service:
            began = time.monotonic()
            self.check_quiet(run(ASKING + LEFT_BEHIND_UNANSWERED, service.url))
            self.assertLess(time.monotonic() - began, 20)

    @unittest.skipUnless(hasattr(os, "fork"), "this system does not fork")
    def test_a_forked_child_leaves_the_queries_to_its_parent(self) -> None:
        with Service() as service:
            ended = run(ASKING + FORKED_WHILE_TAKING, service.url)
            self.check_quiet(ended)
        self.assertEqual(ended.stdout, "child: RuntimeError ORD-1\nparent: 500\n")

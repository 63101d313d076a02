"""Ctrl-C: it ends every command at once, and the exit status says what may have happened."""

from __future__ import annotations

import functools
import json
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path
from typing import Callable, Optional

from payorder_tools.command.exits import INTERRUPTED, UNKNOWN

from .commands import ORDER, command, environment
from .support import HELD, PATIENCE, Sandbox, Service

CREATE = ["create", "--order-id", "ORD-1", "--amount", "5", *ORDER]
#: `create_order` takes a second longer than the library.
SLOW_ANSWERS = """
import time

import payorder.client
created = payorder.client.Client.create_order

def create_order(*arguments, **named):
    checkout = created(*arguments, **named)
    print("the library answered", flush=True)
    time.sleep(1)
    return checkout

payorder.client.Client.create_order = create_order
"""


class Interrupts(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.sandbox = Sandbox()
        self.addCleanup(self.sandbox.close)
        self.variables = environment(self.sandbox)

    def interrupted(
        self,
        *arguments: str,
        until: str = "",
        status: int = INTERRUPTED,
        after: Optional[Callable[[], bool]] = None,
        by: signal.Signals = signal.SIGINT,
    ) -> "tuple[str, str]":
        """Runs the command and presses Ctrl-C, soon after it wrote `until`, or
        after requests arrived. Checks its exit status, and returns both outputs."""
        with subprocess.Popen(
            command(*arguments),
            env=self.variables,
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            universal_newlines=True,
            # The test may run as a background job of a shell, or under nohup, in which it is ignored.
            preexec_fn=lambda: signal.signal(by, signal.SIG_DFL),
        ) as running:
            assert running.stdout is not None
            written = ""
            while until and until not in written:
                line = running.stdout.readline()
                assert line, written
                written += line
            if after is not None:
                assert after(), "the requests did not arrive"
            time.sleep(0.2)
            began = time.monotonic()
            running.send_signal(by)
            output, complaint = running.communicate(timeout=PATIENCE)
        self.assertLess(time.monotonic() - began, 6)
        self.assertEqual(running.returncode, status, complaint)
        self.assertNotIn("Traceback", complaint)
        return written + output, complaint

    def test_a_call_ends_at_once_and_an_order_in_flight_may_exist(self) -> None:
        (self.folder / "sales.csv").write_text("orderId,amount\nORD-1,5\n")
        with Service(create=[HELD], status=[HELD]) as service:
            self.variables["PAYORDER_BASE_URL"] = service.url
            for line, status, words in (
                ([*CREATE, "--journal", "j"], UNKNOWN, "payorder status ORD-1"),
                (CREATE, UNKNOWN, "the order may exist"),
                (["status", "ORD-1"], INTERRUPTED, "payorder: interrupted"),
                (["wait", "ORD-1"], INTERRUPTED, "payorder: interrupted"),
                (["wait", "O", "--seconds", "0"], INTERRUPTED, "may still pay"),
                (["status", "O", "--json"], INTERRUPTED, "payorder: interrupted"),
                ("journal resolve --journal j".split(), INTERRUPTED, "for the rest"),
                ("recover --journal j".split(), INTERRUPTED, "for the rest"),
                (["recover", "sales.csv"], INTERRUPTED, "nothing was changed"),
            ):
                arrived = functools.partial(service.received, len(service.requests) + 1)
                output, complaint = self.interrupted(*line, after=arrived, status=status)
                self.assertIn(words, complaint)
                if "--json" in line:
                    error = json.loads(output)["error"]
                    self.assertEqual(error["cause"], "cancelled")

    def test_an_order_in_flight_is_not_lost_with_its_terminal(self) -> None:
        with Service(create=[HELD]) as service:
            self.variables["PAYORDER_BASE_URL"] = service.url
            for by in (signal.SIGTERM, signal.SIGHUP):
                arrived = functools.partial(service.received, len(service.requests) + 1)
                _, complaint = self.interrupted(*CREATE, after=arrived, status=UNKNOWN, by=by)
                self.assertIn("the order may exist", complaint)

    def test_a_response_that_arrives_with_a_signal_is_not_lost(self) -> None:
        """The signal arrives when the library has the response but the command has not used it."""
        (self.folder / "sitecustomize.py").write_text(SLOW_ANSWERS)
        self.variables["PYTHONPATH"] += f":{self.folder}"
        for number, by in enumerate((signal.SIGINT, signal.SIGTERM, signal.SIGHUP), 1):
            order = [f"ORD-{number}" if one == "ORD-1" else one for one in CREATE]
            output, complaint = self.interrupted(*order, until="the library answered", by=by)
            self.assertIn(f"/checkout/{number}", output)
            self.assertIn(f"order ORD-{number} was created", complaint)

    def test_a_wait_shows_the_last_status_and_the_order(self) -> None:
        _, complaint = self.interrupted(*CREATE, "--wait", until="Pending")
        for words in (
            "may still pay (it was Pending); ask again: payorder status ORD-1",
            "order ORD-1 was created; the customer pays at http://",
        ):
            self.assertIn(words, complaint)

    def test_a_report_that_was_not_completed_is_named(self) -> None:
        rows = "".join(f"O-{number},100.00\n" for number in range(20_000))
        (self.folder / "orders.csv").write_text("orderId,amount\n" + rows)
        line = "reconcile orders.csv --report report.csv --rate 400".split()
        with Service() as service:
            self.variables["PAYORDER_BASE_URL"] = service.url
            busy = functools.partial(service.received, 200)
            output, complaint = self.interrupted(*line, after=busy)
        self.assertEqual(output, "")
        self.assertRegex(complaint, "the unfinished report .* has .*--resume")
        self.assertFalse((self.folder / "report.csv").exists())
        unfinished = (self.folder / "report.csv.unfinished").read_text()
        self.assertGreater(unfinished.count("matched"), 50)

"""Closed, full or broken output streams: the exit status stays right, and no URL is lost."""

from __future__ import annotations

import itertools
import subprocess
import unittest
from concurrent.futures import ThreadPoolExecutor
from typing import List

from payorder_tools.command.exits import (
    DONE,
    FAILED,
    NOT_PAID,
    NOT_SENT,
    REJECTED,
    UNKNOWN,
    USAGE,
)

from .commands import BASH, environment
from .support import PATIENCE, WANTS_ALL, Sandbox

#: What is done to stdout and to stderr, for bash.
STDOUT = ("", ">&-", ">/dev/full", "> >(exit)")
STDERR = ("", "2>&-", "2>/dev/full", "2> >(exit)")

#: The arguments, the fault, and the exit status if all output can be written.
CASES = (
    ("sell A 5", "", DONE),
    ("sell A 5 --json", "", DONE),
    ("sell A 5 --wait --seconds 1", "status:*:drop", UNKNOWN),
    ("sell A 5", "create:*:reject", REJECTED),
    ("sell A 5", "create:*:drop-after-commit", UNKNOWN),
    ("sell A 0.5", "", NOT_SENT),
    ("payorder create --nope", "", USAGE),
    ("sold A 5; payorder status A --amount 6", "", NOT_PAID),
    ("payorder create --help", "", DONE),
    ("sold A 5; echo $'id,amount\\nA,5' | payorder reconcile - --expect unpaid", "", DONE),
)


class Streams(unittest.TestCase):
    def check(self, case: int, stdout: str, stderr: str) -> None:
        line, fault, promised = CASES[case]
        with Sandbox() as sandbox:
            if fault:
                sandbox.fault(fault)
            ended = subprocess.run(
                # A moment later, whoever reads the pipe has ended.
                [*BASH, f"(sleep 0.1; {line}) {stdout} {stderr}"],
                env=environment(sandbox),
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                stdin=subprocess.DEVNULL,
                universal_newlines=True,
                timeout=PATIENCE * 4,
            )
            url = f"{sandbox.base_url}/checkout/1"
        # If the output is lost, a successful run does not end with DONE.
        expected = FAILED if promised == DONE and stdout else promised
        what = f"{CASES[case]} {stdout} {stderr}\n{ended}"
        self.assertEqual(ended.returncode, expected, what)
        self.assertNotIn("Traceback", ended.stderr, what)
        if line.startswith("sell A 5") and "create" not in fault:
            if not stdout:
                self.assertIn(url, ended.stdout, what)
            elif not stderr:
                self.assertIn("order A was created", ended.stderr, what)
                self.assertIn(url, ended.stderr, what)
                self.assertIn("payorder status A", ended.stderr, what)
            if stdout == ">/dev/full" and not stderr:
                self.assertIn("the output cannot be written", ended.stderr, what)

    def test_no_state_of_the_streams_changes_the_exit_status(self) -> None:
        checked = itertools.product(range(len(CASES)), enumerate(STDOUT), enumerate(STDERR))
        with ThreadPoolExecutor(4) as pool:
            checks = [
                pool.submit(self.check, case, stdout, stderr)
                for case, (first, stdout), (second, stderr) in checked
                # Otherwise each case has each state of each stream once, and all cases together
                # have each pair of states.
                if WANTS_ALL or (case + first + second) % 4 == 0
            ]
        failures: List[str] = [str(one.exception()) for one in checks if one.exception()]
        self.assertEqual(failures, [], "\n\n".join(failures))

"""`payorder certify` ends everything that it started. sessions/certify.txt has what it prints."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path
from typing import Any, Callable, List
from unittest import mock

from payorder_tools.certify.results import ExamInterrupted
from payorder_tools.certify.run import Exam, run_exam, run_scenario, version_line
from payorder_tools.certify.scenarios import SCENARIOS
from payorder_tools.certify.stages import Stage, Stopped, are_equal

from .commands import command, environment
from .support import PATIENCE, PROJECT, program

VERSIONED = """
if sys.argv[1:] == ["--version"]:
    print("till 9")
    sys.exit(0)
open("started", "w").close()
time.sleep(600)
"""


class Exams(unittest.TestCase):
    def setUp(self) -> None:
        program()  # Skips the test without one.
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name).resolve()

    def till(self, source: str) -> List[str]:
        (self.folder / "till.py").write_text("import os, sys, time\n" + source)
        return ["--", sys.executable, "till.py"]

    def started(
        self, source: str, *options: str, before: Any = signal.SIG_DFL
    ) -> "subprocess.Popen[bytes]":
        """An exam one of whose tills has made the file `started`. `before` is what SIGHUP does in
        the process that starts it."""
        till = self.till(source)

        def prepare() -> None:
            # The test may run as a background job, in which the signal is ignored.
            signal.signal(signal.SIGINT, signal.default_int_handler)
            signal.signal(signal.SIGHUP, before)

        exam = subprocess.Popen(
            command("certify", *"--keep kept --seconds 600".split(), *options, *till),
            cwd=self.folder,
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            preexec_fn=prepare,
        )
        self.wait_for(lambda: bool(list(self.folder.glob("kept/*/*/started"))))
        return exam

    def wait_for(self, condition: Callable[[], bool]) -> None:
        deadline = time.monotonic() + PATIENCE
        while not condition():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.05)

    def processes(self) -> List[List[str]]:
        """The process group and the arguments of every process."""
        listed = subprocess.run(
            ["ps", "-eo", "pgid,args"], stdout=subprocess.PIPE, universal_newlines=True
        )
        return [line.split(None, 1) for line in listed.stdout.splitlines()]

    @unittest.skipIf(sys.platform == "win32", "Windows has no SIGINT for one process")
    def test_ctrl_c_ends_everything_and_the_documents_say_so(self) -> None:
        exam = self.started(
            VERSIONED,
            *("--certificate", "certificate.json", "--program-version", "typed"),
            *("--json", "report.json"),
        )
        exam.send_signal(signal.SIGINT)
        out, err = exam.communicate(timeout=PATIENCE)
        self.assertEqual(exam.returncode, 130, err)
        self.assertNotIn(b"Traceback", err)
        self.assertEqual(out.count(b"INTERRUPTED after 0 scenarios"), 1)
        report, made = (
            json.loads((self.folder / name).read_text(encoding="utf-8"))
            for name in ("report.json", "certificate.json")
        )
        self.assertEqual((report["interrupted"], report["passed"]), (True, False))
        self.assertEqual(
            made["title"],
            "PARTIAL test of a till: interrupted, nothing failed before",
        )
        self.assertIn("the test was interrupted", made["missing"])
        self.assertFalse(made["passed"])
        self.assertEqual(made["program"]["versionPrintedByProgram"], "till 9")
        self.assertEqual(made["program"]["versionTypedByUser"], "typed")
        self.assertTrue((self.folder / "certificate.json.html").exists())
        # The tills have the folder in their arguments, the sandboxes are in the exam's group.
        for group, *arguments in self.processes():
            self.assertNotEqual(group, str(exam.pid))
            self.assertNotIn(str(self.folder), " ".join(arguments))

    @unittest.skipIf(sys.platform == "win32", "Windows has no SIGHUP")
    def test_a_closed_terminal_ends_everything_but_not_under_nohup(self) -> None:
        exam = self.started(VERSIONED, before=signal.SIG_IGN)
        exam.send_signal(signal.SIGHUP)
        with self.assertRaises(subprocess.TimeoutExpired):
            exam.wait(1)
        exam.send_signal(signal.SIGINT)
        exam.communicate(timeout=PATIENCE)
        shutil.rmtree(self.folder / "kept")
        exam = self.started(VERSIONED)
        # The shell and the system send one each.
        for _ in range(2):
            exam.send_signal(signal.SIGHUP)
        _, err = exam.communicate(timeout=PATIENCE)
        self.assertEqual(exam.returncode, 130, err)
        for group, *arguments in self.processes():
            self.assertNotEqual(group, str(exam.pid))
            self.assertNotIn(str(self.folder), " ".join(arguments))

    @unittest.skipIf(sys.platform == "win32", "Windows cannot send itself SIGINT")
    def test_a_signal_raises_no_exception_while_the_scenarios_run(self) -> None:
        def play(stage: Stage) -> None:
            os.kill(os.getpid(), signal.SIGINT)
            sent.set()
            raise Stopped

        sent = threading.Event()
        seen: List[int] = []

        def slow(left: Any, *_: Any) -> Any:
            # In the middle of a wait, an exception would leave locks taken.
            sent.wait(PATIENCE)
            time.sleep(0.1)
            seen.append(len(left))
            return set(), left

        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            with mock.patch("payorder_tools.certify.run.wait", slow):
                exam = Exam([], [], [SCENARIOS["paid"]], 1, play=play)
                with self.assertRaises(ExamInterrupted):
                    run_exam(exam)
        finally:
            signal.signal(signal.SIGINT, before)
        self.assertEqual(seen, [1])

    def test_a_till_without_a_version_has_none(self) -> None:
        command = [sys.executable, str(PROJECT / "examples" / "python" / "till.py")]
        self.assertIsNone(version_line(Exam(command, command, (), 1)))

    def test_a_double_click_is_repeated_until_both_processes_ran_at_once(self) -> None:
        for times, equal in (
            *(((0.11, 0.09), True), ((0.5, 0.42), True), ((0.0, 0.02), True)),
            *(((0.11, 0.08), False), ((0.5, 0.39), False), ((None, 0.5), None)),
        ):
            self.assertIs(are_equal(times), equal, times)
        for late in (0, 1, 4, 9):
            trials: List[str] = []

            def play(stage: Stage) -> None:
                trials.append(stage.sale.order_id)
                stage.together = len(trials) > late

            exam = Exam([], [], (), 1, play=play)
            click = SCENARIOS["double-click"]
            result = run_scenario(exam, click, self.folder, threading.Event(), {})
            self.assertEqual(len(set(trials)), min(late + 3, 5))
            self.assertIs(result.passed, late < 5)

    def test_a_verdict_counts_wherever_it_is_in_a_long_output(self) -> None:
        plain = str(PROJECT / "tests" / "certify" / "plain_till.py")
        till = self.till(
            f"""import subprocess
print(("x" * 99 + "\\n") * 500, end="50 %\\r100 %\\r", flush=True)
subprocess.run([sys.executable, {plain!r}])
print(("x" * 99 + "\\n") * 500)
"""
        )
        done = subprocess.run(
            command("certify", "--only", "rejected", *till),
            cwd=self.folder,
            env=environment(),
            stdout=subprocess.PIPE,
            universal_newlines=True,
        )
        self.assertEqual(done.returncode, 0, done.stdout)

    @unittest.skipIf(sys.platform == "win32", "ps is not on Windows")
    def test_an_exam_that_is_killed_leaves_no_sandboxes_behind(self) -> None:
        exam = self.started("open('started', 'w').close(); sys.stdin.read()")
        exam.kill()
        exam.communicate()
        group = str(exam.pid)
        self.wait_for(lambda: group not in [one[0] for one in self.processes()])

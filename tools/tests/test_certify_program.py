"""How the exam starts a till, reads it, and ends it."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import time
import unittest
from pathlib import Path
from typing import Dict, Optional

from payorder_tools.certify.program import (
    Output,
    Program,
)
from payorder_tools.certify.protocol import (
    checkout_url,
    environment,
    statement,
    verdict,
)
from payorder_tools.certify.run import resolve

from .certify_records import SALE

BASE = "http://127.0.0.1:4000"
PATIENCE = 30.0


class Protocol(unittest.TestCase):
    def test_the_callers_own_settings_do_not_reach_the_till(self) -> None:
        caller = {
            "PATH": "/bin",
            "PAYORDER_SECRET_KEY": "real",
            "payorder_journal": "real",
            "SALE_AMOUNT": "1",
            "PAYORDER_LIBRARY": "/lib/x",
            "NO_PROXY": "intranet",
        }
        given = environment(
            {"PAYORDER_BASE_URL": BASE}, SALE, Path("folder"), 10.0, caller
        )
        self.assertNotIn("real", given.values())
        self.assertEqual(given["PATH"], "/bin")
        self.assertEqual(given["PAYORDER_LIBRARY"], "/lib/x")
        self.assertEqual(given["PAYORDER_BASE_URL"], BASE)
        self.assertEqual(given["SALE_AMOUNT"], SALE.amount)
        self.assertEqual(given["SALE_SECONDS"], "10")
        self.assertEqual(given["NO_PROXY"], "intranet,127.0.0.1,localhost,::1")

    def test_the_exit_status_is_the_verdict(self) -> None:
        for status, expected in enumerate(
            ("paid", "not_sent", "rejected", "open", "not_paid", None)
        ):
            self.assertEqual(verdict("anything", status), expected)
        self.assertIsNone(verdict("", -9))
        self.assertIsNone(verdict("", None))

    def test_the_last_line_of_json_counts_more(self) -> None:
        self.assertEqual(verdict('{"verdict": "open"}', 0), "open")
        self.assertEqual(
            verdict('{"verdict":"open"}\n {"a":1,"verdict":"paid"}\r\nbye', 3), "paid"
        )
        self.assertEqual(verdict('{"verdict":"paid"}', None), "paid")
        self.assertIsNone(verdict('{"verdict":"perhaps"}', 0))
        for other in ('{"state":"paid"}', '{"verdict', '["verdict"]', "[" * 100_000):
            self.assertEqual(verdict(other, 3), "open")

    def test_a_checkout_url_is_found_in_other_text(self) -> None:
        for line in (
            f"{BASE}/checkout/12",
            f"connecting to {BASE}, pay at <{BASE}/checkout/12>.",
            '{"url":"http:\\/\\/127.0.0.1:4000\\/checkout\\/12"}',
        ):
            self.assertEqual(checkout_url(line, BASE), f"{BASE}/checkout/12")
        for line in ("https://elsewhere.example/checkout/1", f"{BASE}/shop", ""):
            self.assertIsNone(checkout_url(line, BASE))


class Statements(unittest.TestCase):
    def test_goods_are_handed_over_in_a_line_of_its_own(self) -> None:
        for line, said in (
            ("handed over", "handed over"),
            ("handed over S-1", "handed over"),
            ("handed over to the page of the bank", None),
            ('{"verdict":"paid"}', "paid"),
        ):
            self.assertEqual(statement(line), said)


class Outputs(unittest.TestCase):
    def test_a_secret_is_found_where_chunks_meet_and_masked(self) -> None:
        output = Output(["top-secret"])
        output.add(b"it is top-s")
        self.assertEqual(output.leaked, [])
        output.add(b"ecret, really")
        self.assertEqual(output.leaked, ["top-secret"])
        self.assertEqual(output.text(), "it is [redacted], really")

    def test_the_beginning_and_the_end_of_a_long_output_stay(self) -> None:
        output = Output(["x"])
        output.add(b"first\n" + b"\xff" * 300_000)
        output.add(b"\nlast")
        text = output.text()
        self.assertTrue(text.startswith("first\n"))
        self.assertTrue(text.endswith("\nlast"))
        self.assertLess(len(text), 70_000)
        self.assertIn("bytes ...]", text)


class Programs(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name).resolve()

    def start(self, source: str, secret: str = "top-secret") -> Program:
        variables: Dict[str, str] = dict(os.environ)
        program = Program(
            [sys.executable, "-c", source], variables, self.folder, BASE, [secret]
        )
        self.addCleanup(program.__exit__)
        return program

    def ended(self, source: str) -> Program:
        program = self.start(source)
        program.end_stdin()
        self.assertTrue(program.wait(PATIENCE), "it has ended")
        return program

    def test_its_output_exit_status_and_folder(self) -> None:
        program = self.ended(
            "import os, sys; print(os.getcwd()); sys.stderr.write('no newline'); sys.exit(3)"
        )
        self.assertEqual(program.stdout.text().strip(), str(self.folder))
        self.assertEqual(program.stderr.text(), "no newline")
        self.assertEqual(program.exit_status, 3)

    def test_a_url_without_a_newline_is_found_at_the_end(self) -> None:
        program = self.ended(f"print('{BASE}/checkout/7', end='')")
        self.assertEqual(program.url, f"{BASE}/checkout/7")

    def test_output_that_is_huge_or_not_utf_8_does_no_harm(self) -> None:
        program = self.ended(
            "import sys; sys.stdout.buffer.write(b'\\xff' * 20_000_000 + b'\\n')\n"
            f"print('{BASE}/checkout/7')"
        )
        self.assertEqual(program.url, f"{BASE}/checkout/7")
        self.assertEqual(program.exit_status, 0)

    def test_lines_reach_stdin_until_it_ends(self) -> None:
        program = self.start("import sys; print(sys.stdin.read().splitlines())")
        program.say("one")
        program.say("two")
        program.end_stdin()
        self.assertTrue(program.wait(PATIENCE))
        self.assertEqual(program.stdout.text().strip(), "['one', 'two']")

    def test_a_program_that_never_reads_stdin_blocks_nothing(self) -> None:
        program = self.start(
            f"print('{BASE}/checkout/1', flush=True); input and exit(3)"
        )
        for _ in range(100):
            program.say("x" * 10_000)
        program.end_stdin()
        self.assertTrue(program.wait(PATIENCE))
        self.assertEqual(program.exit_status, 3)

    def test_a_kill_is_no_exit_status(self) -> None:
        program = self.start("import time; time.sleep(600)")
        self.assertFalse(program.wait(0.05))
        self.assertTrue(program.kill("the test"))
        self.assertTrue(program.wait(PATIENCE))
        self.assertEqual((program.killed, program.exit_status), ("the test", None))

    def test_a_kill_after_the_end_is_none(self) -> None:
        program = self.ended("exit(3)")
        self.assertFalse(program.kill("too late"))
        self.assertEqual((program.killed, program.exit_status), (None, 3))

    @unittest.skipIf(sys.platform == "win32", "the test looks for a process of Unix")
    def test_its_children_end_with_it(self) -> None:
        source = (
            "import subprocess, sys, time\n"
            "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
            "print(child.pid, flush=True)\n"
        )
        for rest, kill in (("time.sleep(600)", True), ("", False)):
            program = self.start(source + rest)
            pid: Optional[int] = None
            deadline = time.monotonic() + PATIENCE
            while pid is None and time.monotonic() < deadline:
                text = program.stdout.text()
                pid = int(text) if text.endswith("\n") else None
                time.sleep(0.01)
            assert pid is not None, "it started a child"
            if kill:
                program.kill("the test")
            self.assertTrue(program.wait(PATIENCE))
            while _runs(pid) and time.monotonic() < deadline:
                time.sleep(0.01)
            if _runs(pid):
                os.kill(pid, signal.SIGKILL)
                self.fail("its child is still there")

    def test_arguments_that_name_files_work_in_any_folder(self) -> None:
        (self.folder / "till.py").touch()
        (self.folder / "sell").touch()
        before = os.getcwd()
        self.addCleanup(os.chdir, before)
        os.chdir(self.folder)
        self.assertEqual(
            resolve([sys.executable, "till.py", "sell", "none.py", "--x"])[1:],
            [str(self.folder / "till.py"), "sell", "none.py", "--x"],
        )


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    # A zombie that nobody has read yet has ended.
    stat = Path(f"/proc/{pid}/stat")
    try:
        return stat.read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return not Path("/proc").exists()


if __name__ == "__main__":
    unittest.main()

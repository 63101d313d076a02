"""How the exam starts a till, reads what it says, watches its files, and ends it."""

from __future__ import annotations

import os
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path
from typing import List

from payorder_tools.certify.changes import Changes
from payorder_tools.certify.program import Output, Program, own_folders
from payorder_tools.certify.protocol import (
    Sale,
    checkout_url,
    environment,
    statement,
    verdict,
)

from .support import PATIENCE

BASE = "http://127.0.0.1:4000"


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
        sale = Sale("S-1", "100.10")
        given = environment({"PAYORDER_BASE_URL": BASE}, sale, Path("folder"), 10.0, caller)
        self.assertNotIn("real", given.values())
        self.assertEqual(given["PATH"], "/bin")
        self.assertEqual(given["PAYORDER_LIBRARY"], "/lib/x")
        self.assertEqual(given["PAYORDER_BASE_URL"], BASE)
        self.assertEqual(given["SALE_AMOUNT"], sale.amount)
        self.assertEqual(given["NO_PROXY"], "intranet,127.0.0.1,localhost,::1")

    def test_the_verdict_is_the_last_line_of_json_or_the_exit_status(self) -> None:
        for text, status, expected in (
            *(("anything", status, name) for status, name in enumerate(
                ("paid", "not_sent", "rejected", "open", "not_paid", None)
            )),
            ("", -9, None),
            ("", None, None),
            ('{"verdict": "open"}', 0, "open"),
            ('{"verdict":"open"}\n {"a":1,"verdict":"paid"}\r\nbye', 3, "paid"),
            ('{"verdict":"paid"}', None, "paid"),
            ('{"verdict":"perhaps"}', 0, None),
            ('{\n  "verdict": "paid"\n}', 0, None),
            *((other, 3, "open") for other in (
                '{"state":"paid"}', '{"verdict', '["verdict"]', "[" * 100_000
            )),
        ):  # fmt: skip
            said = [statement(line) for line in text.splitlines()]
            given = [one for one in said if one is not None]
            self.assertEqual(verdict(given, text, status), expected, text[:50])

    def test_a_line_may_be_a_checkout_url_or_say_that_goods_were_handed_over(
        self,
    ) -> None:
        for line in (
            f"connecting to {BASE}, pay at <{BASE}/checkout/12>.",
            '{"url":"http:\\/\\/127.0.0.1:4000\\/checkout\\/12"}',
        ):
            self.assertEqual(checkout_url(line, BASE), f"{BASE}/checkout/12")
        for line in ("https://elsewhere.example/checkout/1", f"{BASE}/shop", ""):
            self.assertIsNone(checkout_url(line, BASE))
        self.assertEqual(statement("handed over S-1"), "handed over")
        self.assertIsNone(statement("handed over to the page of the bank"))

    def test_a_secret_is_found_where_chunks_meet_and_masked(self) -> None:
        output = Output(["top-secret"])
        output.add(b"it is top-s")
        self.assertEqual(output.leaked, [])
        output.add(b"ecret, really")
        self.assertEqual(output.leaked, ["top-secret"])
        self.assertEqual(output.text(), "it is [redacted], really")


class Folders(unittest.TestCase):
    def test_only_the_systems_and_an_interpreters_folders_are_not_the_programs_own(self) -> None:
        for command, own in (
            (["/usr/bin/python3", "/opt/till.py"], ["/opt"]),
            (["/opt/leak.sh"], ["/opt"]),
            (["/opt/node/bin/node", "/usr2/till.js"], ["/usr2"]),
            (["/opt/venv/bin/python3.12", "/optical/a/till.py"], ["/optical/a"]),
            (["/usr/bin/till"], []),
            (["/usr/lib/shop/till"], []),
            (["/usr/local/bin/till", "/srv/till.ini"], ["/srv", "/usr/local/bin"]),
            (["/opt/windows/py.exe", "/opt/x/cmd.exe", "/opt/pwsh", "/srv/till.py"], ["/srv"]),
            (["/binary/till"], ["/binary"]),
        ):
            self.assertEqual(own_folders(command), [Path(one) for one in own], command)


class InAFolder(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name).resolve()


class Programs(InAFolder):
    def started(self, source: str) -> Program:
        command = [sys.executable, "-c", source]
        program = Program(command, dict(os.environ), self.folder, BASE, ["secret"])
        self.addCleanup(program.__exit__)
        return program

    def test_output_that_is_huge_or_not_utf_8_does_no_harm(self) -> None:
        program = self.started(
            "import sys; sys.stdout.buffer.write(b'\\xff' * 20_000_000 + b'\\n')\n"
            f"print('{BASE}/checkout/7', end='')"
        )
        # It never reads its stdin.
        for _ in range(100):
            program.say("x" * 10_000)
        program.end_stdin()
        self.assertTrue(program.wait(PATIENCE))
        self.assertEqual((program.url, program.exit_status), (f"{BASE}/checkout/7", 0))
        self.assertIn("bytes ...]", program.stdout.text())
        self.assertLess(len(program.stdout.text()), 70_000)
        self.assertFalse(program.kill("too late"))
        self.assertEqual((program.killed, program.exit_status), (None, 0))

    @unittest.skipIf(sys.platform == "win32", "the test looks for a process of Unix")
    def test_its_children_end_with_it(self) -> None:
        source = (
            "import subprocess, sys, time\n"
            "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
            "print(child.pid, flush=True)\n"
        )
        for rest, kill in (("time.sleep(600)", True), ("", False)):
            program = self.started(source + rest)
            deadline = time.monotonic() + PATIENCE
            while not program.stdout.text().endswith("\n"):
                self.assertLess(time.monotonic(), deadline, "it started a child")
                time.sleep(0.01)
            child = int(program.stdout.text())
            if kill:
                program.kill("the test")
            self.assertTrue(program.wait(PATIENCE))
            while _runs(child):
                self.assertLess(time.monotonic(), deadline, "its child is still there")
                time.sleep(0.01)


class ChangesOfFiles(InAFolder):
    def test_each_change_of_a_file_is_noticed(self) -> None:
        names: List[str] = []
        new = threading.Condition()

        def noted(number: int, name: str) -> None:
            with new:
                names.append(name)
                self.assertEqual(number, len(names))
                new.notify_all()

        (self.folder / "old").write_text("1")
        below = self.folder / "below"
        path = below / "journal.db"
        with Changes(self.folder, noted) as changes:
            for change, name in (
                (lambda: (self.folder / "old").read_text() and below.mkdir(), "below"),
                (lambda: path.write_text("1"), "journal.db"),
                (lambda: path.write_text("22"), "journal.db"),
                (lambda: path.replace(below / "journal.bak"), "journal.bak"),
                ((self.folder / "old").unlink, "old"),
            ):  # fmt: skip
                known = len(names)
                change()
                with new:
                    seen = new.wait_for(lambda: name in names[known:], PATIENCE)
                self.assertTrue(seen, (name, names))
                if name != "old":
                    self.assertNotIn("old", names)
        count = changes.count
        (self.folder / "later").write_text("")
        self.assertEqual(changes.count, count)


def _runs(pid: int) -> bool:
    """Whether a process runs. A zombie that nobody has read yet has ended."""
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False

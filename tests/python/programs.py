"""Runs the programs of examples/python, with a sandbox for each test."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path
from typing import Any, Dict, List

import payorder
from tests.support import CREDENTIALS, PATIENCE, WIRE_ORDER, Sandbox

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "python"


def order(number: int, product: str = "Tea") -> Dict[str, Any]:
    ids = {"orderId": f"ORD-{number}", "merchantTxnId": f"MTX-{number}"}
    return {**WIRE_ORDER, **ids, "productInfo": product}


class Program:
    """A running program. `output` has its lines, of both streams."""

    def __init__(self, command: List[str], environment: Dict[str, str]) -> None:
        self.output: List[str] = []
        self._process = subprocess.Popen(
            command,
            env=environment,
            cwd=environment["FOLDER"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            universal_newlines=True,
            # A job in the background of a shell ignores Ctrl-C, and so would its programs.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self.output.append(line.rstrip())

    def until(self, text: str, times: int = 1) -> str:
        """Waits for a line with `text`, and returns it."""
        give_up = time.monotonic() + PATIENCE
        while time.monotonic() < give_up:
            found = [line for line in self.output if text in line]
            if len(found) >= times:
                return found[-1]
            time.sleep(0.01)
        raise AssertionError(f"no {text!r} in:\n" + "\n".join(self.output))

    def signal(self, number: signal.Signals) -> None:
        self._process.send_signal(number)

    def end(self) -> int:
        """Waits for the end of the program, and returns its exit status."""
        status = self._process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        self.close()
        return status

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        self._reader.join(PATIENCE)
        assert self._process.stdout is not None
        self._process.stdout.close()


class ProgramTestCase(unittest.TestCase):
    """A sandbox, a folder for the files, and the environment of the program."""

    def setUp(self) -> None:
        self.sandbox = Sandbox()
        self.addCleanup(self.sandbox.__exit__, None, None, None)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.environment = {
            **os.environ,
            "FOLDER": str(self.folder),
            "PYTHONUNBUFFERED": "1",
            "no_proxy": "*",
            "PAYORDER_BASE_URL": self.sandbox.url,
            "PAYORDER_JOURNAL": str(self.folder / "orders.sqlite"),
            **{f"PAYORDER_{key.upper()}": value for key, value in CREDENTIALS.items()},
        }

    def start(self, *command: str) -> Program:
        program = Program([sys.executable, *command], self.environment)
        self.addCleanup(program.close)
        return program

    def entries(self) -> List[payorder.JournalEntry]:
        journal = self.environment["PAYORDER_JOURNAL"]
        with payorder.Client(self.sandbox.url, journal=journal) as reader:
            return list(reader.journal.list())

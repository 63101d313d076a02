"""Runs the command `payorder` as a user or a program does."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import shlex
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time
import unittest
from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Tuple

from payorder_tools.command.exits import (
    DONE as DONE,
    FAILED as FAILED,
    INTERRUPTED as INTERRUPTED,
    NOT_PAID as NOT_PAID,
    NOT_SENT as NOT_SENT,
    NOT_VERIFIED as NOT_VERIFIED,
    REJECTED as REJECTED,
    UNKNOWN as UNKNOWN,
    USAGE as USAGE,
)

from .program import LIBRARY, PYTHONPATH, TOOLS_FOLDER
from .sandbox import CREDENTIALS, Sandbox
from .service import PATIENCE

ORDER = [
    "--merchant-id", "M-1", "--product-info", "Tea", "--customer-name", "Asha Rao",
    "--customer-mobile", "9000000001", "--customer-email", "asha@example.com",
    "--redirection-url", "https://shop.example/", "--currency-code", "INR",
]  # fmt: skip

if TYPE_CHECKING:
    Ended = subprocess.CompletedProcess[str]
else:
    # Python 3.8 knows no type of its output.
    Ended = subprocess.CompletedProcess

#: The environment variables with the sandbox's credentials.
VARIABLES = {f"PAYORDER_{name.upper()}": value for name, value in CREDENTIALS.items()}


def environment(sandbox: Optional[Sandbox] = None, **further: str) -> Dict[str, str]:
    """A clean environment, with the sandbox's settings if one is given."""
    clean = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("PAYORDER_")
    }
    clean = {
        name: value
        for name, value in clean.items()
        if not name.lower().endswith("_proxy")
    }
    clean.update(
        PYTHONPATH=PYTHONPATH,
        PAYORDER_LIBRARY=str(LIBRARY),
        PYTHONIOENCODING="utf-8",
    )
    if sandbox is not None:
        clean.update(VARIABLES, PAYORDER_BASE_URL=sandbox.url)
    return {**clean, **further}


def command(*arguments: str) -> List[str]:
    """The command line."""
    return [sys.executable, "-m", "payorder", *arguments]


def readme_block(language: str, beginning: str) -> str:
    """The block of README.md that begins with this text."""
    text = (TOOLS_FOLDER / "README.md").read_text(encoding="utf-8")
    after = text.split(f"\n```{language}\n{beginning}")[1]
    return beginning + after.split("```")[0]


def in_bash(script: str) -> List[str]:
    """The arguments that run a script in which `payorder` is this command."""
    program = " ".join(map(shlex.quote, command()))
    return ["bash", "--norc", "-c", f'payorder() {{ {program} "$@"; }}\n{script}']


def run(
    sandbox: Optional[Sandbox],
    line: str = "",
    *more: str,
    given: str = "",
    **further: str,
) -> Ended:
    """Runs the command to its end. `line` is split as a shell does, and `more` is added."""
    return subprocess.run(
        command(*shlex.split(line), *more),
        input=given,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(sandbox, **further),
        universal_newlines=True,
        timeout=120,
    )


def interrupted(
    variables: Dict[str, str],
    seconds: float,
    *arguments: str,
    until: str = "",
    after: Optional[threading.Event] = None,
) -> Tuple[int, str, str, float]:
    """Runs the command and presses Ctrl-C, some seconds after it wrote `until` or after the event.

    Returns the exit status, both outputs, and how long it took to end.
    """
    with subprocess.Popen(
        command(*arguments),
        env=variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        universal_newlines=True,
        # The test may run as a background job of a shell, in which the signal is ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as running:
        assert running.stdout is not None
        written = ""
        while until and until not in written:
            line = running.stdout.readline()
            assert line, written
            written += line
        if after is not None:
            assert after.wait(PATIENCE), "the event did not occur"
        time.sleep(seconds)
        began = time.monotonic()
        running.send_signal(signal.SIGINT)
        output, complaint = running.communicate(timeout=PATIENCE)
        took = time.monotonic() - began
    return running.returncode, written + output, complaint, took


def on_a_terminal(
    arguments: List[str], variables: Dict[str, str], columns: int = 80
) -> str:
    """The command's output on a terminal."""
    master, terminal = pty.openpty()
    size = struct.pack("HHHH", 24, columns, 0, 0)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, size)
    shown = b""
    with subprocess.Popen(
        command(*arguments),
        env=variables,
        stdout=terminal,
        stderr=terminal,
        stdin=terminal,
    ) as running:
        os.close(terminal)
        give_up = time.monotonic() + PATIENCE
        while time.monotonic() < give_up:
            ready, _, _ = select.select([master], [], [], 1)
            try:
                piece = os.read(master, 65536) if ready else b""
            except OSError:
                break
            shown += piece
            if not piece and running.poll() is not None:
                break
    os.close(master)
    return shown.decode()


class CommandTestCase(unittest.TestCase):
    """A sandbox, a folder, and in it the path of a journal."""

    sandbox: Sandbox

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.journal = str(self.folder / "orders.sqlite")
        self.sandbox = Sandbox()
        self.addCleanup(self.sandbox.__exit__, None, None, None)

    def payorder(
        self, line: str, *more: str, status: Optional[int] = None, **further: Any
    ) -> Ended:
        """Runs the command with the sandbox's settings. `status` must be its exit status."""
        ended = run(self.sandbox, line, *more, **further)
        if status is not None:
            self.assertEqual(ended.returncode, status, ended)
        return ended

    def create(self, line: str, *more: str, fault: str = "", **further: Any) -> int:
        """Creates an order and returns the exit status. `line` is its id, and the amount if that is
        not 5."""
        order_id, amount = [*line.split(), "5"][:2]
        product = f"Tea {fault and f'sandbox:{fault}'}".strip()
        named = ("-o", order_id, "-a", amount, *ORDER, "--product-info", product)
        return self.payorder("create", *named, *more, **further).returncode

    def in_journal(
        self, line: str, *more: str, status: Optional[int] = None, **further: Any
    ) -> Ended:
        """The same as `payorder`, with the journal."""
        variables = {"PAYORDER_JOURNAL": self.journal, **further}
        return self.payorder(line, *more, status=status, **variables)

    def refused(self, line: str, *more: str, words: str = "", **further: Any) -> Ended:
        """The command line, the settings or a file are wrong: nothing is sent."""
        ended = self.payorder(line, *more, status=USAGE, **further)
        self.assertEqual(ended.stdout, "")
        self.assertNotIn("Traceback", ended.stderr)
        self.assertIn(words, ended.stderr)
        return ended

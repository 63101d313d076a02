"""What a user types, what the command prints, and its exit status: the files in `sessions`.

A line that begins with `## ` names the promise that the session shows. It has a folder and a
sandbox of its own, whose settings are in the environment. Then each line that begins with

    $   is run in bash, in which `payorder` is the command, `sell ORDER AMOUNT` creates an order,
        `sold ORDER AMOUNT` does so without a word, NOBODY is an address where nobody listens, and
        TILL is a till that passes the exam.
        After a backslash it goes on in the next line
    @   is run on a terminal of 80 columns
    %   is for the sandbox: `% pay ORDER`, `% fail ORDER`, `% refund ORDER`, `% fault RULE`; or
        `% answers` with what a service says instead of it: texts of JSON, each with an HTTP status,
        and perhaps headers; or `% needs PROGRAM`: without it the session is left out

The lines after it are its output, those of standard error after `! `, and its exit status in
brackets if that is not 0. `...` stands for any text, and alone in a line for any lines. With
PAYORDER_RENEW_SESSIONS=1 the output that is not as expected is written into the file.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import List, NamedTuple

from .commands import BASH, ON_A_TERMINAL, environment
from payorder_tools.testing import SandboxError

from .support import PATIENCE, PROJECT, WANTS_ALL, Sandbox, Service, closed_address

FOLDER = Path(__file__).resolve().parent / "sessions"
#: A till that passes the exam.
TILL = PROJECT / "examples" / "python" / "till.py"
#: Dates, times, durations and hashes.
CHANGING = re.compile(
    r"(\d{4}-\d\d-\d\d[T ])?\d\d:\d\d:\d\d(\.\d{3}Z?)?|\d\d/\d\d/\d{4} [\d:]{8} [AP]M"
    r"|\d+(\.\d+)?(?= s\b)|(?<=Ms\":)\d+|(?<=Ms\": )\d+|\d+(?= ms)|[0-9a-f]{64}"
    r"|(?<=\[)[0-9a-f]{12}(?=\])|(?<=127\.0\.0\.1:)\d{5}\b"
)
RENEW = bool(os.environ.get("PAYORDER_RENEW_SESSIONS"))


class Step(NamedTuple):
    #: The kind of line, and the line itself without it.
    sign: str
    line: str
    expected: List[str]


class Missing(Exception):
    """A program that a session needs is not installed."""


class Session:
    def __init__(self, text: str) -> None:
        self.text = f"## {text}"
        self.name, *lines = text.split("\n")
        self.steps: List[Step] = []
        for line in lines:
            before = self.steps[-1] if self.steps else None
            if line[:2] in ("$ ", "@ ", "% "):
                self.steps.append(Step(line[0], line[2:], []))
            elif before and not before.expected and before.line.endswith("\\"):
                self.steps[-1] = before._replace(line=f"{before.line}\n{line}")
            elif before:
                before.expected.append(line)

    def result(self) -> str:
        try:
            return self.run()
        except SandboxError as error:
            return f"## {self.name}\n{error}"
        except Missing:
            return self.text

    def run(self) -> str:
        """Runs it. Returns its text with what really happened."""
        shown = [f"## {self.name}"]
        with contextlib.ExitStack() as self.exits:
            folder = self.exits.enter_context(tempfile.TemporaryDirectory())
            self.folder = os.path.realpath(folder)
            self.sandbox = self.exits.enter_context(Sandbox())
            self.nobody = self.exits.enter_context(closed_address())
            self.variables = {
                **environment(self.sandbox),
                "NOBODY": f"http://{self.nobody}",
                "TILL": str(TILL),
                "TZ": "UTC",
            }
            for step in self.steps:
                shown.append(f"{step.sign} {step.line}")
                if step.sign == "%":
                    self.prepare(*step.line.split(" ", 1))
                    shown += step.expected
                    continue
                printed = self.printed(step)
                same = re.fullmatch(pattern(step.expected), "\n".join([*printed, ""]))
                shown += step.expected if same else printed
        return "\n".join(shown)

    def prepare(self, what: str, about: str = "") -> None:
        if what == "needs":
            if shutil.which(about) is None and not WANTS_ALL:
                raise Missing
        elif what == "answers":
            keys = ("json", "http", "headers")
            answers = [dict(zip(keys, answer)) for answer in json.loads(f"[{about}]")]
            service = Service(create=answers, status=answers)
            self.exits.enter_context(service)
            self.variables["PAYORDER_BASE_URL"] = service.url
        else:
            getattr(self.sandbox, what)(*filter(None, [about]))

    def printed(self, step: Step) -> List[str]:
        script = [*BASH, step.line]
        if step.sign == "@":
            script = [*ON_A_TERMINAL, *BASH, f"stty cols 80; {step.line}"]
        ended = subprocess.run(
            script,
            env=self.variables,
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="backslashreplace",
            timeout=4 * PATIENCE,
        )
        lines = self.lines(ended.stdout)
        lines += [f"! {line}".rstrip() for line in self.lines(ended.stderr)]
        return lines + ([f"[{ended.returncode}]"] if ended.returncode else [])

    def lines(self, text: str) -> List[str]:
        """The lines of an output, without what is different in each run."""
        service = self.variables["PAYORDER_BASE_URL"].split("//")[1]
        for what, name in (
            (self.sandbox.url.split("//")[1], "sandbox"),
            (service, "service"),
            (self.nobody, "nobody"),
            (self.folder, "FOLDER"),
            ("\x1b", "ESC"),
        ):
            text = text.replace(what, name)
        text = CHANGING.sub("...", text)
        return re.sub(r"\n$", "", text).split("\n") if text else []


def pattern(lines: List[str]) -> str:
    """A regular expression for these lines of output."""
    parts = [
        r"(?:[^\n]*\n)*" if line == "..." else re.escape(line).replace(r"\.\.\.", r"[^\n]*") + "\n"
        for line in lines
    ]
    return "".join(parts)


class Sessions(unittest.TestCase):
    maxDiff = None

    def test_each_session_goes_as_it_is_written(self) -> None:
        files = {path: path.read_text("utf-8") for path in sorted(FOLDER.glob("*.txt"))}
        # Those of all files at once, because they often wait.
        with ThreadPoolExecutor(8) as pool:
            running = {
                path: [
                    pool.submit(Session(session.rstrip("\n")).result)
                    for session in text.split("\n## ")[1:]
                ]
                for path, text in files.items()
            }
        for path, text in files.items():
            first, *sessions = text.split("\n## ")
            found = [one.result() for one in running[path]]
            if RENEW:
                renewed = "\n\n".join([first.rstrip("\n"), *found])
                path.write_text(f"{renewed}\n", "utf-8")
            for session, real in zip(sessions, found):
                with self.subTest(real.split("\n")[0]):
                    self.assertEqual(f"## {session}".rstrip("\n"), real)

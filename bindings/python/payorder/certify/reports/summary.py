"""What every report says about a result, as text."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections import Counter
from typing import Dict, List

from ..results import ExamResult, RunOfProgram, ScenarioResult

#: Characters that a terminal, HTML or XML would not show as they are. A tab and a newline stay;
#: joiners stay too, because Indian scripts need them.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)


def visible(text: str) -> str:
    """The text with control characters as `\\x1b` or `\\u202e`."""

    def escaped(found: "re.Match[str]") -> str:
        code = ord(found[0])
        return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"

    return _INVISIBLE.sub(escaped, text.replace("\r\n", "\n"))


def one_command(words: List[str]) -> str:
    """A command line that can be pasted into a shell."""
    if sys.platform == "win32":
        return subprocess.list2cmdline(words)
    return " ".join(map(shlex.quote, words))


def subject(result: ExamResult, count: int = 1) -> str:
    """What the result has a list of: "scenario" or "kill"."""
    one = "kill" if result.kind == "drill" else "scenario"
    return one if count == 1 else one + "s"


def headline(result: ExamResult) -> str:
    """How it ended, in one line."""
    total = len(result.scenarios)
    failed = sum(not one.passed for one in result.scenarios)
    if not total:
        return f"FAILED: no {subject(result)} was run"
    of_all = f"{total} {subject(result, total)}"
    if not failed:
        return f"PASSED: {of_all}"
    not_judged = sum(one.trouble is not None for one in result.scenarios)
    more = f", of which {not_judged} could not be judged" if not_judged else ""
    return f"FAILED: {failed} of {of_all}{more}"


def mark(scenario: ScenarioResult) -> str:
    """How one scenario ended, in a word."""
    if scenario.trouble is not None:
        return "NOT JUDGED"
    return "passed" if scenario.passed else "FAILED"


def command_to_repeat(result: ExamResult, scenario: ScenarioResult) -> str:
    """The command that runs one scenario, or one kill, again."""
    drill = ["--drill"] if result.kind == "drill" else []
    return one_command(
        [
            "payorder",
            "certify",
            *drill,
            "--only",
            scenario.name,
            "--seed",
            str(result.seed),
            "--",
            *result.command,
        ]
    )


def ending(run: RunOfProgram) -> str:
    """How one run of the program ended."""
    if run.killed_at:
        return f"killed: {run.killed_at}"
    if run.exit_status is None:
        return "did not end in time"
    if run.exit_status < 0:
        status = f"ended by signal {-run.exit_status}"
    else:
        status = f"exit status {run.exit_status}"
    return f"{run.verdict or 'no verdict'} ({status})"


def kills_by_point(result: ExamResult) -> Dict[str, int]:
    """How many kills there were at each kind of point, the most frequent first.

    A kind is the text of `killed_at` before the first parenthesis.
    """
    counts = Counter(
        run.killed_at.partition(" (")[0]
        for scenario in result.scenarios
        for run in scenario.runs
        if run.killed_at
    )
    return dict(counts.most_common())

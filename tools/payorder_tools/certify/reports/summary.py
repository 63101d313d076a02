"""What every report says about a result, as text."""

from __future__ import annotations

import re
import xml.etree.ElementTree as xml
from collections import defaultdict
from dataclasses import dataclass
from typing import Dict, List, Tuple

from ...shell import one_command
from ..results import DEFAULT_SECONDS, ExamResult, RunOfProgram, ScenarioResult

#: Characters that a terminal, HTML or XML would not show as they are. A tab and a newline stay;
#: joiners stay too, because Indian scripts need them.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)

_FAILURES_OF_DRILL = 5


def visible(text: str) -> str:
    """The text with control characters as `\\x1b` or `\\u202e`."""
    shown = text.replace("\r\n", "\n")
    return _INVISIBLE.sub(lambda one: one[0].encode("unicode_escape").decode(), shown)


def add(parent: xml.Element, tag: str, text: str = "", **attributes: str) -> xml.Element:
    """Adds an element. Its text and its attributes are escaped when the report is written, but XML
    has no way to write a control character, so none may get this far."""
    made = xml.SubElement(parent, tag, {name: visible(value) for name, value in attributes.items()})
    made.text = visible(text) or None
    return made


def headline(result: ExamResult) -> str:
    """How it ended, in one line."""
    drill = result.kind == "drill"
    one = "sale" if drill else "scenario"
    total = len(result.scenarios)
    failed = sum(scenario.failed for scenario in result.scenarios)
    expected = sum(scenario.failed_as_expected for scenario in result.scenarios)
    if result.interrupted:
        return f"INTERRUPTED after {total} {one}{'' if total == 1 else 's'}, {failed} failed"
    if not total:
        return f"FAILED: no {one} was run"
    all_of_them = f"{total} {one}{'' if total == 1 else 's'}"
    if drill:
        kills = sum(kind.done for kind in kills_by_point(result).values())
        all_of_them += f" with {kills} kill{'' if kills == 1 else 's'}"
    if not failed and expected:
        return f"AS EXPECTED: {expected} of {all_of_them} failed"
    if not failed:
        return f"PASSED: {all_of_them}"
    not_judged = sum(scenario.trouble is not None for scenario in result.scenarios)
    more = f", of which {not_judged} could not be judged" if not_judged else ""
    more += f"; {expected} more failed as expected" if expected else ""
    return f"FAILED: {failed} of {all_of_them}{more}"


def failures(result: ExamResult) -> Tuple[List[ScenarioResult], str]:
    """The failures to show in full, and a line about the others, which may be empty.

    Many failures of a drill have the same reason.
    """
    failed = [one for one in result.scenarios if one.failed]
    if result.kind != "drill":
        return failed, ""
    others = [one.name for one in failed[_FAILURES_OF_DRILL:]]
    line = f"failed too, and left out here: sales {', '.join(others)}"
    return failed[:_FAILURES_OF_DRILL], line if others else ""


def mark(scenario: ScenarioResult) -> str:
    """How one scenario ended, in a word."""
    if scenario.trouble is not None:
        return "NOT JUDGED"
    if scenario.failed_as_expected:
        return "expected"
    return "passed" if scenario.passed else "FAILED"


def command_to_repeat(result: ExamResult, scenario: ScenarioResult) -> str:
    """The command that runs one scenario, or one kill, again."""
    drill = ["--drill"] if result.kind == "drill" else []
    seconds = f"{result.sale_seconds:g}"
    usual = result.sale_seconds == DEFAULT_SECONDS
    return one_command(
        [
            "payorder",
            "certify",
            *drill,
            "--only",
            scenario.name,
            "--seed",
            str(result.seed),
            *([] if usual else ["--seconds", seconds]),
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


@dataclass
class Kills:
    """How often a drill killed at one kind of point."""

    done: int = 0
    #: How often the program had ended before it got there.
    missed: int = 0


def kills_by_point(result: ExamResult) -> Dict[str, Kills]:
    """The kills at each kind of point, the most frequent kind first."""
    kinds: Dict[str, Kills] = defaultdict(Kills)
    for scenario in result.scenarios:
        for run in scenario.runs:
            if run.killed_at:
                kinds[_kind(run.killed_at)].done += 1
            elif run.missed_kill:
                kinds[_kind(run.missed_kill)].missed += 1
    return dict(sorted(kinds.items(), key=lambda one: -one[1].done))


def _kind(killed_at: str) -> str:
    """Without the time before it and the detail after it."""
    return re.sub(r"^[0-9.]+ s: | \(.*$", "", killed_at)

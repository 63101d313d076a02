"""The report for people, on a terminal."""

from __future__ import annotations

import textwrap
from typing import List

from ..results import ExamResult, ScenarioResult
from .summary import (
    command_to_repeat,
    failures,
    headline,
    kills_by_point,
    mark,
    visible,
)

_LINES_OF_STDERR = 5
_LABELS = ("it did", "expected", "the money")


def end(result: ExamResult, width: int = 80) -> str:
    """The report without the lines of the scenarios, which the command prints as each one ends."""
    shown, others = failures(result)
    lines = [failure(result, one, width) for one in shown]
    lines += ["", visible(others)] if others else []
    lines += [
        visible(f"remark about {one.name}: {remark}")
        for one in result.scenarios
        for remark in one.remarks
    ]
    return "\n".join([*lines, summary(result)])


def scenario_line(scenario: ScenarioResult) -> str:
    """One line about one scenario."""
    return visible(
        f"{mark(scenario):<10}  {scenario.name:<21} {scenario.title} ({scenario.seconds:.1f} s)"
    )


def failure(result: ExamResult, scenario: ScenarioResult, width: int = 80) -> str:
    """What went wrong in one scenario: for each finding what the till did, and so on."""
    lines = ["", f"{scenario.name}: {scenario.title}"]
    for finding in scenario.findings:
        lines.append(f"  rule {finding.rule}")
        for label, text in zip(_LABELS, (finding.did, finding.expected, finding.money)):
            lines += _labelled(label, text, width)
    if scenario.trouble:
        lines.append("  the till could not be judged")
        lines += _labelled("problem", scenario.trouble, width)
    errors = [run.stderr for run in scenario.runs if run.stderr.strip()]
    if errors:
        lines.append("  the end of its stderr:")
        last = errors[-1].rstrip().splitlines()[-_LINES_OF_STDERR:]
        lines += [f"    {line}" for line in last]
    lines.append("  to run it again:")
    # Not wrapped, so that it can be copied.
    lines.append(f"    {command_to_repeat(result, scenario)}")
    return visible("\n".join(lines))


def summary(result: ExamResult) -> str:
    """The last lines."""
    lines: List[str] = [""]
    kills = kills_by_point(result) if result.kind == "drill" else {}
    if kills:
        lines.append("killed when")
        for point, count in kills.items():
            missed = f" ({count.missed} more: it had ended)" if count.missed else ""
            lines.append(f"{count.done:6}  {point}{missed}")
        lines.append("")
    lines.append(f"{headline(result)}, in {result.seconds:.0f} s (seed {result.seed})")
    return visible("\n".join(lines))


def _labelled(label: str, text: str, width: int) -> List[str]:
    return textwrap.wrap(
        text,
        width=max(width, 40),
        initial_indent=f"    {label + ':':<11}",
        subsequent_indent=" " * 15,
        break_on_hyphens=False,
    ) or [f"    {label}:"]

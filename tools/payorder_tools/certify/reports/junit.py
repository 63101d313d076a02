"""The report for CI, in the XML format of JUnit that Jenkins, GitLab and others read."""

from __future__ import annotations

import xml.etree.ElementTree as xml

from ...shell import one_command
from ..results import ExamResult, RunOfProgram, ScenarioResult
from .conversation import conversation
from .summary import add, ending
from .terminal import failure

_NAME = "payorder certify"


def render(result: ExamResult) -> str:
    """The whole report: one suite, with a test case for each scenario."""
    troubles = sum(one.trouble is not None for one in result.scenarios)
    expected = sum(one.failed_as_expected for one in result.scenarios)
    counts = {
        "tests": str(len(result.scenarios)),
        "failures": str(sum(one.failed for one in result.scenarios) - troubles),
        "errors": str(troubles),
        "time": f"{result.seconds:.3f}",
    }
    suites = xml.Element("testsuites", {"name": _NAME, **counts})
    about = {**counts, "skipped": str(expected), "timestamp": result.started}
    suite = add(suites, "testsuite", name=_NAME, **about)
    properties = add(suite, "properties")
    for name, value in (
        ("kind", result.kind),
        ("command", one_command(result.command)),
        ("seed", str(result.seed)),
        ("payorder", result.version),
    ):
        add(properties, "property", name=name, value=value)
    for scenario in result.scenarios:
        _add_case(suite, result, scenario)
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n' + xml.tostring(suites, encoding="unicode") + "\n"
    )


def _add_case(suite: xml.Element, result: ExamResult, scenario: ScenarioResult) -> None:
    case = add(
        suite,
        "testcase",
        name=scenario.name,
        classname=f"certify.{result.kind}",
        time=f"{scenario.seconds:.3f}",
    )
    if scenario.passed:
        return
    if scenario.failed_as_expected:
        broken = ", ".join(finding.rule for finding in scenario.findings)
        add(case, "skipped", message=f"failed as expected: {broken}")
        return
    # Many readers show only the first element of a case, so it has all findings.
    text = failure(result, scenario, width=10_000)
    if scenario.trouble is not None:
        about = {"type": "not-judged", "message": scenario.trouble}
    else:
        about = {
            "type": ", ".join(finding.rule for finding in scenario.findings),
            "message": "; ".join(finding.did for finding in scenario.findings),
        }
    add(case, "error" if scenario.trouble is not None else "failure", text, **about)
    add(
        case,
        "system-out",
        "".join(map(_run, scenario.runs)) + "requests\n" + conversation(scenario.requests),
    )


def _run(run: RunOfProgram) -> str:
    return (
        f"run {run.number}, {run.started}, {run.seconds:.1f} s: {ending(run)}\n"
        f"stdout:\n{run.stdout}\nstderr:\n{run.stderr}\n\n"
    )

"""The report as one HTML file, to keep, to print or to send to the aggregator."""

from __future__ import annotations

import xml.etree.ElementTree as xml
from pathlib import Path
from typing import Any, Dict, Tuple

from ...shell import one_command
from ..results import ExamResult, RunOfProgram, ScenarioResult
from ..rules import RULES
from ..scenarios import SCENARIOS
from .conversation import conversation
from .summary import (
    add as _add,
    command_to_repeat,
    ending,
    failures,
    headline,
    kills_by_point,
    mark,
    visible,
)

_STYLE = Path(__file__).with_name("report.css")
_NUMBERS = ("Time", "Kills", "Had ended before")
_WHAT_IT_IS = (
    "This is the merchant's own test. The merchant ran its program on its own machine against "
    "the sandbox of payorder, which simulates the payment service. No money was moved. The "
    "payment service and the aggregator took no part, and nobody else has checked this result."
)
_COVERED = {
    "exam": "It covers what the program does with an order and a payment when all is well, when "
    "requests or responses are lost, when the service fails or is slow, when a customer does "
    "not pay, pays another amount or forges a return URL, and when the program is restarted. "
    "The scenarios are listed below. The judge compares what the program said with what the "
    "service had received and had stored.",
    "drill": "It covers what the program knows about an order after it was killed in the middle "
    "of a sale and started again. The judge compares what the program said with what the "
    "service had received and had stored.",
}
_NOT_COVERED = (
    "It does not cover the real service and its settings, the shop's web pages, accounting, "
    "or what people do with the program."
)

_RECOGNISED = (
    "A program can recognise a test and behave better in it. Compare the hashes above with the "
    "program that runs in the shop, and try a few payments there too."
)


def render(result: ExamResult) -> str:
    """The whole report. It needs no other file, no script and no network."""
    page, main = _page(f"Till test, {result.started[:10]}: {headline(result)}")
    _add_head(main, result)
    if result.kind == "drill":
        _add_kills(main, result)
    else:
        _add_scenarios(main, result)
    _add(main, "h2", "What was checked")
    _add_list(main, *RULES.items())
    shown, others = failures(result)
    for scenario in shown:
        _add_failure(main, result, scenario)
    if others:
        _add(main, "p", others)
    return _text(page)


def certificate_page(document: Dict[str, Any], exam: ExamResult, drill: ExamResult) -> str:
    """A certificate with everything that its JSON has, also about what passed."""
    page, main = _page(document["title"])
    _add(main, "h1", document["title"])
    for result in (exam, drill):
        whole = document["complete"] and result.passed
        _add(main, "p", headline(result), **_result(result, whole))
    for missing in document["missing"]:
        _add(main, "p", f"Partial: {missing}.", **{"class": "result partial"})
    facts = ("merchant", "nonce", "system", "madeWith", "rules", "started", "seconds")
    counts = document["played"].items()
    _add_list(
        main,
        ("program", one_command(document["program"]["command"])),
        (
            "version, printed by the program",
            document["program"]["versionPrintedByProgram"]
            or "none: it prints no line with --version",
        ),
        (
            "version, typed by the user",
            document["program"]["versionTypedByUser"] or "none",
        ),
        *((name, str(document[name])) for name in (*facts, "seed", "saleSeconds")),
        *((name, str(count)) for name, count in counts),
    )
    for files, words in (
        ("files", "the files that the command names"),
        ("folder", "what else is in the program's folder"),
    ):
        _add(main, "h2", f"SHA-256 of {words}")
        _add_list(main, *document["program"][files].items())
    for one in document["program"]["folderNotListed"]:
        _add(main, "p", f"Not listed: {one}")
    _add(main, "h2", "What this document says")
    for text in (_WHAT_IT_IS, _COVERED["exam"], _COVERED["drill"], _NOT_COVERED):
        _add(main, "p", text)
    _add(main, "p", _RECOGNISED)
    _add_scenarios(main, exam)
    _add_kills(main, drill)
    _add(main, "h2", "What was checked")
    _add_list(main, *RULES.items())
    for result in (exam, drill):
        for scenario in result.scenarios:
            _add_failure(main, result, scenario)
    return _text(page)


def _page(title: str) -> Tuple[xml.Element, xml.Element]:
    """A page, and the element for its content."""
    page = xml.Element("html", {"lang": "en"})
    head = _add(page, "head")
    _add(head, "meta", charset="utf-8")
    _add(head, "meta", name="viewport", content="width=device-width, initial-scale=1")
    _add(head, "title", title)
    _add(head, "style", _STYLE.read_text(encoding="utf-8"))
    return page, _add(_add(page, "body"), "main")


def _text(page: xml.Element) -> str:
    text = xml.tostring(page, encoding="unicode", method="html")
    return f"<!DOCTYPE html>\n{text}\n"


def _add_head(main: xml.Element, result: ExamResult) -> None:
    drill = result.kind == "drill"
    _add(main, "h1", "Till test: the program is killed" if drill else "Till test")
    whole = drill or [one.name for one in result.scenarios] == list(SCENARIOS)
    _add(main, "p", headline(result), **_result(result, whole and result.passed))
    _add_list(
        main,
        ("Program", one_command(result.command)),
        ("Started", result.started),
        ("Took", f"{result.seconds:.0f} s"),
        ("Made with", f"payorder {result.version}, payorder certify"),
        ("Seed", str(result.seed)),
    )
    _add(main, "h2", "What this report says")
    _add(main, "p", _WHAT_IT_IS)
    _add(main, "p", _COVERED["drill" if drill else "exam"])
    _add(main, "p", _NOT_COVERED)


def _add_scenarios(main: xml.Element, result: ExamResult) -> None:
    _add(main, "h2", "Scenarios")
    if len(result.scenarios) < len(SCENARIOS):
        part = f"{len(result.scenarios)} of the {len(SCENARIOS)} scenarios"
        _add(main, "p", f"Only {part} were run.")
    body = _add_table(main, "Scenario", "What happens in it", "Result", "Time")
    for scenario in result.scenarios:
        row = _add(body, "tr")
        _add(_add(row, "td"), "code", scenario.name)
        _add(row, "td", scenario.title)
        _add(row, "td", mark(scenario), **_class(scenario.passed, "mark"))
        _add(row, "td", f"{scenario.seconds:.1f} s", **{"class": "number"})


def _add_kills(main: xml.Element, result: ExamResult) -> None:
    _add(main, "h2", "Where the program was killed")
    body = _add_table(main, "Killed when", "Kills", "Had ended before")
    for point, count in kills_by_point(result).items():
        row = _add(body, "tr")
        _add(row, "td", point)
        for times in (count.done, count.missed):
            _add(row, "td", str(times), **{"class": "number"})


def _add_failure(main: xml.Element, result: ExamResult, scenario: ScenarioResult) -> None:
    section = _add(main, "section")
    what = "Sale" if result.kind == "drill" else "Scenario"
    _add(section, "h2", f"{what} {scenario.name}: {scenario.title}")
    for finding in scenario.findings:
        box = _add(section, "div", **{"class": "finding"})
        _add(box, "h3", f"Rule {finding.rule}")
        _add_list(
            box,
            ("The program", finding.did),
            ("Expected", finding.expected),
            ("The money", finding.money),
        )
    for remark in scenario.remarks:
        _add(section, "p", f"Remark: {remark}")
    if scenario.trouble is not None:
        box = _add(section, "div", **{"class": "finding"})
        _add(box, "h3", "The program could not be judged")
        _add(box, "p", scenario.trouble)
    _add(section, "h3", f"To run this {what.lower()} again")
    _add(section, "pre", command_to_repeat(result, scenario))
    for run in scenario.runs:
        _add_run(section, run)
    _add(section, "h3", "Orders that the service had at the end")
    if scenario.orders:
        body = _add_table(section, "Order", "Amount", "State")
        for order in scenario.orders:
            row = _add(body, "tr")
            _add(_add(row, "td"), "code", str(order.get("orderId")))
            amount = f"{order.get('amount')} {order.get('currencyCode') or ''}"
            _add(row, "td", amount)
            refunded = ", refunded" if order.get("refunded") else ""
            _add(row, "td", f"{order.get('state')}{refunded}")
    else:
        _add(section, "p", "none")
    _add(section, "h3", "Requests and responses")
    _add(
        section,
        "p",
        "Lines with > were sent by the program, lines with < by the service. Lines with * say what "
        "the sandbox did.",
        **{"class": "quiet"},
    )
    _add(section, "pre", conversation(scenario.requests))


def _add_run(section: xml.Element, run: RunOfProgram) -> None:
    _add(section, "h3", f"Run {run.number}: {ending(run)}")
    _add(
        section,
        "p",
        f"Started {run.started}, took {run.seconds:.1f} s.",
        **{"class": "quiet"},
    )
    for name, text in (("stdout", run.stdout), ("stderr", run.stderr)):
        if text:
            _add(section, "p", name, **{"class": "quiet"})
            _add(section, "pre", text)


def _add_table(parent: xml.Element, *columns: str) -> xml.Element:
    """Adds a table. Returns the element for its rows."""
    table = _add(parent, "table")
    row = _add(_add(table, "thead"), "tr")
    for column in columns:
        number = {"class": "number"} if column in _NUMBERS else {}
        _add(row, "th", column, scope="col", **number)
    return _add(table, "tbody")


def _add_list(parent: xml.Element, *entries: Tuple[str, str]) -> None:
    """Adds names with their texts. A text between backticks is shown as code."""
    made = _add(parent, "dl")
    for name, text in entries:
        _add(made, "dt", name)
        before, *rest = text.split("`")
        description = _add(made, "dd", before)
        for code, after in zip(rest[::2], rest[1::2]):
            _add(description, "code", code).tail = visible(after)
        if len(rest) % 2:
            _add(description, "span", f"`{rest[-1]}")


def _class(good: bool, name: str) -> Dict[str, str]:
    return {"class": f"{name} {'good' if good else 'bad'}"}


def _result(result: ExamResult, whole: bool) -> Dict[str, str]:
    """Red if something failed, amber if that was expected or not all was played, and green."""
    failed = any(one.failed for one in result.scenarios)
    if failed or not (result.scenarios or result.interrupted):
        return _class(False, "result")
    whole = whole and all(one.passed for one in result.scenarios)
    return _class(True, "result") if whole else {"class": "result partial"}

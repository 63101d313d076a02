"""Hostile texts in each report, and what a certificate says. sessions/certify.txt has the rest."""

from __future__ import annotations

import re
import shlex
import tempfile
import unittest
import xml.etree.ElementTree as xml
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple

from payorder_tools.certify.certificate import KILLS, SALES, certificate, problems
from payorder_tools.certify.reports import html, junit, terminal
from payorder_tools.certify.results import (
    ExamResult,
    Finding,
    RunOfProgram,
    ScenarioResult,
)
from payorder_tools.certify.scenarios import SCENARIOS

#: Text that means something in HTML, XML, on a terminal and in a shell.
HOSTILE = "</pre><script>alert('1')</script>&amp; ]]> \x1b[2J\x00\x0c \u202e \ud800 'x'"

PASSED = ScenarioResult("paid", "", True, [], [], [], [], seed=7, seconds=1.25)
RUN = RunOfProgram(1, "", 2.5, "not_sent", 1, None, stdout="sending", stderr="timeout")
RESPONSE = {"status": 200, "headers": {}, "body": "{}", "ended": "complete"}
REQUEST: Dict[str, Any] = {
    **dict.fromkeys(("at", "step", "orderId", "method", "path", "body", "fault"), "x"),
    **{"number": 1, "headers": {}, "created": True, "response": RESPONSE},
}
ORDER = {"orderId": "O", "amount": "1", "state": "Pending", "refunded": False}
FAILED = replace(
    PASSED,
    passed=False,
    findings=[Finding("not-forgotten", "did", "expected", "money")],
    runs=[RUN],
    requests=[REQUEST],
    orders=[ORDER],
    trouble="the sandbox did not start",
)
EXAM = ExamResult(["till", "--shop"], "0.1.0", 7, "2026-11-20", 12.3, [FAILED])


def hostile(value: Any) -> Any:
    """The value with hostile texts in it. Only what the exam itself chooses stays."""
    if isinstance(value, str):
        return HOSTILE
    if isinstance(value, list):
        return [hostile(one) for one in value]
    if isinstance(value, dict):
        headers = {HOSTILE: HOSTILE}
        return {k: headers if k == "headers" else hostile(v) for k, v in value.items()}
    if isinstance(value, (ExamResult, ScenarioResult, RunOfProgram, Finding)):
        texts = {key: hostile(one) for key, one in vars(value).items() if key != "kind"}
        return replace(value, **texts)
    return value


class Page(HTMLParser):
    """The elements, the attributes and the text of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.text = ""
        self.tags: List[str] = []
        self.attributes: List[Tuple[str, Optional[str]]] = []
        self.open: List[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: List[Tuple[str, Optional[str]]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, tag

    def handle_data(self, data: str) -> None:
        self.text += data


class Reports(unittest.TestCase):
    def test_text_of_the_program_stays_text(self) -> None:
        exam = hostile(EXAM)
        shown = [*map(terminal.scenario_line, exam.scenarios), terminal.end(exam)]
        self.assertNotRegex("\n".join(shown), "[\x00-\x09\x0b-\x1f\u202e\ud800]")
        command = terminal.failure(exam, exam.scenarios[0]).splitlines()[-1].strip()
        self.assertEqual(len(shlex.split(command)), 9)
        report = html.render(exam)
        page = Page(report)
        report.encode("utf-8")
        self.assertEqual(page.open, [])
        self.assertFalse({"script", "link", "img", "iframe"} & set(page.tags))
        names = {name for name, _ in page.attributes}
        self.assertFalse({"src", "href", "style"} & names)
        self.assertNotRegex(report, r"url\(|@import")
        root = xml.fromstring(junit.render(exam).encode("utf-8"))
        self.assertFalse(list(root.iter("script")))
        shown = "</pre><script>alert('1')</script>&amp; ]]> \\x1b[2J\\x00\\x0c \\u202e"
        # Title, four texts of the finding, two outputs, the problem, the wire: all are there.
        self.assertGreater(page.text.count(shown), 12)
        self.assertIn(shown, "".join(root.itertext()))


#: Everything was played, and passed.
WHOLE = replace(EXAM, scenarios=[replace(PASSED, name=name) for name in SCENARIOS])
KILLED = replace(RUN, killed_at="0.4 s: the order was made and no response sent")
SALES_PASSED = replace(
    EXAM,
    kind="drill",
    scenarios=[replace(PASSED, name=str(n), runs=[KILLED]) for n in range(SALES)],
)


class Certificates(unittest.TestCase):
    def test_the_title_and_the_colours_say_what_was_played(self) -> None:
        part = replace(WHOLE, scenarios=WHOLE.scenarios[:3])
        bad = replace(PASSED, passed=False)
        failed = replace(part, scenarios=[*part.scenarios, bad])
        none = replace(SALES_PASSED, scenarios=[], interrupted=True)
        stopped = replace(SALES_PASSED, scenarios=SALES_PASSED.scenarios[:2], interrupted=True)
        interrupted = "PARTIAL test of a till: interrupted, nothing failed before"
        for exam, drill, classes, title in (
            (WHOLE, SALES_PASSED, "good good", "COMPLETE test of a till: passed"),
            (part, SALES_PASSED, "partial " * 3, "PARTIAL test of a till: passed"),
            (failed, SALES_PASSED, "bad partial partial", "PARTIAL test of a till: FAILED"),
            (WHOLE, stopped, "partial " * 5, interrupted),
            (replace(failed, interrupted=True), none, "bad " + "partial " * 5,
             "PARTIAL test of a till: FAILED"),
        ):  # fmt: skip
            made = certificate(exam, drill, [], "Shop", "n-1", "till 2.3")
            self.assertEqual(made["title"], title)
            page = html.certificate_page(made, exam, drill)
            shown = re.findall('class="result (\\w+)"', page)
            self.assertEqual(shown, classes.split())
            for text in ("Shop", "n-1", "till 2.3", str(made["rules"])):
                self.assertIn(text, page)

    def test_what_is_not_as_expected_is_found(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            till, other = Path(folder, "one", "till"), Path(folder, "two", "till")
            till.parent.mkdir()
            till.write_text("sells", encoding="utf-8")

            def found(exam: ExamResult, nonce: str, program: Path) -> List[str]:
                made = certificate(exam, SALES_PASSED, [str(till)], "", "n-1", "")
                return problems(made, nonce, [program])

            self.assertEqual(found(WHOLE, "n-1", till), [])
            self.assertGreater(SALES, KILLS)
            other.parent.mkdir()
            other.write_text("sells differently", encoding="utf-8")
            failed = replace(WHOLE, scenarios=[*WHOLE.scenarios[1:], FAILED])
            self.assertEqual(len(found(failed, "n-2", other)), 4)

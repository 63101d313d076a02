"""The reports of an exam, and its certificate. sessions/certify.txt has them of a real till."""

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
from payorder_tools.certify.reports.conversation import conversation
from payorder_tools.certify.reports.summary import command_to_repeat
from payorder_tools.certify.results import (
    ExamResult,
    Finding,
    RunOfProgram,
    ScenarioResult,
)
from payorder_tools.certify.scenarios import SCENARIOS

#: Text that means something in HTML, XML, on a terminal and in a shell.
HOSTILE = "</pre><script>alert('1')</script>&amp; ]]> \x1b[2J\x00\x0c \u202e \ud800 'x'"

PASSED = ScenarioResult(
    name="paid",
    title="The customer pays",
    passed=True,
    findings=[],
    runs=[],
    requests=[],
    orders=[],
    seed=7,
    seconds=1.25,
)
RUN = RunOfProgram(
    number=1,
    started="2026-11-20T09:00:00.000Z",
    seconds=2.5,
    verdict="not_sent",
    exit_status=1,
    killed_at=None,
    stdout="sending 1250.10 INR",
    stderr="timeout",
)
REQUEST: Dict[str, Any] = {
    "number": 1,
    "at": "2026-11-20T09:00:00.125Z",
    "step": "create",
    "orderId": "SALE-7",
    "method": "POST",
    "path": "/pg/create",
    "headers": {"accessToken": "right", "content-type": "application/json"},
    "body": '{"amount":"1250.10"}',
    "fault": "drop-after-commit",
    "created": True,
    "response": {"status": None, "headers": {}, "body": "", "ended": "cut"},
}
ANSWERED: Dict[str, Any] = {
    **REQUEST,
    "number": 2,
    "step": "status",
    "fault": None,
    "created": False,
    "response": {
        "status": 200,
        "headers": {"content-type": "application/json"},
        "body": '{"transactionStatus":"Pending"}',
        "ended": "complete",
    },
}
FAILED = replace(
    PASSED,
    name="lost-after",
    title="The response is lost after the order was made",
    passed=False,
    findings=[
        Finding(
            rule="not-forgotten",
            did="It said not_sent, but the service had order SALE-7.",
            expected="Say open, and ask for the status later.",
            money="The customer could have paid 1250.10 INR without getting anything.",
        ),
        Finding(
            rule="asked-first",
            did="It ended without a Get Status.",
            expected="Ask for the status before anything else.",
            money="Nobody would have looked for the payment.",
        ),
    ],
    runs=[RUN],
    requests=[REQUEST, ANSWERED],
    orders=[
        {
            "orderId": "SALE-7",
            "amount": "1250.10",
            "currencyCode": "INR",
            "state": "Pending",
            "refunded": False,
        }
    ],
)
BROKEN = replace(
    PASSED,
    name="two-tills",
    title="Two tills with one order id",
    passed=False,
    trouble="the sandbox did not start",
)
EXAM = ExamResult(
    command=["./till", "--shop", "Chai & Co"],
    version="0.1.0",
    seed=7,
    started="2026-11-20T09:00:00Z",
    seconds=12.345,
    scenarios=[PASSED, FAILED, BROKEN],
)
DRILL = replace(
    EXAM,
    kind="drill",
    scenarios=[
        replace(
            FAILED,
            name="17",
            runs=[
                replace(RUN, killed_at="0.4 s: Create Order was received"),
                replace(RUN, killed_at="0.7 s: Create Order was received"),
                replace(RUN, killed_at="0.1 s: the journal changed (change 3: db)"),
                replace(RUN, missed_kill="the journal changed"),
            ],
        )
    ],
)


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
    def test_each_report_has_everything_about_a_failure(self) -> None:
        wide = terminal.end(EXAM, 1000)
        page = Page(html.render(EXAM))
        suite = xml.fromstring(junit.render(EXAM))[0]
        [case] = suite.findall("testcase[@name='lost-after']")
        in_junit = " ".join([*case.itertext(), *case.attrib.values()])
        for report in (wide, page.text, in_junit):
            for finding in FAILED.findings:
                for text in (
                    finding.rule,
                    finding.did,
                    finding.expected,
                    finding.money,
                ):
                    self.assertIn(text, report)
            self.assertIn(command_to_repeat(EXAM, FAILED), report)
        for report in (page.text, in_junit):
            self.assertIn(conversation(FAILED.requests), report)
            self.assertIn("sending 1250.10 INR", report)
        self.assertEqual(page.open, [])
        self.assertIn("NOT JUDGED", page.text)
        self.assertIn(f"Only 3 of the {len(SCENARIOS)} scenarios were run.", page.text)
        self.assertIn("nobody else has checked this result", page.text)
        last = (
            "FAILED: 2 of 3 scenarios, of which 1 could not be judged, in 12 s (seed 7)"
        )
        self.assertTrue(wide.endswith(last), wide)
        for line in terminal.failure(EXAM, FAILED, 60).splitlines():
            self.assertTrue(len(line) <= 60 or "payorder certify" in line, line)

    def test_a_drill_shows_its_kills_and_a_few_failures_in_full(self) -> None:
        sales = [replace(FAILED, name=str(number)) for number in range(1, 9)]
        drill = replace(DRILL, scenarios=[*DRILL.scenarios, *sales])
        text, page = terminal.end(drill), Page(html.render(drill)).text
        for report in (text, page):
            self.assertEqual(report.count("payorder certify --drill --only"), 5)
            self.assertIn("left out here: sales 5, 6, 7, 8", report)
        self.assertRegex(text, r"(?m)^ +2  Create Order was received$")
        self.assertRegex(text, r"(?m)^ +1  the journal changed \(1 more: ")
        self.assertIn("the journal changed11", page)
        self.assertIn("FAILED: 9 of 9 sales with 3 kills, in", text)

    def test_text_of_the_program_stays_text(self) -> None:
        exam = hostile(EXAM)
        shown = [*map(terminal.scenario_line, exam.scenarios), terminal.end(exam)]
        self.assertNotRegex("\n".join(shown), "[\x00-\x09\x0b-\x1f\u202e\ud800]")
        command = terminal.failure(exam, exam.scenarios[0]).splitlines()[-1].strip()
        self.assertEqual(len(shlex.split(command)), 10)
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

    def test_a_scenario_that_was_not_judged_is_an_error_for_ci(self) -> None:
        suite = xml.fromstring(junit.render(EXAM))[0]
        counts = [suite.get(name) for name in ("tests", "failures", "errors")]
        self.assertEqual(counts, ["3", "1", "1"])
        [error] = suite.iter("error")
        self.assertEqual(error.get("type"), "not-judged")

    def test_a_response_that_was_not_sent_is_shown_with_how_it_ended(self) -> None:
        for ended, status, words in (
            ("half", 200, "< (half of it was sent, then the connection was closed)"),
            ("held", 200, "< (half of it was sent, then the connection was held open)"),
            ("held", None, "< no response: the connection was held open"),
            ("complete", 200, "< HTTP status 200"),
        ):
            response = {**ANSWERED["response"], "ended": ended, "status": status}
            shown = conversation([{**ANSWERED, "response": response}])
            self.assertIn(words, shown)
            self.assertEqual("half of it" in shown, "half of it" in words)

    def test_the_command_to_repeat_gives_the_till_as_much_time(self) -> None:
        slow = replace(EXAM, sale_seconds=60.0)
        self.assertIn("--seed 7 --seconds 60 --", command_to_repeat(slow, FAILED))


#: Everything was played, and passed.
WHOLE = replace(EXAM, scenarios=[replace(PASSED, name=name) for name in SCENARIOS])
KILLED = replace(RUN, killed_at="0.4 s: the order was made and no response sent")
SALES_PASSED = replace(
    DRILL,
    scenarios=[replace(PASSED, name=str(n), runs=[KILLED]) for n in range(SALES)],
)


class Certificates(unittest.TestCase):
    def test_the_title_and_the_colours_say_what_was_played(self) -> None:
        part = replace(WHOLE, scenarios=WHOLE.scenarios[:3])
        bad = replace(PASSED, passed=False)
        failed = replace(part, scenarios=[*part.scenarios, bad])
        none = replace(SALES_PASSED, scenarios=[], interrupted=True)
        stopped = replace(
            SALES_PASSED, scenarios=SALES_PASSED.scenarios[:2], interrupted=True
        )
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

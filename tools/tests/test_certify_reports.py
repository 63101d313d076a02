"""The reports of an exam."""

from __future__ import annotations

import json
import re
import shlex
import unittest
import xml.etree.ElementTree as xml
from dataclasses import replace
from html.parser import HTMLParser
from typing import Dict, List, Optional, Set, Tuple

from payorder_tools.certify.reports import FILES, html, junit, terminal
from payorder_tools.certify.reports.conversation import conversation
from payorder_tools.certify.reports.summary import command_to_repeat
from payorder_tools.certify.scenarios import SCENARIOS

from . import certify_results as samples

#: What a failed scenario must show, in every report for people.
_FAILURE = (
    "lost-after",
    "The response is lost after the order was made",
    "not-forgotten",
    "It said not_sent, but the service had order SALE-7.",
    "Say open, and ask for the status later.",
    "The customer could have paid 1250.10 INR without getting anything.",
    "payorder certify --only lost-after --seed 7 -- ./till --shop 'Chai & Co'",
)
_WIRE = (
    "> POST /pg/create",
    "> accessToken: right",
    '> {"amount":"1250.10"}',
    "< no response: the connection was closed",
    "< HTTP status 200",
    '< {"transactionStatus":"Pending"}',
)


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


def one_line(text: str) -> str:
    return re.sub(r"\s+", " ", text)


class TerminalReportTest(unittest.TestCase):
    def test_it_has_a_line_for_each_scenario_and_everything_about_a_failure(
        self,
    ) -> None:
        report = terminal.render(samples.EXAM)
        self.assertIn("passed      paid ", report)
        self.assertIn("FAILED      lost-after ", report)
        for text in _FAILURE:
            self.assertIn(text, one_line(report))
        self.assertIn("the sandbox did not start", report)
        self.assertIn("the end of its stderr:\n    timeout\n", report)
        self.assertIn("NOT JUDGED  two-tills ", report)
        last = "FAILED: 2 of 3 scenarios, of which 1 could not be judged, in 12 s (seed 7)\n"
        self.assertTrue(report.endswith(last), report)

    def test_no_line_but_the_command_is_wider_than_the_terminal(self) -> None:
        for line in terminal.failure(samples.EXAM, samples.FAILED, 60).splitlines():
            if "payorder certify" not in line:
                self.assertLessEqual(len(line), 60, line)

    def test_a_terminal_gets_no_control_characters(self) -> None:
        report = terminal.render(samples.hostile())
        self.assertNotRegex(report, "[\x00-\x09\x0b-\x1f\u202e\ud800]")
        self.assertIn("\\x1b[2J\\x00\\x0c \\u202e \\ud800", report)

    def test_a_drill_says_how_often_it_killed_at_each_kind_of_point(self) -> None:
        report = terminal.render(samples.DRILL)
        self.assertRegex(report, r"(?m)^ +2  Create Order was received$")
        self.assertRegex(report, r"(?m)^ +1  the journal changed \(1 more: ")
        self.assertIn("FAILED: 1 of 1 sale with 3 kills, in", report)
        self.assertIn("payorder certify --drill --only 17 --seed 7 --", report)

    def test_a_drill_shows_a_few_failures_in_full_and_names_the_others(self) -> None:
        sales = [replace(samples.FAILED, name=str(number)) for number in range(1, 9)]
        drill = replace(samples.DRILL, scenarios=sales)
        for report in (terminal.render(drill), Page(html.render(drill)).text):
            self.assertEqual(report.count("payorder certify --drill --only"), 5)
            self.assertIn("left out here: sales 6, 7, 8", report)
        exam = replace(samples.EXAM, scenarios=sales)
        for report in (terminal.render(exam), Page(html.render(exam)).text):
            self.assertEqual(report.count("payorder certify --only"), 8)
            self.assertNotIn("left out", report)


class HtmlReportTest(unittest.TestCase):
    def test_it_has_everything_about_a_failure_and_the_conversation(self) -> None:
        page = Page(html.render(samples.EXAM))
        for text in (*_FAILURE, *_WIRE, "sending 1250.10 INR", "FAILED: 2 of 3"):
            self.assertIn(text, page.text)
        self.assertIn("NOT JUDGED", page.text)
        self.assertEqual(page.open, [])

    def test_it_says_whose_test_it_is_and_what_it_does_not_cover(self) -> None:
        for result in (samples.EXAM, samples.DRILL):
            text = Page(html.render(result)).text
            self.assertIn("This is the merchant's own test.", text)
            self.assertIn("nobody else has checked this result", text)
            self.assertIn("It does not cover the real service", text)

    def test_it_says_whether_all_scenarios_were_run(self) -> None:
        text = Page(html.render(samples.EXAM)).text
        self.assertIn(f"Only 3 of the {len(SCENARIOS)} scenarios were run.", text)
        every = [replace(samples.PASSED, name=name) for name in SCENARIOS]
        whole = replace(samples.EXAM, scenarios=every)
        self.assertNotIn("were run.", Page(html.render(whole)).text)

    def test_it_is_one_file_without_scripts(self) -> None:
        page = Page(html.render(samples.hostile()))
        self.assertFalse({"script", "link", "img", "iframe"} & set(page.tags))
        self.assertFalse(
            {"src", "href", "style"} & {name for name, _ in page.attributes}
        )
        style = html.render(samples.EXAM).split("<style>")[1].split("</style>")[0]
        self.assertNotIn("url(", style)
        self.assertNotIn("@import", style)

    def test_text_of_the_program_stays_text(self) -> None:
        report = html.render(samples.hostile())
        page = Page(report)
        self.assertEqual(page.open, [])
        shown = samples.HOSTILE.replace("\x1b", "\\x1b").replace("\x00", "\\x00")
        shown = shown.replace("\x0c", "\\x0c").replace("\u202e", "\\u202e")
        shown = shown.replace("\ud800", "\\ud800")
        # Title, four texts of the finding, two outputs, the problem, the wire: all are there.
        self.assertGreater(page.text.count(shown), 12)
        report.encode("utf-8")

    def test_a_drill_shows_the_kills_instead_of_the_scenarios(self) -> None:
        text = Page(html.render(samples.DRILL)).text
        self.assertIn("Where the program was killed", text)
        self.assertIn("Create Order was received20", text)
        self.assertIn("the journal changed11", text)
        self.assertIn("Sale 17:", text)


#: The format of JUnit, as in the schema of Jenkins (junit-10.xsd): for each element the attributes
#: that it must have, those that it may have, and the elements in it.
_COUNTS = {"tests", "failures", "errors"}
_SCHEMA: Dict[str, Tuple[Set[str], Set[str], Set[str]]] = {
    "testsuites": (set(), {"name", "time", *_COUNTS}, {"testsuite"}),
    "testsuite": (
        {"name", *_COUNTS},
        {"time", "skipped", "timestamp", "hostname", "id", "package", "file"},
        {"properties", "testcase", "system-out", "system-err"},
    ),
    "properties": (set(), set(), {"property"}),
    "property": ({"name", "value"}, set(), set()),
    "testcase": (
        {"name"},
        {"time", "classname", "group"},
        {"skipped", "error", "failure", "system-out", "system-err"},
    ),
    "failure": (set(), {"type", "message"}, set()),
    "error": (set(), {"type", "message"}, set()),
    "system-out": (set(), set(), set()),
}


class JunitReportTest(unittest.TestCase):
    def check(self, element: xml.Element) -> None:
        needed, allowed, children = _SCHEMA[element.tag]
        self.assertLessEqual(needed, set(element.attrib), element.tag)
        self.assertLessEqual(set(element.attrib), needed | allowed, element.tag)
        self.assertLessEqual({child.tag for child in element}, children, element.tag)
        for name in _COUNTS | {"skipped"}:
            self.assertRegex(element.get(name, "0"), r"^\d+$")
        self.assertRegex(element.get("time", "0"), r"^\d+(\.\d*)?$")
        for child in element:
            self.check(child)

    def test_it_has_the_format_that_ci_systems_read(self) -> None:
        for result in (samples.EXAM, samples.DRILL, samples.hostile()):
            root = xml.fromstring(junit.render(result).encode("utf-8"))
            self.assertEqual(root.tag, "testsuites")
            self.check(root)

    def test_failures_and_problems_are_counted_and_told_apart(self) -> None:
        suite = xml.fromstring(junit.render(samples.EXAM))[0]
        counts = [suite.get(name) for name in ("tests", "failures", "errors")]
        self.assertEqual(counts, ["3", "1", "1"])
        self.assertEqual(suite.get("timestamp"), "2026-11-20T09:00:00Z")
        cases = {case.get("name"): case for case in suite.iter("testcase")}
        self.assertEqual(len(list(cases["paid"])), 0)
        failures = cases["lost-after"].findall("failure")
        self.assertEqual(len(failures), 1)
        self.assertEqual(failures[0].get("type"), "not-forgotten, asked-first")
        self.assertEqual(
            len(cases["two-tills"].findall("error[@type='not-judged']")), 1
        )

    def test_it_has_everything_about_a_failure_and_the_conversation(self) -> None:
        suite = xml.fromstring(junit.render(samples.EXAM))[0]
        case = suite.find("testcase[@name='lost-after']")
        assert case is not None
        text = " ".join([*case.itertext(), *case.attrib.values()])
        for expected in (*_FAILURE, *_WIRE, "sending 1250.10 INR"):
            self.assertIn(expected, text)

    def test_text_of_the_program_stays_text(self) -> None:
        root = xml.fromstring(junit.render(samples.hostile()).encode("utf-8"))
        self.assertFalse(list(root.iter("script")))
        text = root[0][1][0].text or ""
        self.assertIn("<script>alert('1')</script>&amp; ]]> \\x1b", text)


class JsonReportTest(unittest.TestCase):
    def test_it_is_the_whole_result(self) -> None:
        for result in (samples.EXAM, samples.DRILL, samples.hostile()):
            read = json.loads(FILES["json"](result).encode("utf-8"))
            self.assertEqual(read, result.to_dict())
            self.assertEqual(read["passed"], False)


class ConversationTest(unittest.TestCase):
    def test_an_incomplete_response_is_shown_with_how_it_ended(self) -> None:
        for ended, how in (("half", "closed"), ("held", "held open")):
            response = {**samples.ANSWERED["response"], "ended": ended}
            text = conversation([{**samples.ANSWERED, "response": response}])
            self.assertIn(
                f"< (half of it was sent, then the connection was {how})", text
            )
        self.assertNotIn("half of it", conversation([samples.ANSWERED]))

    def test_a_request_that_nobody_read_is_shown(self) -> None:
        unread = {
            **samples.REQUEST,
            "step": "unread",
            "orderId": None,
            "method": None,
            "path": None,
            "headers": {},
            "body": "",
            "created": False,
            "response": {"status": None, "headers": {}, "body": "", "ended": "held"},
        }
        self.assertIn("not read", conversation([unread]))
        self.assertIn(
            "< no response: the connection was held open", conversation([unread])
        )

    def test_the_command_to_repeat_is_one_that_a_shell_reads_back(self) -> None:
        line = terminal.failure(samples.hostile(), samples.hostile().scenarios[0])
        command = line.splitlines()[-1].strip()
        words = shlex.split(command)
        self.assertEqual(words[:2], ["payorder", "certify"])
        self.assertEqual(len(words), 8)

    def test_the_command_to_repeat_gives_the_till_as_much_time(self) -> None:
        slow = replace(samples.EXAM, sale_seconds=60.0)
        self.assertIn(
            "--seed 7 --seconds 60 --", command_to_repeat(slow, samples.FAILED)
        )


if __name__ == "__main__":
    unittest.main()

"""`payorder explain`: what an error means and what to do."""

from __future__ import annotations

import contextlib
import io
import json
import re
import unittest
from typing import Any, Dict, List

from payorder import Cause, Result
from payorder_tools.command import main

from .commands import DONE, USAGE, run


def pages() -> List[Dict[str, Any]]:
    shown = run(None, "explain --json")
    assert shown.returncode == DONE, shown.stderr
    return [json.loads(line) for line in shown.stdout.splitlines()]


def joined(text: str) -> str:
    """The text without line breaks."""
    return " ".join(text.split())


class Explain(unittest.TestCase):
    def test_every_result_and_every_cause_has_a_page(self) -> None:
        results = {page["result"] for page in pages() if "result" in page}
        causes = {page["cause"] for page in pages() if "cause" in page}
        self.assertEqual(results, {one.value for one in Result if one.value >= 0})
        self.assertEqual(causes, {one.value for one in Cause})

    def test_a_number_a_name_and_a_spelling_of_it_show_the_same_page(self) -> None:
        shown = {
            run(None, f"explain {code}").stdout
            for code in ("203", "PAYORDER_SERVICE_FAILED", "service-failed")
        }
        self.assertEqual(len(shown), 1)
        self.assertTrue(shown.pop().startswith("203 PAYORDER_SERVICE_FAILED\n"))

    def test_a_name_of_both_is_a_cause_in_lower_case_and_a_result_in_upper_case(
        self,
    ) -> None:
        self.assertTrue(run(None, "explain cancelled").stdout.startswith("cancelled\n"))
        self.assertTrue(
            run(None, "explain CANCELLED").stdout.startswith("8 PAYORDER_CANCELLED\n")
        )

    def test_a_page_has_everything_that_its_json_has(self) -> None:
        for cause in ("connection_refused", "journal_full", "order_already_sent"):
            page = json.loads(run(None, f"explain {cause} --json").stdout)
            text = run(None, f"explain {cause}").stdout
            parts = [page["meaning"][1:], *page["reasons"], *page["steps"]]
            parts += [result["name"] for result in page["results"]]
            for part in parts:
                self.assertIn(part, joined(text))
            example = text[text.index("\n  {") :]
            self.assertEqual(json.loads(example), page["example"])

    def test_it_says_what_to_type_next_in_the_words_of_the_command_line(self) -> None:
        for cause, commands in (
            ("connection_closed", ["payorder status ORDER_ID"]),
            ("order_already_sent", ["payorder wait ORDER_ID"]),
            ("credentials_missing", ["payorder doctor"]),
            ("connection_refused", []),
        ):
            with self.subTest(cause):
                text = run(None, f"explain {cause}").stdout
                section = text.split("\nwhat to type next\n")[1].split("\n\n")[0]
                self.assertEqual(
                    re.findall("(?m)^ {6}(payorder .*)$", section), commands, section
                )
                # Not a C function, a constant or the name of an action.
                self.assertNotRegex(section, "(?i)payorder_|[a-z]_[a-z]+:")

    def test_a_result_with_one_cause_shows_its_page_and_others_list_theirs(
        self,
    ) -> None:
        self.assertIn("likely reasons\n", run(None, "explain 200").stdout)
        listed = run(None, "explain CONNECT_FAILED").stdout
        self.assertIn("\n  connection_refused ", listed)
        self.assertNotIn("likely reasons\n", listed)

    def test_where_the_order_may_exist_the_first_action_is_to_ask(self) -> None:
        for page in pages():
            results = page.get("results", [])
            if any(result["outcome"] == "unknown" for result in results):
                first = page["actions"][0]["action"]
                self.assertIn(first, ("ask_status", "use_previous"), page["cause"])

    def test_no_line_is_wider_than_a_terminal_except_in_the_example(self) -> None:
        for page in pages():
            code = page.get("cause") or page["name"]
            # In this process, because it is one run for each page.
            with contextlib.redirect_stdout(io.StringIO()) as shown:
                self.assertEqual(main(["explain", code]), DONE)
            text = shown.getvalue().split("\nan example\n")[0]
            self.assertLessEqual(max(map(len, text.splitlines())), 80, text)

    def test_an_unlisted_number_says_what_its_range_means(self) -> None:
        refused = run(None, "explain 250 --json")
        self.assertEqual(refused.returncode, USAGE)
        message = json.loads(refused.stdout)["error"]["message"]
        self.assertIn("the order may exist", message)
        self.assertIn("nothing was sent", run(None, "explain 42").stderr)

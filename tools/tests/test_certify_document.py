"""The documents have the rules, the verdicts, the variables and the refusals of the exam."""

from __future__ import annotations

import re
import unittest
from pathlib import Path
from typing import List

from payorder_tools.certify.protocol import VERDICTS, Sale, environment
from payorder_tools.certify.record import REFUSALS
from payorder_tools.certify.rules import RULES

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = DOCS / "certify.md"


class Document(unittest.TestCase):
    def setUp(self) -> None:
        self.text = PAGE.read_text(encoding="utf-8")

    def rows(self, heading: str) -> List[List[str]]:
        """The rows of the first table after a heading."""
        part = self.text.split(f"# {heading}\n", 1)[1]
        table = re.findall(r"^\|.*\|$", part.split("\n#", 1)[0], re.MULTILINE)
        cells = [[cell.strip() for cell in row[1:-1].split(" | ")] for row in table]
        return cells[2:]

    def test_it_lists_every_rule(self) -> None:
        rows = {row[0].strip("`"): row[1] for row in self.rows("The rules")}
        self.assertEqual(rows, RULES)

    def test_it_lists_every_variable(self) -> None:
        given = environment({}, Sale("S-1", "1.00"), Path("folder"), 10.0, {})
        variables = {name for name in given if name.lower() != "no_proxy"}
        listed = set(re.findall(r"`((?:PAYORDER|SALE)_\w+)`", self.text))
        self.assertLessEqual(variables, listed)

    def test_a_refusal_is_what_the_interface_says(self) -> None:
        text = (DOCS / "interface.md").read_text(encoding="utf-8")
        (listed,) = re.findall(r"\| ([0-9, toand]+) are refusals", text)
        ranges = re.findall(r"(\d+)(?: to (\d+))?", listed)
        codes = [range(int(low), int(high or low) + 1) for low, high in ranges]
        self.assertEqual(REFUSALS, {code for one in codes for code in one})

    def test_it_lists_the_verdicts_by_exit_status(self) -> None:
        rows = self.rows("The verdict")
        self.assertEqual(
            [(row[0], row[1].strip("`")) for row in rows],
            [(str(status), name) for status, name in enumerate(VERDICTS)],
        )

"""`payorder reconcile` with large and strange files. sessions/reconcile.txt has the others."""

from __future__ import annotations

import csv
import io
import os
import random
import subprocess
import sys
import time
import unittest
from typing import Dict, List, Tuple

from payorder_tools.command.exits import USAGE

from .commands import VARIABLES, environment, run
from .support import PATIENCE, WANTS_ALL, Forgetting, Service

#: The command, which prints its peak memory at the end.
MEASURED = """
import resource, sys
from payorder_tools.command import main
ended = main()
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)
sys.exit(ended)
"""


class Files(unittest.TestCase):
    def setUp(self) -> None:
        self.service = Service()
        self.addCleanup(self.service.stop)
        self.variables = {"PAYORDER_BASE_URL": self.service.url, **VARIABLES}

    def reconcile(self, text: str) -> Tuple[int, List[Dict[str, str]], str]:
        """The exit status, the report's rows, and what was written to stderr."""
        ended = run(None, "reconcile -", given=text, **self.variables)
        report = csv.DictReader(io.StringIO(ended.stdout))
        return ended.returncode, list(report), ended.stderr

    def test_every_row_is_in_the_report_or_an_error_names_a_line(self) -> None:
        """Files that different CSV readers read differently."""
        pieces = ["A1", "1", " ", "\r\n", "\r", "", '""', *',,""\n\n']
        chance = random.Random(4711)
        files = 40 if WANTS_ALL else 10
        rows = 0
        for _ in range(files):
            middle = "".join(chance.choice(pieces) for _ in range(12))
            text = f"order,amount\nFIRST,1\n{middle}\nLAST,2\n"
            with self.subTest(text):
                status, report, complaint = self.reconcile(text)
                if status == USAGE:
                    self.assertRegex(complaint, r"line \d+:")
                    continue
                rows += len(report)
                orders = [row["order"] for row in report]
                self.assertEqual((orders[0], orders[-1]), ("FIRST", "LAST"))
                shown = str([list(row.values()) for row in report]).count("A1")
                self.assertGreaterEqual(shown, text.count("A1"), report)
        self.assertGreater(rows, files / 2)

    def test_the_memory_hardly_grows_with_the_number_of_orders(self) -> None:
        grown: Dict[int, int] = {}
        self.service.requests = Forgetting()
        many = int(os.environ.get("PAYORDER_ROWS", 10_000))
        for count in (1_000, many):
            began = time.monotonic()
            rows = "".join(f"ORD-{number},100.00\n" for number in range(count))
            ended = subprocess.run(
                [sys.executable, "-c", MEASURED] + "reconcile - --concurrency 16 --json".split(),
                env=environment(None, **self.variables),
                input="orderId,amount\n" + rows,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                universal_newlines=True,
                timeout=PATIENCE * 10 + count / 100,
            )
            self.assertIn(f"{count} matched", ended.stderr)
            grown[count] = int(ended.stderr.splitlines()[-1])
        if many > 10_000:
            print(f"kilobytes: {grown}; the last in {time.monotonic() - began:.0f} s")
        # The order ids of all rows are kept, to find those that are named twice.
        limit = 6_000 + (many - 10_000) // 5
        self.assertLess(grown[many] - grown[1_000], limit, f"kilobytes: {grown}")

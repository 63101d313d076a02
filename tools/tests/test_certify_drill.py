"""The drill: the till is killed where the plan says, and judged by what it says afterwards."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any, Dict, List, Tuple
from unittest import mock

from payorder_tools.certify.drill import run_drill
from payorder_tools.certify.kills import FILE_CHANGED, POINTS, Kill, plan
from payorder_tools.certify.reports import FILES
from payorder_tools.certify.reports.summary import kills_by_point
from payorder_tools.certify.results import ExamResult
from payorder_tools.certify.run import Exam
from payorder_tools.testing.program import SandboxError, program

from . import certify_results as samples, commands
from .program import LIBRARY, PYTHONPATH
from .service import WANTS_ALL

_TILL = Path(__file__).with_name("certify_till.py")
_SEED = 7
#: Each point is the first one of one sale, or in CI of three.
_SALES = 48 if WANTS_ALL else 16


def names(seed: int, number: int) -> Tuple[str, ...]:
    return tuple(kill.point.name for kill in plan(seed, number).kills)


def request(step: str, fault: str, ended: str) -> Dict[str, Any]:
    response = {**samples.ANSWERED["response"], "ended": ended}
    return {**samples.ANSWERED, "step": step, "fault": fault, "response": response}


class PlanTest(unittest.TestCase):
    def test_the_same_seed_gives_the_same_plan_on_each_version_of_python(self) -> None:
        self.assertEqual(names(7, 1), ("create-unread",))
        self.assertEqual(
            names(7, 3), ("create-received", "status-half", "file-changed")
        )
        kill = plan(7, 34).kills[0]
        self.assertEqual(kill.point, FILE_CHANGED)
        self.assertEqual(
            (round(kill.part, 6), round(kill.delay, 6)), (0.277301, 0.001936)
        )

    def test_another_seed_gives_another_plan(self) -> None:
        numbers = range(1, _SALES)
        self.assertNotEqual(
            [plan(7, number) for number in numbers],
            [plan(8, number) for number in numbers],
        )

    def test_each_point_is_the_first_one_of_some_sale(self) -> None:
        first = {names(_SEED, number)[0] for number in range(1, 17)}
        self.assertEqual(first, {point.name for point in POINTS})

    def test_a_change_is_one_of_those_in_a_whole_sale(self) -> None:
        changes = [Kill(FILE_CHANGED, part).change(17) for part in (0.0, 0.5, 0.999)]
        self.assertEqual(changes, [1, 9, 17])
        self.assertEqual(Kill(FILE_CHANGED, 0.999).change(0), 1)


class PointTest(unittest.TestCase):
    def test_each_request_shows_one_point(self) -> None:
        shown = {
            "create-unread": request("unread", "stall-unread", "held"),
            "create-received": request("create", "stall-before", "held"),
            "create-made": request("create", "stall", "held"),
            "create-half": request("create", "stall-mid-answer", "held"),
            "create-answered": request("create", "", "complete"),
            "status-received": request("status", "stall", "held"),
            "status-half": request("status", "stall-mid-answer", "held"),
            "status-answered": request("status", "", "complete"),
        }

        def reached(one: Dict[str, Any]) -> List[str]:
            return [
                point.name
                for point in POINTS
                if point is not FILE_CHANGED and point.reached(one)
            ]

        for name, one in shown.items():
            self.assertEqual(reached(one), [name])
        self.assertEqual(reached(request("status", "drop", "cut")), [])

    def test_each_rule_is_one_of_the_sandbox(self) -> None:
        rules = {point.name: point.rule for point in POINTS}
        self.assertEqual(rules["create-half"], "create:1:stall-mid-answer")
        self.assertEqual(rules["status-received"], "status:1:stall")
        self.assertIsNone(rules["create-answered"])


class WithSandbox(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        try:
            program()
        except SandboxError as error:
            if os.environ.get("PAYORDER_TESTS_WANT_ALL"):
                raise
            raise unittest.SkipTest(str(error)) from None


class DrillTest(WithSandbox):
    def drill(self, sales: int, *arguments: str, first: int = 1) -> ExamResult:
        variables = {
            "PYTHONPATH": PYTHONPATH,
            "PAYORDER_LIBRARY": str(LIBRARY),
        }
        command = [sys.executable, str(_TILL), *arguments]
        exam = Exam(command, command, (), seed=_SEED, seconds=20)
        with mock.patch.dict(os.environ, variables):
            return run_drill(exam, range(first, first + sales))

    def test_a_right_till_passes_and_was_killed_at_every_point(self) -> None:
        met = set()
        # On a slow machine a kill may come too late: then it needs more sales.
        for first in range(1, 4 * _SALES, _SALES):
            result = self.drill(_SALES, first=first)
            failed = [one for one in result.scenarios if not one.passed]
            self.assertEqual(failed, [])
            self.assertEqual(len(result.scenarios), _SALES)
            # What is listed as a kill was one: the run ended by it, and gave no verdict.
            for scenario in result.scenarios:
                for run in scenario.runs:
                    self.assertEqual(run.killed_at is None, run.exit_status is not None)
                self.assertIsNone(scenario.runs[-1].killed_at)
            kills = kills_by_point(result)
            met |= {point.when for point in POINTS if kills[point.when].done}
            if len(met) == len(POINTS):
                break
        self.assertEqual(met, {point.when for point in POINTS})

    def test_a_till_that_forgets_its_order_is_caught(self) -> None:
        result = self.drill(10, "forgets")
        rules = {finding.rule for one in result.scenarios for finding in one.findings}
        self.assertIn("asked-first", rules)

    def test_a_till_that_cannot_sell_is_not_drilled(self) -> None:
        command = [sys.executable, "-c", "raise SystemExit(3)"]
        result = run_drill(Exam(command, command, (), seed=_SEED), [1, 2])
        self.assertEqual([one.name for one in result.scenarios], ["0"])
        self.assertFalse(result.passed)
        self.assertEqual(result.kind, "drill")


class CommandTest(WithSandbox):
    def drill(self, *options: str) -> "subprocess.CompletedProcess[str]":
        till = ["--", sys.executable, str(_TILL)]
        arguments = ["certify", "--drill", *options, "--seed", "7", *till]
        return commands.run(None, *arguments, PAYORDER_SANDBOX=str(program()))

    def test_one_sale_is_repeated_by_its_number(self) -> None:
        ended = self.drill("--only", "3", "--show-wire")
        self.assertEqual(ended.returncode, commands.DONE, ended.stdout + ended.stderr)
        self.assertIn("PASSED: 1 sale with ", ended.stdout)
        self.assertIn("the conversation of 3:", ended.stdout)
        self.assertRegex(ended.stdout, r"(?m)^ +1  Create Order was read and no order")

    def test_reports_are_written(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            reports = {kind: Path(folder, kind) for kind in FILES}
            options = [f"--{kind}={path}" for kind, path in reports.items()]
            ended = self.drill("2", *options)
            self.assertEqual(ended.returncode, commands.DONE, ended.stderr)
            words = {"html": "killed", "junit": "certify.drill", "json": '"drill"'}
            for kind, path in reports.items():
                self.assertIn(words[kind], path.read_text(encoding="utf-8"))

    def test_a_name_of_a_scenario_is_no_number_of_a_sale(self) -> None:
        ended = self.drill("--only", "paid")
        self.assertEqual(ended.returncode, commands.USAGE)
        self.assertIn("name a sale by its number", ended.stderr)


if __name__ == "__main__":
    unittest.main()

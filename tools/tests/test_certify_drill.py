"""The drill: the till is killed where the plan says, and judged by what it says afterwards."""

from __future__ import annotations

import os
import sys
import unittest
from dataclasses import replace
from pathlib import Path
from unittest import mock

from payorder_tools.certify.drill import run_drill
from payorder_tools.certify.kills import FILE_CHANGED, POINTS, plan
from payorder_tools.certify.reports.summary import kills_by_point
from payorder_tools.certify.run import Exam

from .support import LIBRARY, PYTHONPATH, WANTS_ALL, program

_TILL = Path(__file__).with_name("certify_till.py")
_SEED = 7
#: Each point is the first one of one sale, or in CI of three.
_SALES = 48 if WANTS_ALL else 16


class Drill(unittest.TestCase):
    def test_the_same_seed_gives_the_same_plan_on_each_version_of_python(self) -> None:
        self.assertNotEqual(plan(7, 3), plan(8, 3))
        self.assertEqual(
            [kill.point.when for kill in plan(7, 3)],
            [
                "Create Order was read and no order made",
                "half of the response to Get Status was sent",
                "a file of the till changed",
            ],
        )
        kill = plan(7, 34)[0]
        self.assertEqual(kill.point, FILE_CHANGED)
        self.assertEqual(
            (round(kill.part, 6), round(kill.delay, 6)), (0.277301, 0.001936)
        )
        # The first and the last change of a whole sale, also if it has none.
        changes = [replace(kill, part=part).change(17) for part in (0.0, 0.5, 0.999)]
        self.assertEqual([*changes, kill.change(0)], [1, 9, 17, 1])

    def test_a_right_till_passes_and_was_killed_at_every_point(self) -> None:
        program()
        command = [sys.executable, str(_TILL)]
        exam = Exam(command, command, (), seed=_SEED, seconds=20)
        variables = {"PYTHONPATH": PYTHONPATH, "PAYORDER_LIBRARY": str(LIBRARY)}
        met = set()
        # On a slow machine a kill may come too late: then it needs more sales.
        for first in range(1, 4 * _SALES, _SALES):
            with mock.patch.dict(os.environ, variables):
                result = run_drill(exam, range(first, first + _SALES))
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

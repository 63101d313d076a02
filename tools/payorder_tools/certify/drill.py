"""The drill: kills the till in the middle of a sale, starts it again, and judges what it says."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Callable, List, Optional, Sequence

from .changes import Changes
from .customer import Visit, press
from .kills import FILE_CHANGED, Kill, Point, plan, title
from .kinds import one_sale
from .program import Program
from .protocol import OPEN, PAID
from .record import Run
from .results import ExamResult, ScenarioResult
from .run import Exam, run_exam
from .scenarios import Scenario
from .stages import Stage

#: How long the sandbox waits for the next request before it is asked again, in seconds.
_LISTENING = 0.2
#: How often the till is started again after a sale that it calls open although it is paid.
_MORE_RUNS = 2
_WITHOUT_A_KILL = Scenario("0", "a sale without a kill", (PAID,))


def run_drill(
    exam: Exam,
    numbers: Sequence[int],
    on_result: Callable[[ScenarioResult], None] = lambda result: None,
) -> ExamResult:
    """Runs the kills with these numbers, and calls `on_result` as each one ends.

    First, one sale without a kill shows how often the till changes its files. If the till fails
    there, or if there are no numbers, that is the result. Raises what `run_exam` raises.
    """
    changes: List[int] = []

    def whole_sale(stage: Stage) -> None:
        with Changes(stage.folder(), lambda number, name: None) as watched:
            one_sale(stage)
        changes.append(watched.count)

    def sale_with_kills(stage: Stage) -> None:
        _play(stage, plan(exam.seed, int(stage.scenario.name)), changes[0])

    exam = replace(exam, kind="drill")
    first = run_exam(replace(exam, scenarios=(_WITHOUT_A_KILL,), play=whole_sale), lambda one: None)
    if not (first.passed and numbers):
        on_result(first.scenarios[0])
        return first
    scenarios = [Scenario(str(number), title(plan(exam.seed, number)), ()) for number in numbers]
    result = run_exam(replace(exam, scenarios=scenarios, play=sale_with_kills), on_result)
    return replace(result, started=first.started, seconds=first.seconds + result.seconds)


def _play(stage: Stage, kills: Sequence[Kill], changes: int) -> None:
    for kill in kills:
        stage.sandbox.clear_faults()
        if kill.point is FILE_CHANGED:
            run = _run_until_change(stage, kill.change(changes), kill.delay)
        else:
            run = _run_until_request(stage, kill.point)
        if not run.killed:
            missed = replace(stage.runs_of_program[-1], missed_kill=kill.point.when)
            stage.runs_of_program[-1] = missed
            if run.verdict != OPEN:
                return
    stage.sandbox.clear_faults()
    for _ in range(1 + _MORE_RUNS):
        program = stage.start()
        stage.customer(program, _pays_at_once)
        run = stage.finish(program, None, later=bool(stage.runs))
        if run.verdict != OPEN or not stage.sale_is_paid():
            return


def _run_until_request(stage: Stage, point: Point) -> Run:
    if point.rule is not None:
        stage.sandbox.fault(point.rule)
    known = max((one.number for one in stage.sandbox.requests()), default=0)

    def reached() -> bool:
        nonlocal known
        for request in stage.sandbox.requests(known, _LISTENING):
            known = request.number
            if point.reached(request.to_dict()):
                return True
        return False

    program = stage.start()
    stage.customer(program, _pays_at_once)
    if stage.wait_for(program, reached):
        program.kill(point.when)
    return stage.finish(program, None, later=bool(stage.runs))


def _run_until_change(stage: Stage, number: int, delay: float) -> Run:
    """Kills the till from the thread that notices the change, to lose no time."""
    program: Optional[Program] = None
    reason: List[str] = []

    def on_change(count: int, name: str) -> None:
        if count == number:
            time.sleep(delay)
            reason.append(f"{FILE_CHANGED.when} (change {count}: {name})")
            if program is not None:
                program.kill(reason[0])

    with Changes(stage.folder(), on_change):
        program = stage.start()
        if reason:
            program.kill(reason[0])
        stage.customer(program, _pays_at_once)
        return stage.finish(program, None, later=bool(stage.runs))


def _pays_at_once(visit: Visit) -> None:
    """Pays if the order is not paid yet, and comes back."""
    visit.come_back(press(visit.url, "pay") or visit.return_url)

"""Runs an exam: its scenarios in parallel, each with its own sandbox and folder."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import signal
import tempfile
import threading
import time
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from http.client import HTTPException
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple

from .. import __version__
from ..testing import SandboxError
from . import kinds
from .judge import judge
from .program import CannotStart, changed_below, leaked, own_folders
from .record import Request
from .results import (
    DEFAULT_SECONDS,
    ExamInterrupted,
    ExamResult,
    Finding,
    ScenarioResult,
)
from .scenarios import SCENARIOS, Scenario
from .sending import NO_SECRET, same_transaction, wrote_credentials
from .stages import Stage, Stopped
from .verdicts import remarks


#: How often a scenario is tried in which two processes must run at the same time.
_MOST_TRIALS = 5
#: In so many of them they must have run at the same time: one alone can pass by chance.
_TRIALS_TOGETHER = 3
_NOT_TOGETHER = (
    "its two processes did not run at the same time, because this machine is busy: run it again"
)
#: How long a program may take to print its version.
_VERSION_SECONDS = 5.0


@dataclass(frozen=True)
class Exam:
    """What to run."""

    #: As `resolve` returns it.
    command: Sequence[str]
    #: The command as the caller wrote it, for reports.
    written: Sequence[str]
    scenarios: Sequence[Scenario]
    seed: int
    seconds: float = DEFAULT_SECONDS
    jobs: int = 12
    #: What happens in a scenario.
    play: Callable[[Stage], None] = lambda stage: getattr(kinds, stage.scenario.kind)(stage)
    #: As in the result.
    kind: str = "exam"
    #: The rules that are expected to be broken, by the name of the scenario.
    expected: Mapping[str, Sequence[str]] = field(default_factory=dict)
    #: Where the folders of the scenarios stay; None for a temporary one.
    keep: Optional[Path] = None


def run_exam(
    exam: Exam, on_result: Callable[[ScenarioResult], None] = lambda result: None
) -> ExamResult:
    """Runs the scenarios, and calls `on_result` in this thread as each one ends.

    Raises `CannotStart` if the program cannot be started. After it, or after KeyboardInterrupt, no
    process of the exam runs any more.
    """
    begun, started = time.monotonic(), time.time()
    stop = threading.Event()
    results: List[ScenarioResult] = []
    secrets: Dict[str, Tuple[str, str]] = {}
    places = [one.name for one in exam.scenarios]

    def result(interrupted: bool = False) -> ExamResult:
        return ExamResult(
            command=list(exam.written),
            version=__version__,
            seed=exam.seed,
            started=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(started)),
            seconds=round(time.monotonic() - begun, 3),
            kind=exam.kind,
            sale_seconds=exam.seconds,
            scenarios=_with_unexpected_passes(
                _with_silence(
                    _with_unique_transactions(
                        sorted(results, key=lambda one: places.index(one.name))
                    )
                )
            ),
            interrupted=interrupted,
        )

    # Their order says nothing about what is played.
    shuffled = list(exam.scenarios)
    if exam.kind == "exam":
        random.Random(exam.seed).shuffle(shuffled)
    with _folder(exam.keep) as folder, ThreadPoolExecutor(exam.jobs) as pool:
        futures: List["Future[ScenarioResult]"] = []
        with _noted_signals() as noted:
            try:
                for scenario in shuffled:
                    futures.append(pool.submit(run_scenario, exam, scenario, folder, stop, secrets))
                for future in _as_they_end(futures, noted):
                    results.append(future.result())
                    on_result(results[-1])
            finally:
                stop.set()
                for future in futures:
                    future.cancel()
                pool.shutdown()
        if noted:
            raise ExamInterrupted(result(interrupted=True))
        results = _with_outside_files(results, exam, folder, started, secrets)
    return result()


def version_line(exam: Exam) -> Optional[str]:
    """What the program prints with `--version`, or None if that is not one line.

    It runs as in a scenario: a program that does not know the option sells in a sandbox.
    """
    command = [*exam.command, "--version"]
    scenario = Scenario("version", "the program is asked for its version", ())
    with tempfile.TemporaryDirectory(prefix="sale-") as folder:
        with Stage(
            *(scenario, command, exam.seconds, exam.seed),
            *(Path(folder).resolve(), threading.Event()),
        ) as stage:
            program = stage.start()
            program.end_stdin()
            program.wait(min(exam.seconds, _VERSION_SECONDS))
            lines = program.stdout.text().strip().splitlines()
            sells = bool(stage.sandbox.requests() or program.statements)
            if program.exit_status != 0 or sells or len(lines) != 1:
                return None
            return lines[0][:200]


def _as_they_end(
    futures: Sequence["Future[ScenarioResult]"], noted: Sequence[int]
) -> Iterator["Future[ScenarioResult]"]:
    """Like `as_completed`, until a signal is noted."""
    left = set(futures)
    while left and not noted:
        ended, left = wait(left, 0.1, FIRST_COMPLETED)
        yield from ended


@contextlib.contextmanager
def _noted_signals() -> Iterator[List[int]]:
    """Within this context, a signal that would raise an exception is noted instead: an exception
    in the middle of `concurrent.futures` can leave a lock taken, and the exam would never end."""
    noted: List[int] = []
    with contextlib.ExitStack() as exits:
        if threading.current_thread() is threading.main_thread():
            for name in ("SIGINT", "SIGTERM", "SIGHUP"):
                # Windows has no SIGHUP.
                number = getattr(signal, name, signal.SIGTERM)
                before = signal.getsignal(number)
                if callable(before):
                    exits.callback(_restore, number, before, noted)
                    signal.signal(number, lambda number, _: noted.append(number))
        yield noted


def _restore(number: int, before: Any, noted: Sequence[int]) -> None:
    # A terminal that is closed may send it twice.
    hangup = number in noted and number == getattr(signal, "SIGHUP", None)
    signal.signal(number, signal.SIG_IGN if hangup else before)


def run_scenario(
    exam: Exam,
    scenario: Scenario,
    folder: Path,
    stop: threading.Event,
    secrets: Dict[str, Tuple[str, str]],
    trial: int = 0,
    together: int = 0,
) -> ScenarioResult:
    """Runs one scenario and judges it: again, while two processes should overlap and did not. Adds
    its credentials, with the scenario and their names."""
    begun = time.monotonic()
    own = Path(tempfile.mkdtemp(prefix="", dir=str(folder)))
    stage = Stage(scenario, exam.command, exam.seconds, exam.seed, own, stop, trial)
    trouble: Optional[str] = None
    record = None
    try:
        with stage:
            secrets.update({value: (scenario.name, name) for value, name in stage.secrets.items()})
            exam.play(stage)
            record = stage.record()
    except (Stopped, CannotStart):
        raise
    except (SandboxError, OSError, HTTPException) as error:
        trouble = f"the exam itself failed here: {error}"
    findings = [] if record is None else judge(record)
    if stage.together is not None and not findings and trouble is None:
        together += stage.together
        if together < _TRIALS_TOGETHER and trial + 1 < _MOST_TRIALS:
            more = trial + 1, together
            return run_scenario(exam, scenario, folder, stop, secrets, *more)
        trouble = None if together else _NOT_TOGETHER
    result = ScenarioResult(
        name=scenario.name,
        title=scenario.title,
        passed=not findings and trouble is None,
        findings=findings,
        runs=sorted(stage.runs_of_program, key=lambda run: run.number),
        requests=[] if record is None else list(record.requests),
        orders=[] if record is None else list(record.orders),
        seed=exam.seed,
        seconds=round(time.monotonic() - begun, 3),
        trouble=trouble,
        remarks=[] if record is None else remarks(record),
        expected=list(exam.expected.get(scenario.name, ())),
    )
    if exam.keep is not None:
        _write_output(result, own)
        with contextlib.suppress(OSError):
            own.rename(folder / (f"{scenario.name}-{trial}" if trial else scenario.name))
    return result


def _with_outside_files(
    results: List[ScenarioResult],
    exam: Exam,
    folder: Path,
    since: float,
    secrets: Dict[str, Tuple[str, str]],
) -> List[ScenarioResult]:
    """Adds what the till wrote outside SALE_FOLDER. Each scenario has credentials of its own."""
    roots = own_folders([one for one in exam.command if os.path.isfile(one)])
    roots += [folder, Path.cwd(), Path(tempfile.gettempdir())]
    roots += [Path(name) for name in ("/tmp", "/var/tmp", "/dev/shm") if os.path.isdir(name)]
    roots.append(Path(os.path.expanduser("~")))
    known = [one for one, (_, name) in secrets.items() if name != NO_SECRET]
    found: Dict[str, List[Tuple[str, str]]] = {}
    for path, secret in leaked(changed_below(roots, since), known):
        scenario, name = secrets[secret]
        found.setdefault(scenario, []).append((f"the file {path}", name))
    return [
        _with_finding(one, wrote_credentials(found[one.name]))
        if one.name in found and "no-secrets" not in [its.rule for its in one.findings]
        else one
        for one in results
    ]


def _with_unique_transactions(results: List[ScenarioResult]) -> List[ScenarioResult]:
    """Adds what only several sales show: two orders with one merchantTxnId."""
    used: Dict[object, object] = {}
    checked = []
    for one in results:
        for order in one.orders:
            unique, order_id = order.get("merchantTxnId"), order.get("orderId")
            first = used.setdefault(unique, order_id)
            if first != order_id:
                one = _with_finding(one, same_transaction(unique, first, order_id))
                break
        checked.append(one)
    return checked


def _with_silence(results: List[ScenarioResult]) -> List[ScenarioResult]:
    """Adds a remark if no scenario has a Create Order: then little was tested."""
    if any(Request(request).create for one in results for request in one.requests):
        return results
    remark = "It sent no Create Order. Run more scenarios: one of them must be `paid`."
    # In the others, the service cannot be used.
    quiet = [name for name, one in SCENARIOS.items() if one.allowed != ("not_sent",)]
    return [
        replace(one, remarks=[*one.remarks, remark]) if one.passed and one.name in quiet else one
        for one in results
    ]


def _with_unexpected_passes(results: List[ScenarioResult]) -> List[ScenarioResult]:
    remark = "it passed, and was expected to fail: remove it from the expected failures"
    return [
        replace(one, remarks=[*one.remarks, remark]) if one.passed and one.expected else one
        for one in results
    ]


def _with_finding(result: ScenarioResult, finding: Finding) -> ScenarioResult:
    return replace(result, passed=False, findings=[*result.findings, finding])


def _write_output(result: ScenarioResult, folder: Path) -> None:
    for run in result.runs:
        for stream, text in (("stdout", run.stdout), ("stderr", run.stderr)):
            name = f"run-{run.number}.{stream}"
            (folder / name).write_text(text, encoding="utf-8", errors="replace")


@contextlib.contextmanager
def _folder(keep: Optional[Path]) -> Iterator[Path]:
    if keep is not None:
        yield keep.resolve()
        return
    folder = Path(tempfile.mkdtemp(prefix="sale-")).resolve()
    try:
        yield folder
    finally:
        # On Windows, a program that was just killed may still hold a file for a moment.
        shutil.rmtree(str(folder), ignore_errors=True)


def resolve(command: Sequence[str]) -> List[str]:
    """The command so that it runs in any folder.

    The program is searched as a shell does. An argument such as `till.py` or `build/till.jar` that
    names a file here gets its full path. Raises `CannotStart` if there is no such program.
    """
    program, *arguments = command
    found = shutil.which(program)
    if found is None:
        here = Path(program)
        why = "it is not executable" if here.is_file() else "there is no such program"
        raise CannotStart(f"{program} cannot be started: {why}")
    return [os.path.abspath(found), *map(_full_path, arguments)]


def _full_path(argument: str) -> str:
    # A plain word such as `sell` stays, also if a file happens to have that name.
    is_path = os.path.basename(argument) != argument or "." in argument
    return os.path.abspath(argument) if is_path and os.path.isfile(argument) else argument

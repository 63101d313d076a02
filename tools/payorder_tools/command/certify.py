"""`payorder certify`: tests a till against the sandbox, with an exam or a drill."""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from pathlib import Path
from typing import Callable, Dict, List, Optional

from .. import __version__
from ..certify import certificate
from ..certify.drill import run_drill
from ..certify.program import CannotStart
from ..certify.reports import FILES, conversation, html, terminal
from ..certify.reports.summary import visible
from ..certify.results import ExamInterrupted, ExamResult, ScenarioResult
from ..certify.rules import RULES
from ..certify.run import Exam, resolve, run_exam, version_line
from ..certify.scenarios import SCENARIOS, Scenario
from ..testing import SandboxError
from .arguments import Parser
from .exits import DONE, FAILED, NOT_PAID, UsageError, interrupt_by_signals
from .inputs import number
from .output import print_line, terminal_width, warn
from .progress import Progress
from .suggestions import did_you_mean


def add(command: Parser) -> None:
    command.usage = "payorder certify [option...] -- COMMAND [ARGUMENT...]"
    command.description = (
        "Runs COMMAND, your till, through scenarios against a sandbox: lost responses, "
        "forged return URLs, crashes, double clicks. Says what it did, what was expected, and "
        "what would have happened to the money. docs/certify.md describes what COMMAND receives, "
        "and how it ends. Exit status: 0 if every scenario passed, 6 if one failed, 2 if the "
        "command line is wrong."
    )
    command.option("--list", "print the scenarios, and run none")
    command.option(
        "--only NAME",
        "run only this scenario; may be repeated",
        action="append",
        default=[],
    )
    command.option(
        "--seconds N",
        "the time that COMMAND has, as SALE_SECONDS (default 10)",
        type=number(float, 1, 600, "from 1 to 600"),
        default=10.0,
    )
    command.option(
        "--seed N",
        "repeat a run: order ids, amounts and moments come from this number, which every "
        "report shows (default: a new one)",
        type=number(int, 0, float("inf"), "0 or more"),
    )
    command.option(
        "--jobs N",
        "how many scenarios run at once (default 12)",
        type=number(int, 1, 64, "from 1 to 64"),
        default=12,
    )
    command.option(
        "--drill N",
        "kill COMMAND in the middle of N sales (default 200) and start it again, instead of "
        "the scenarios; --only is then the number of a sale",
        type=number(int, 1, 100_000, "from 1 to 100000"),
        nargs="?",
        const=200,
    )
    command.option(
        "--expect FILE",
        "failures that are expected, one scenario with its rules in a line, such as "
        "`never-pays not-forgotten`: they do not count, and a certificate lists them",
        type=Path,
    )
    command.option("--show-wire", "print all requests and responses; without credentials")
    for kind, what in (
        ("json", "everything that was found, as JSON"),
        ("html", "a page to print or to send to somebody"),
        ("junit", "a report for CI, in JUnit's format"),
    ):
        command.add_argument(f"--{kind}", metavar="FILE", type=Path, help=f"write {what}")
    command.option(
        "--keep DIR",
        "keep the files and the output of COMMAND in this new or empty folder",
        type=Path,
    )
    command.option(
        "--certificate FILE",
        "run the scenarios and then the drill, and write one document about both as JSON, and "
        "the same as FILE.html",
        type=Path,
    )
    for name, what in (
        ("merchant", "the merchant's name, for the certificate"),
        (
            "nonce",
            "a text from whoever asks for the certificate, to show that it is new",
        ),
        (
            "program-version",
            "the version of COMMAND, for the certificate, which says that you typed it",
        ),
    ):
        command.add_argument(f"--{name}", metavar="TEXT", default="", help=what)
    command.option(
        "--sign KEY",
        "sign the certificate with this SSH key, as FILE.sig; needs ssh-keygen",
        type=Path,
    )
    command.add_argument("program", nargs="*", metavar="COMMAND", help="the till")


def run(args: argparse.Namespace) -> int:
    """Runs the scenarios and prints the report."""
    if args.list:
        for one in SCENARIOS.values():
            print_line(f"{one.name:<21}  {one.title}")
        return DONE
    exam = _exam(args)
    interrupt_by_signals()

    def show(result: ScenarioResult) -> None:
        print_line(terminal.scenario_line(result))

    try:
        if args.certificate is not None:
            return _certify(exam, args, show)
        result = run_exam(exam, show) if args.drill is None else _drill(exam, args)
    except (CannotStart, SandboxError) as error:
        raise UsageError(str(error)) from None
    except ExamInterrupted as stopped:
        _report(stopped.result, args)
        _write_files(stopped.result, args)
        raise
    _report(result, args)
    written = _write_files(result, args)
    if not result.as_expected:
        return NOT_PAID
    return DONE if written else FAILED


def _certify(exam: Exam, args: argparse.Namespace, show: Callable[[ScenarioResult], None]) -> int:
    """Runs the exam and the drill, and writes and signs the document about both.

    After Ctrl-C the document has what had ended by then.
    """
    stopped: Optional[ExamInterrupted] = None
    printed = version_line(exam)
    drill = ExamResult(list(exam.written), __version__, exam.seed, "", 0.0, kind="drill")
    try:
        result = run_exam(exam, show)
    except ExamInterrupted as interrupted:
        result, stopped = interrupted.result, interrupted
    _report(result, args)
    written = _write_files(result, args)
    if stopped is None:
        args.only, args.drill = [], args.drill or certificate.SALES
        try:
            drill = _drill(exam, args)
        except ExamInterrupted as interrupted:
            drill, stopped = interrupted.result, interrupted
        _report(drill, args)
    status = _write_certificate(exam, result, drill, printed, args)
    if stopped is not None:
        raise KeyboardInterrupt from stopped
    return status if written or status != DONE else FAILED


def _write_certificate(
    exam: Exam,
    result: ExamResult,
    drill: ExamResult,
    printed: Optional[str],
    args: argparse.Namespace,
) -> int:
    document = certificate.certificate(
        result,
        drill,
        exam.command,
        args.merchant,
        args.nonce,
        args.program_version,
        printed,
    )
    try:
        page = html.certificate_page(document, result, drill)
        text = json.dumps(document, indent=2) + "\n"
        args.certificate.write_text(text, encoding="utf-8")
        beside = args.certificate.with_name(args.certificate.name + ".html")
        beside.write_text(page, encoding="utf-8")
        if args.sign is not None:
            certificate.sign(args.certificate, args.sign)
    except (OSError, certificate.CannotSign) as error:
        warn(f"--certificate: {error}")
        return FAILED
    print_line(f"{document['title']} ({args.certificate})")
    for one in document["missing"]:
        print_line(f"  {one}")
    return DONE if result.as_expected and drill.passed else NOT_PAID


def _drill(exam: Exam, args: argparse.Namespace) -> ExamResult:
    numbers = list(range(1, args.drill + 1))
    if args.only:
        numbers = [int(one) for one in dict.fromkeys(args.only) if one.isdecimal()]
        if len(numbers) != len(set(args.only)):
            raise UsageError("--only: with --drill, name a sale by its number")
        # 0 is the sale without a kill, which every drill begins with.
        numbers = [number for number in numbers if number]
    progress = Progress(len(numbers), shown=True)
    ended = 0

    def count(_: ScenarioResult) -> None:
        nonlocal ended
        ended += 1
        progress.at(ended)

    try:
        return run_drill(exam, numbers, count)
    finally:
        progress.end()


def _exam(args: argparse.Namespace) -> Exam:
    if not args.program:
        raise UsageError(
            "no till: write its command after --, as in `payorder certify -- ./till`",
            "missing_value",
        )
    for option in ("sign", "merchant", "nonce", "program_version"):
        if args.certificate is None and getattr(args, option):
            raise UsageError(f"--{option.replace('_', '-')} needs --certificate")
    for kind in (*FILES, "certificate"):
        path: Optional[Path] = getattr(args, kind)
        if path is not None and (path.is_dir() or not path.parent.is_dir()):
            raise UsageError(f"--{kind}: {path} cannot be written: no such folder")
    try:
        command = resolve(args.program)
    except CannotStart as error:
        raise UsageError(str(error)) from None
    if args.sign is not None:
        try:
            certificate.check_key(args.sign)
        except certificate.CannotSign as error:
            raise UsageError(f"--sign: {error}") from None
    if args.keep is not None:
        _make(args.keep)
    return Exam(
        command=command,
        written=args.program,
        scenarios=()
        if args.drill is not None and args.certificate is None
        else _scenarios(args.only),
        seed=random.SystemRandom().randrange(10**12) if args.seed is None else args.seed,
        seconds=args.seconds,
        jobs=args.jobs,
        keep=args.keep,
        expected={} if args.expect is None else _expected(args.expect),
    )


def _make(keep: Path) -> None:
    """Makes the folder of --keep, in which every scenario makes one of its own."""
    try:
        keep.mkdir(parents=True, exist_ok=True)
        if any(keep.iterdir()):
            raise FileExistsError
        tempfile.TemporaryDirectory(dir=str(keep)).cleanup()
    except FileExistsError:
        raise UsageError(f"--keep: {keep} is not an empty folder") from None
    except OSError as error:
        raise UsageError(f"--keep: {keep} cannot be written: {error.strerror}") from None


def _expected(path: Path) -> Dict[str, List[str]]:
    """The rules that are expected to be broken, by scenario. After a # there is a comment."""
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "it is not text in UTF-8"
        raise UsageError(f"--expect: {path} cannot be read: {why}") from None
    expected: Dict[str, List[str]] = {}
    for number, line in enumerate(lines, 1):
        name, *rules = line.partition("#")[0].split() or [""]
        place = f"--expect: line {number} of {path}"
        if name and name not in SCENARIOS:
            raise UsageError(
                f"{place}: there is no scenario {name}" + did_you_mean(name, SCENARIOS)
            )
        for rule in rules:
            if rule not in RULES:
                raise UsageError(f"{place}: there is no rule {rule}" + did_you_mean(rule, RULES))
        if name and not rules:
            raise UsageError(f"{place}: name the rules that {name} breaks, after it")
        if name:
            expected.setdefault(name, []).extend(rules)
    return expected


def _scenarios(names: List[str]) -> List[Scenario]:
    unknown = [name for name in names if name not in SCENARIOS]
    if unknown:
        raise UsageError(
            f"--only: there is no scenario {unknown[0]}; `payorder certify --list` shows all"
        )
    return [one for one in SCENARIOS.values() if not names or one.name in names]


def _report(result: ExamResult, args: argparse.Namespace) -> None:
    for one in result.scenarios if args.show_wire else ():
        print_line(f"\nthe conversation of {one.name}:\n")
        print_line(visible(conversation.conversation(one.requests)))
    print_line(terminal.end(result, terminal_width(sys.stdout)))


def _write_files(result: ExamResult, args: argparse.Namespace) -> bool:
    written = True
    for kind, render in FILES.items():
        path: Optional[Path] = getattr(args, kind)
        try:
            if path is not None:
                path.write_text(render(result), encoding="utf-8")
        except OSError as error:
            warn(f"--{kind}: {path} cannot be written: {error.strerror}")
            written = False
    return written

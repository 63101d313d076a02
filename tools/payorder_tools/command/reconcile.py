"""`payorder reconcile`: checks a file of orders against the service."""

from __future__ import annotations

import argparse
import contextlib
import itertools
import json
import time
from dataclasses import astuple, dataclass
from typing import Any, Iterator, Optional

from payorder.batch import StatusResult
from payorder.errors import PayorderError, RejectedError
from payorder.reconciliation import AS_EXPECTED, VERDICTS, Expected, reconcile
from payorder.verification import verify_payment
from . import settings
from .arguments import Parser
from .exits import DONE, FAILED, NOT_PAID, UNKNOWN, Interrupted, UsageError
from .expectation import by_entries, own_service
from .inputs import add_columns, add_pace, count
from .journal import has_journal
from .layouts import CsvLayout, Finding, JsonLayout
from .output import print_line, print_note, warn
from .progress import Progress
from .report import MAX_WAITING, Report, ReportFailed, ReportFile, TooManyFailures
from .rows import OrderFile, Row, open_orders

# An iterable of queries that pauses for so long is read only when no query is running.
_PAUSE_SECONDS = 0.05


def add(command: Parser) -> None:
    verdicts = "\n".join(f"  {verdict:<19} {words}" for verdict, words in VERDICTS.items())
    command.description = (
        "Asks for the status of every order in a CSV file, and reports whether it was\n"
        "paid with the amount in the file. The report has the input's rows and columns,\n"
        "the line numbers, and the verdicts."
    )
    command.epilog = (
        f"verdicts in the report\n{verdicts}\n\n"
        "exit status: 0 if all orders are as expected: with --expect paid (the default) all\n"
        "matched, with --expect unpaid all are not_completed or unknown_to_service; 5 if the\n"
        "service gave no usable response for some, or the run stopped early; otherwise 6"
    )
    command.formatter_class = argparse.RawDescriptionHelpFormatter
    command.add_argument(
        "file",
        metavar="FILE.csv",
        help='a CSV file whose first line names the columns; "-" reads stdin',
    )
    add_columns(command)
    command.option(
        "--report FILE",
        "write the report to this file (default: stdout); JSON lines if it ends with .jsonl, "
        "otherwise CSV",
    )
    command.option(
        "--expect",
        "how you count these orders: as paid (default) or as unpaid",
        choices=sorted(AS_EXPECTED),
        default="paid",
    )
    command.option(
        "--only-unexpected",
        "print only the rows that are not as expected, and nothing if all are; the file of "
        "--report still has every row",
    )
    command.option("--allow-empty", "accept a file that has only the line of column names")
    command.option("--resume", "continue the unfinished report of an earlier run")
    command.option(
        "--force",
        "replace the file of --report if it exists, and without --resume also its "
        "unfinished report",
    )
    add_pace(command)
    command.option(
        "--max-errors N",
        "stop after this many orders in a row without a usable response (default 20, or "
        "twice --concurrency if that is more); 0 never stops",
        type=count,
    )
    settings.add(command, quiet="print no counts and no progress, only the report")


def run(args: argparse.Namespace) -> int:
    """Checks every order and writes the report."""
    for option in ("resume", "force"):
        if getattr(args, option) and args.report is None:
            raise UsageError(f"--{option} needs the name of the report: --report FILE")
    with contextlib.ExitStack() as opened:
        orders, _ = opened.enter_context(open_orders(args, args.allow_empty))
        has_journal(args)
        client = opened.enter_context(settings.client(args))
        report = _report(args, orders)
        known = report.continue_earlier(orders)
        finished = False
        try:
            _ask(args, client, orders, report, known)
            report.finish()
            finished = True
        except TooManyFailures as failure:
            warn(f"stopped: {failure}")
        except ReportFailed as failure:
            if str(failure):
                warn(str(failure))
            return FAILED
        except KeyboardInterrupt:
            raise Interrupted("interrupted; nothing was changed") from None
        finally:
            if not finished:
                report.stop()
    if args.only_unexpected:
        report.print_unexpected()
    _print_summary(args, orders, report, finished)
    if not finished or report.counts["no_answer"]:
        return UNKNOWN
    return NOT_PAID if report.unexpected else DONE


def _report(args: argparse.Namespace, orders: OrderFile) -> Report:
    is_named_json = (args.report or "").endswith((".jsonl", ".ndjson"))
    printed = JsonLayout(orders) if args.json or is_named_json else CsvLayout(orders)
    most = args.max_errors
    if most is None:
        most = max(20, 2 * (args.concurrency or 8))
    expected = AS_EXPECTED[args.expect]
    if args.report is None:
        return Report(printed, most, expected, args.only_unexpected)
    layout = printed if is_named_json else CsvLayout(orders)
    place = (args.report, args.file, args.resume, args.force)
    return ReportFile(layout, printed, most, expected, *place)


@dataclass(frozen=True)
class _Asked(Expected):
    """A query for an order, with its row and the row's position in the report."""

    place: int
    row: Row


def _ask(
    args: argparse.Namespace,
    client: Any,
    orders: OrderFile,
    report: Report,
    known: Iterator[Optional[Finding]],
) -> None:
    """Asks for the status of every order that is not known yet, and reports the findings."""
    rows = itertools.islice(enumerate(orders.rows()), report.rows, None)

    def queries() -> Iterator[_Asked]:
        for place, row in rows:
            finding = next(known, None) or _without_asking(orders, row)
            if finding is not None:
                report.keep(place, row, finding)
                continue
            yield _Asked(orders.order_id(row), orders.amount(row), place, row)
            if report.waiting > MAX_WAITING:
                time.sleep(_PAUSE_SECONDS)

    progress = Progress(orders.orders, shown=not args.quiet)
    service = own_service(args)
    results = client.get_statuses(
        queries(), concurrency=args.concurrency, rate_per_second=args.rate
    )
    try:
        with results:
            for result in results:
                # Without the order id and the amount, which the row has.
                finding = Finding(*astuple(reconcile(result))[2:])
                if service is not None and (finding.not_known or finding.verdict == "matched"):
                    finding = _compared(client, service, result, finding)
                refused = isinstance(result.error, RejectedError)
                report.keep(result.query.place, result.query.row, finding, refused)
                report.add_kept()
                progress.at(report.rows + report.waiting)
        refuses_all = report.add_rest()
    finally:
        progress.end()
    if refuses_all is not None:
        warn(refuses_all)


def _compared(client: Any, service: str, result: StatusResult[_Asked], finding: Finding) -> Finding:
    """A finding that only the journal can complete: what it has of the order may speak against it."""
    asked, details = result.query, [finding.detail] if finding.detail else []
    try:
        entries = client.journal.list(order_id=asked.order_id, events=True)
        own = [entry for entry in entries if entry.service == service]
    except PayorderError as error:
        # The other rows still have their answers.
        detail = "; ".join([*details, f"the journal cannot be read: {error.message}"])
        return finding._replace(verdict="no_answer", detail=detail)
    if finding.not_known:
        for entry in own:
            if entry.state == "created":
                detail = f"{finding.detail}; entry {entry.entry} of the journal says created"
                return finding._replace(verdict="missing_at_service", detail=detail)
        return finding
    expected = by_entries(asked.order_id, asked.amount, own)
    details = [doubt.words for doubt in expected.doubts]
    if expected.not_before is not None:
        sale = {"orderId": asked.order_id, "amount": asked.amount}
        payment = verify_payment({**sale, "notBefore": expected.not_before}, result.status or "{}")
        details += [f"{reason.check} is {reason.actual}" for reason in payment.reasons]
    return finding._replace(verdict="check", detail="; ".join(details)) if details else finding


def _without_asking(orders: OrderFile, row: Row) -> Optional[Finding]:
    """What is known about a row before the service is asked."""
    wrong = orders.what_is_wrong(row)
    if wrong is not None:
        return Finding("unusable_row", detail=wrong)
    earlier = orders.earlier_line(row)
    if earlier is not None:
        return Finding("duplicate_row", detail=f"line {earlier} has the same order id")
    return None


def _print_summary(
    args: argparse.Namespace, orders: OrderFile, report: Report, finished: bool
) -> None:
    """Prints the counts: on stdout, or on stderr if rows are on stdout."""
    if args.json and args.report is not None:
        figures = {
            **{verdict: report.counts[verdict] for verdict in VERDICTS},
            "lines": orders.lines,
            "blankLines": orders.blank,
            "orders": orders.orders,
            "reported": report.rows,
            "unexpected": report.unexpected,
            "orderColumn": orders.order_column,
            "amountColumn": orders.amount_column,
            "report": args.report,
            "finished": finished,
        }
        print_line(json.dumps(figures))
        return
    if args.quiet:
        return
    rows_printed = args.report is None or args.only_unexpected
    show = print_note if rows_printed else print_line
    blank = f", {orders.blank} blank" if orders.blank else ""
    show(
        f"{orders.lines} lines read: 1 of column names, {orders.orders} orders{blank}; "
        f'order ids from the column "{orders.order_column}", amounts from "{orders.amount_column}"'
    )
    show(f"{report.rows} orders reported" + ("" if finished else ", not all"))
    for verdict, words in VERDICTS.items():
        if report.counts[verdict]:
            show(f"  {report.counts[verdict]:>8} {verdict} ({words})")

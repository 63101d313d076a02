"""`payorder reconcile`: checks a file of orders against the service."""

from __future__ import annotations

import argparse
import contextlib
import itertools
import json
import time
from dataclasses import dataclass
from typing import Any, Dict, Iterator, Optional, Tuple

from ..reconciliation import VERDICTS, Expected, reconcile
from . import settings
from .exits import DONE, FAILED, NOT_PAID, UNKNOWN, Interrupted, UsageError
from .given import count, rate
from .output import note, say, warn
from .progress import Progress
from .report import (
    CsvLayout,
    Finding,
    JsonLayout,
    PrintedReport,
    Report,
    ReportFailed,
    ReportFile,
    TooManyFailures,
)
from .rows import OrderFile, Row, opened_again_and_again

# Findings that wait for an earlier one are kept in memory, at most about this many.
_MOST_WAITING = 20_000
# A source of queries that takes this long is read only when no answer is outstanding any more.
_PAUSE_SECONDS = 0.05


def add(commands: Any) -> None:
    """Describes the arguments."""
    verdicts = "\n".join(
        f"  {verdict:<19} {words}" for verdict, words in VERDICTS.items()
    )
    command = commands.add_parser(
        "reconcile",
        help="check a file of orders and amounts against the service",
        description="Asks for the status of every order in a CSV file, and reports whether it was\n"
        "paid with the amount in the file. The report has the input's rows and columns,\n"
        "the line numbers, and the verdicts.",
        epilog=f"verdicts in the report\n{verdicts}\n\n"
        "exit status: 0 if all orders matched, 6 if some did not, 5 if some had no answer",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    command.add_argument(
        "file",
        metavar="FILE.csv",
        help='a CSV file whose first line names the columns; "-" reads stdin',
    )
    command.add_argument(
        "--order-column",
        metavar="NAME",
        help="the column of order ids (default: orderId, order_id, order or id)",
    )
    command.add_argument(
        "--amount-column",
        metavar="NAME",
        help="the column of amounts (default: amount, expectedAmount or total)",
    )
    command.add_argument(
        "--report",
        metavar="FILE",
        help="write the report to this file (default: stdout); JSON lines if it ends with .jsonl",
    )
    command.add_argument(
        "--resume",
        action="store_true",
        help="continue the unfinished report of an earlier run",
    )
    command.add_argument(
        "--concurrency",
        metavar="N",
        type=int,
        help="questions at once: 1 to 64 (default 8)",
    )
    command.add_argument(
        "--rate", metavar="N", type=rate, help="at most this many questions a second"
    )
    command.add_argument(
        "--max-errors",
        metavar="N",
        type=count,
        help="stop when this many orders in a row had no answer (default 20, or twice "
        "--concurrency if that is more); 0 never stops",
    )
    settings.add(command)
    command.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Reconciles."""
    if given.resume and given.report is None:
        raise UsageError("--resume needs the name of the report: --report FILE")
    name = "the input" if given.file == "-" else given.file
    with contextlib.ExitStack() as opened:
        file = opened.enter_context(opened_again_and_again(given.file, name))
        orders = OrderFile(file, name, given.order_column, given.amount_column)
        client = opened.enter_context(settings.client(given))
        report = _report(given, orders)
        try:
            _ask(given, client, orders, report)
            report.finish()
            stopped = False
        except TooManyFailures as failure:
            warn(f"stopped, since {failure}")
            report.stop()
            stopped = True
        except ReportFailed as failure:
            if str(failure):
                warn(str(failure))
            report.stop()
            return FAILED
        except KeyboardInterrupt:
            report.stop()
            raise Interrupted("interrupted; asking changed nothing") from None
        except BaseException:
            report.stop()
            raise
    _say_summary(given, orders, report, not stopped)
    if stopped or report.counts["no_answer"]:
        return UNKNOWN
    return DONE if report.rows == report.counts["matched"] else NOT_PAID


def _report(given: argparse.Namespace, orders: OrderFile) -> Report:
    lines = given.json or (given.report or "").endswith((".jsonl", ".ndjson"))
    layout = JsonLayout(orders) if lines else CsvLayout(orders)
    most = given.max_errors
    if most is None:
        most = max(20, 2 * (given.concurrency or 8))
    if given.report is None:
        return PrintedReport(layout, most)
    return ReportFile(layout, most, given.report, given.file, given.resume)


@dataclass(frozen=True)
class _Asked(Expected):
    """An order that is asked for, and the place of its row in the report."""

    place: int
    row: Row


class _InOrder:
    """Puts findings into the order of their places, whatever order they come in."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._next = 0
        self._waiting: Dict[int, Tuple[Row, Finding]] = {}

    def keep(self, place: int, row: Row, finding: Finding) -> None:
        """Keeps a finding until it is its turn."""
        self._waiting[place] = row, finding

    def report(self) -> None:
        """Reports every finding whose turn it is."""
        while self._next in self._waiting:
            self._next += 1
            self._report.add(*self._waiting.pop(self._next - 1))

    def is_full(self) -> bool:
        return len(self._waiting) >= _MOST_WAITING


def _ask(
    given: argparse.Namespace, client: Any, orders: OrderFile, report: Report
) -> None:
    """Asks for every order, and reports what the service says."""
    known: Iterator[Optional[Finding]] = iter(())
    if given.resume and isinstance(report, ReportFile):
        known = report.continue_with(orders)
    rows = itertools.islice(orders.rows(), report.rows, None)
    in_order = _InOrder(report)

    def queries() -> Iterator[_Asked]:
        for place, row in enumerate(rows):
            finding = next(known, None) or _without_asking(orders, row)
            if finding is not None:
                in_order.keep(place, row, finding)
                continue
            yield _Asked(orders.order_id(row), orders.amount(row), place, row)
            if in_order.is_full():
                time.sleep(_PAUSE_SECONDS)

    progress = Progress(orders.orders)
    results = client.get_statuses(
        queries(), concurrency=given.concurrency, rate_per_second=given.rate
    )
    try:
        with results:
            for result in results:
                found = reconcile(result)
                finding = Finding(
                    found.verdict,
                    found.transaction_status,
                    found.amount,
                    found.transaction_id,
                    found.detail,
                )
                in_order.keep(result.query.place, result.query.row, finding)
                in_order.report()
                progress.at(report.rows)
        in_order.report()
    finally:
        progress.end()


def _without_asking(orders: OrderFile, row: Row) -> Optional[Finding]:
    """What is known about a row before the service is asked."""
    wrong = orders.what_is_wrong(row)
    if wrong is not None:
        return Finding("unusable_row", detail=wrong)
    earlier = orders.earlier_line(row)
    if earlier is not None:
        return Finding("duplicate_row", detail=f"line {earlier} has the same order id")
    return None


def _say_summary(
    given: argparse.Namespace, orders: OrderFile, report: Report, finished: bool
) -> None:
    """The figures: after a report file on stdout, after a printed report on stderr."""
    if given.json and given.report is not None:
        figures = {
            **{verdict: report.counts[verdict] for verdict in VERDICTS},
            "lines": orders.lines,
            "blankLines": orders.blank,
            "orders": orders.orders,
            "reported": report.rows,
            "orderColumn": orders.order_column,
            "amountColumn": orders.amount_column,
            "report": given.report,
            "finished": finished,
        }
        say(json.dumps(figures))
        return
    tell = note if given.report is None else say
    blank = f", {orders.blank} blank" if orders.blank else ""
    tell(
        f"{orders.lines} lines read: 1 of column names, {orders.orders} orders{blank}; "
        f'order ids from the column "{orders.order_column}", amounts from "{orders.amount_column}"'
    )
    tell(f"{report.rows} orders reported" + ("" if finished else ", not all"))
    for verdict, words in VERDICTS.items():
        if report.counts[verdict]:
            tell(f"  {report.counts[verdict]:>8} {verdict} ({words})")

"""`payorder reconcile`: a night's orders against the service."""

from __future__ import annotations

import argparse
import contextlib
import csv
import itertools
import json
import os
import sys
from collections import Counter
from dataclasses import asdict, fields
from typing import IO, Any, Callable, Counter as Counts, Iterator, List, Optional

from .._text import wire_name
from ..reconciliation import VERDICTS, Expected, Reconciled, reconcile
from . import settings
from .given import opened, rate
from .output import DONE, NOT_PAID, UNKNOWN, Unusable
from .progress import Progress

_ORDER_COLUMNS = ("orderid", "order", "id")
_AMOUNT_COLUMNS = ("amount", "expectedamount", "total")


def add(commands: Any) -> None:
    """Describes the arguments."""
    verdicts = "\n".join(
        f"  {verdict:<19} {words}" for verdict, words in VERDICTS.items()
    )
    command = commands.add_parser(
        "reconcile",
        help="hold a file of orders and amounts against the service",
        description="Asks for every order of a CSV file, and reports whether it was paid over the amount that stands there.",
        epilog=f"verdicts in the report\n{verdicts}\n\n"
        "ends with 0 where all matched, 4 where some did not, 3 where some had no answer",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    command.add_argument(
        "file",
        metavar="FILE.csv",
        help='with a line of column names first; "-" reads stdin',
    )
    command.add_argument(
        "--order-column",
        metavar="NAME",
        help="the column of order ids; orderId, order_id, order, id",
    )
    command.add_argument(
        "--amount-column",
        metavar="NAME",
        help="the column of amounts; amount, expectedAmount, total",
    )
    command.add_argument(
        "--report", metavar="FILE", help="write the report here; without it, to stdout"
    )
    command.add_argument(
        "--concurrency",
        metavar="N",
        type=int,
        help="how many questions at once, 1 to 64; 8",
    )
    command.add_argument(
        "--rate", metavar="N", type=rate, help="at most so many questions a second"
    )
    settings.add(command)
    command.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Reconciles."""
    counts: Counts[str] = Counter()
    with contextlib.ExitStack() as open_things:
        source = open_things.enter_context(opened(given.file, given.file))
        client = open_things.enter_context(settings.client(given))
        rows = _rows(source, given)
        results = open_things.enter_context(
            client.get_statuses(
                rows, concurrency=given.concurrency, rate_per_second=given.rate
            )
        )
        write = open_things.enter_context(_report(given))
        progress = Progress(_count(given.file))
        open_things.callback(progress.end)
        for result in results:
            reconciled = reconcile(result)
            counts[reconciled.verdict] += 1
            write(reconciled)
            progress.at(sum(counts.values()))
    _tell(counts, given)
    if counts["no_answer"]:
        return UNKNOWN
    return DONE if sum(counts.values()) == counts["matched"] else NOT_PAID


def _tell(counts: Counts[str], given: argparse.Namespace) -> None:
    """The figures, beside the report."""
    stream = sys.stderr if given.report is None else sys.stdout
    if given.json and given.report is not None:
        print(json.dumps({verdict: counts[verdict] for verdict in VERDICTS}))
        return
    print(f"{sum(counts.values())} orders", file=stream)
    for verdict, words in VERDICTS.items():
        if counts[verdict]:
            print(f"  {counts[verdict]:>8} {verdict} ({words})", file=stream)


def _rows(source: IO[str], given: argparse.Namespace) -> Iterator[Expected]:
    """The rows, read as they are asked for. What is wrong with the columns is raised before."""
    first = source.readline()
    # Spreadsheets of many countries write semicolons.
    reader = csv.reader(
        itertools.chain([first], source), delimiter=max(",;\t", key=first.count)
    )
    header = next(reader, None) if first else None
    if header is None:
        raise Unusable(
            f"{given.file} is empty: it needs a line of column names, such as orderId,amount"
        )
    order = _column(
        header, given.order_column, _ORDER_COLUMNS, "--order-column", given.file
    )
    amount = _column(
        header, given.amount_column, _AMOUNT_COLUMNS, "--amount-column", given.file
    )

    def rows() -> Iterator[Expected]:
        try:
            for row in reader:
                if any(cell.strip() for cell in row):
                    yield Expected(_cell(row, order), _cell(row, amount))
        except csv.Error as error:
            raise Unusable(
                f"{given.file} line {reader.line_num} is no CSV: {error}"
            ) from None
        except OSError as error:
            raise Unusable(
                f"{given.file} cannot be read after line {reader.line_num}: {error.strerror}"
            ) from None

    return rows()


def _cell(row: List[str], place: int) -> str:
    # A row that is too short is that order's own affair.
    return row[place].strip() if place < len(row) else ""


def _column(
    header: List[str], named: Optional[str], usual: Any, argument: str, file: str
) -> int:
    names = [name.strip().lower().replace("_", "").replace(" ", "") for name in header]
    if named is not None:
        if named not in header:
            raise Unusable(f"{file} has no column {named}; it has {', '.join(header)}")
        return header.index(named)
    found = [names.index(name) for name in usual if name in names]
    if not found:
        raise Unusable(
            f"{file} has no column that is clearly meant; name it with {argument}; it has {', '.join(header)}"
        )
    return found[0]


def _count(path: str) -> Optional[int]:
    """About how many rows there are, for the bar alone."""
    if path == "-" or not sys.stderr.isatty():
        return None
    with open(path, "rb") as file:
        return (
            sum(piece.count(b"\n") for piece in iter(lambda: file.read(1 << 20), b""))
            - 1
        )


@contextlib.contextmanager
def _report(given: argparse.Namespace) -> Iterator[Callable[[Reconciled], None]]:
    """What writes the report: CSV, or JSON lines. A file takes its name only when it is whole."""
    path: Optional[str] = given.report
    lines = given.json or (path or "").endswith((".jsonl", ".ndjson"))
    if path is None:
        yield _writer(sys.stdout, lines)
        return
    if (
        os.path.exists(path)
        and given.file != "-"
        and os.path.samefile(path, given.file)
    ):
        raise Unusable(
            f"the report {path} would take the place of the file that is reconciled: name another"
        )
    # What is no file, such as a device or a pipe, is written to, and keeps its place.
    in_place = os.path.exists(path) and not os.path.isfile(path)
    unfinished = path if in_place else f"{path}.unfinished"
    try:
        file = open(
            unfinished, "w", encoding="utf-8", errors="surrogateescape", newline=""
        )
    except OSError as error:
        raise Unusable(
            f"the report {path} cannot be written: {error.strerror}"
        ) from None
    with file:
        yield _writer(file, lines)
    if not in_place:
        os.replace(unfinished, path)


def _writer(file: IO[str], lines: bool) -> Callable[[Reconciled], None]:
    names = [wire_name(field.name) for field in fields(Reconciled)]
    if lines:
        return lambda reconciled: print(
            json.dumps(dict(zip(names, asdict(reconciled).values()))), file=file
        )
    table = csv.writer(file, lineterminator="\n")
    table.writerow(names)
    return lambda reconciled: table.writerow(list(asdict(reconciled).values()))

"""`payorder recover`: after a start, one verdict for each sale that may be open."""

from __future__ import annotations

import argparse
import json
from typing import Dict, List, Optional, Tuple

from payorder.errors import UnusableTextError
from payorder.recovery import Recovered, RecoveredSale, Verdict
from payorder.verification import verify_payment
from . import settings
from .arguments import Parser
from .exits import DONE, NOT_PAID, UNKNOWN, Interrupted, UsageError
from .inputs import add_columns, add_pace, finite_seconds
from .journal import RESUMED, has_journal, warn_of_others
from .output import CHECK, OPEN, PAID, coloured, one_line, print_line, warn
from .rows import open_orders

_MEANINGS = {
    Verdict.PAID: "paid, with the amount of the sale",
    Verdict.CHECK: "a person decides, for the reasons shown",
    Verdict.PAYABLE: "not paid yet; the customer can pay at the URL",
    Verdict.URL_LOST: "not paid, and its URL was lost: a person decides",
    Verdict.UNKNOWN: "the order may exist: run this again later, sell nothing again",
    Verdict.SENDING: "another process is sending it right now",
    Verdict.REFUSED: "the service refused it, and does not know it",
    Verdict.NOT_SENT: "it never left this machine, and the service does not know it",
    Verdict.SETTLED: "a person closed it",
    Verdict.NOT_IN_JOURNAL: "not in the journal, and the service does not know it",
}
_NOT_KNOWN_YET = (Verdict.UNKNOWN, Verdict.SENDING)
_FOR_A_PERSON = (Verdict.CHECK, Verdict.URL_LOST)
_COLOURS: Dict[str, str] = {
    Verdict.PAID: PAID,
    Verdict.PAYABLE: OPEN,
    **dict.fromkeys(_NOT_KNOWN_YET, OPEN),
    **dict.fromkeys(_FOR_A_PERSON, CHECK),
}


def add(command: Parser) -> None:
    verdicts = "\n".join(
        f"  {verdict.value:<14} {meaning}" for verdict, meaning in _MEANINGS.items()
    )
    command.description = (
        "Says for each sale that may be open what is known about it: for every order of\n"
        "the journal that is not closed, and for the sales in FILE.csv. It asks for their\n"
        "statuses, and records the answers in the journal. Run it before the first sale\n"
        "of the day, and after a crash."
    )
    command.epilog = (
        f"verdicts\n{verdicts}\n\n"
        "exit status: 5 if a sale is unknown or sending, if a row of the file cannot be used, or\n"
        "if orders of another service are unresolved; otherwise 6 if a person must decide\n"
        "(check, url_lost); otherwise 0"
    )
    command.formatter_class = argparse.RawDescriptionHelpFormatter
    command.add_argument(
        "file",
        metavar="FILE.csv",
        nargs="?",
        help="the sales that you believe open: a CSV file whose first line names the columns; "
        '"-" reads stdin (default: only the orders of the journal)',
    )
    add_columns(command)
    command.option(
        "--wait SECONDS",
        "how long to wait for orders that another process is still sending: 0 to 600 seconds "
        "(default 0)",
        type=finite_seconds,
    )
    add_pace(command)
    settings.add(
        command,
        quiet="print only the ids of the orders that need a person or more time",
    )


def run(args: argparse.Namespace) -> int:
    """Prints the verdicts."""
    sales, unusable = (None, 0) if args.file is None else _sales(args)
    records = has_journal(args)
    if not records and sales is None:
        raise UsageError(
            "no sales to recover: name the journal with --journal or PAYORDER_JOURNAL, or give "
            "a CSV file of sales",
            settings=True,
        )
    with settings.client(args) as client:
        try:
            recovered = client.recover(
                sales,
                wait=args.wait,
                concurrency=args.concurrency,
                rate_per_second=args.rate,
            )
        except KeyboardInterrupt:
            raise Interrupted(RESUMED if records else "interrupted; nothing was changed") from None
    _print(recovered, args)
    if recovered.refusal is not None:
        warn(f"the service refuses every query: {recovered.refusal}")
    verdicts = [sale.verdict for sale in recovered.sales]
    warn_of_others(recovered.other_services)
    complete = recovered.refusal is None and not (unusable or recovered.other_services)
    if not (complete and all(map(_is_known, verdicts))):
        return UNKNOWN
    return NOT_PAID if any(v in _FOR_A_PERSON for v in verdicts) else DONE


def _is_known(verdict: str) -> bool:
    # A newer library may have further verdicts, which this command knows nothing about.
    return verdict in set(Verdict) and verdict not in _NOT_KNOWN_YET


def _sales(args: argparse.Namespace) -> Tuple[List[Dict[str, str]], int]:
    """The sales in the file, and how many rows cannot be used. Each of those is named."""
    sales, unusable = [], 0
    with open_orders(args, allow_empty=True) as (orders, name):
        for row in orders.rows():
            sale = {"orderId": orders.order_id(row), "amount": orders.amount(row)}
            wrong = orders.what_is_wrong(row) or _what_is_wrong(sale)
            if wrong is None:
                sales.append(sale)
                continue
            unusable += 1
            about = f"{name}, line {row.line}, order {ascii(sale['orderId'])}"
            warn(f"{about}: {wrong}; this row is left out")
    return sales, unusable


def _what_is_wrong(sale: Dict[str, str]) -> Optional[str]:
    """What the library says about a sale, if it cannot use it."""
    try:
        verify_payment(sale, "{}")
    except UnusableTextError as error:
        return error.message
    return None


def _print(recovered: Recovered, args: argparse.Namespace) -> None:
    if args.json:
        print_line(json.dumps(recovered.to_dict()))
        return
    if args.quiet:
        for sale in recovered.sales:
            if not _is_known(sale.verdict) or sale.verdict in _FOR_A_PERSON:
                print_line(sale.order_id)
        return
    layout = "{:<14}  {:>12}  {:<24}  {}"
    for place, sale in enumerate(recovered.sales):
        if place == 0:
            print_line(layout.format("verdict", "amount", "order", "").rstrip())
        verdict, amount = str(getattr(sale.verdict, "value", sale.verdict)), sale.amount
        words = [verdict, amount or "", sale.order_id, _more(sale) or ""]
        row = one_line(layout.format(*words).rstrip())
        print_line(coloured(row, _COLOURS.get(sale.verdict, "")))
    if not recovered.sales:
        print_line("no open sales")


def _more(sale: RecoveredSale) -> Optional[str]:
    """What a person needs to know in addition to the verdict."""
    if sale.url is not None:
        return sale.url
    if sale.reasons:
        return "; ".join(
            f"{reason.check}: expected {reason.expected or 'nothing'}, "
            f"is {reason.actual or 'nothing'}"
            for reason in sale.reasons
        )
    return sale.transaction_status

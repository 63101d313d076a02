"""`payorder status`: asks for the status of an order."""

from __future__ import annotations

import argparse
import json
from typing import Mapping

from payorder.client import Client
from payorder.return_urls import parse_return_url
from payorder.statuses import Status
from payorder.verification import verify_payment
from .arguments import Parser
from . import settings
from .exits import DONE, NOT_PAID, NOT_VERIFIED, Interrupted, UsageError
from .expectation import Expectation, expectation
from .inputs import amount
from .journal import has_journal
from .output import (
    CHECK,
    OPEN,
    PAID,
    coloured,
    hint,
    one_line,
    print_fields,
    print_line,
    print_note,
)

_KEEP_GOODS = "do not hand anything over yet"
_WORDS = {"orderId": "order id", "amount": "amount"}

#: What `--quiet` does to the verdict of `--amount`.
QUIET_VERDICT = "with --amount, the exit status says whether all is as expected"


def add(command: Parser) -> None:
    command.description = "Asks for the status of an order. This changes nothing at the service."
    add_query(command)
    command.option(
        "-a --amount TEXT",
        "check that the order is paid with this amount; needs an ORDER_ID, or a journal with "
        "only one open order",
        type=amount,
    )
    settings.add(command, quiet=f"print only the status of the payment; {QUIET_VERDICT}")


def add_query(command: Parser) -> None:
    """Adds the three ways to name the order."""
    command.add_argument(
        "order_id",
        nargs="?",
        metavar="ORDER_ID",
        help="the order id; with the next two, the order to which the transaction must belong",
    )
    command.option("--transaction-id ID", "ask for this transaction")
    command.option(
        "--return-url URL",
        "ask for the transaction in the URL to which the customer returned",
    )


def query(args: argparse.Namespace) -> Mapping[str, object]:
    """The status query."""
    named = (args.order_id, args.transaction_id, args.return_url)
    if not any(one is not None for one in named) or None not in named[1:]:
        raise UsageError(
            "name the order by an ORDER_ID, --transaction-id or --return-url; only an ORDER_ID can "
            "be given in addition to one of the others"
        )
    if args.return_url is not None:
        return parse_return_url(args.return_url).status_query
    if args.transaction_id is not None:
        return {"transactionId": args.transaction_id}
    return {"orderId": args.order_id}


def run(args: argparse.Namespace) -> int:
    """Asks for the status and prints it."""
    asked = query(args)
    if args.amount is not None:
        has_journal(args)
    with settings.client(args) as client:
        # Before the service is asked: its response says nothing about what is expected.
        expected = None if args.amount is None else expectation(client, args)
        status = ask(client, asked)
    if args.json:
        print_line(status.raw)
    elif args.quiet:
        print_line(one_line(status.transaction_status))
    else:
        print_status(status)
    return DONE if expected is None else verdict(status, asked, expected, args)


def ask(client: Client, asked: Mapping[str, object]) -> Status:
    """Sends one query. Ctrl-C ends it at once."""
    try:
        return client.get_status(asked)
    except KeyboardInterrupt:
        raise Interrupted("interrupted; nothing was changed") from None


def print_status(status: Status) -> None:
    """Prints a status for people, without the customer's data."""
    print_fields(
        order=status.order_id,
        transaction=status.transaction_id,
        status=status.transaction_status,
        amount=status.amount,
        date=status.transaction_date_text,
        paid_by=status.pay_mode,
        refund=" ".join((status.refund_status, status.refund_type)).strip(),
        settlement=" ".join((status.settlement_status, status.settlement_date)).strip(),
    )


def verdict(
    status: Status,
    asked: Mapping[str, object],
    expected: Expectation,
    args: argparse.Namespace,
) -> int:
    """Verifies the payment and prints the verdict. Returns the exit status."""
    sale = {"orderId": expected.order_id, "amount": expected.amount}
    missing = [name for name, value in sale.items() if value is None]
    if missing:
        # What the response itself says proves nothing.
        raw = json.dumps({"paid": False, "reasons": [], "missing": missing})
        words = " and ".join(_WORDS[name] for name in missing)
        words = f"NOT VERIFIED: there is no {words} to compare with: {_KEEP_GOODS}"
        _print_verdict(args, raw, words, CHECK)
        if not args.json:
            hint(
                "give the order id (ORDER_ID) and the amount (--amount) from your own records, "
                "or --journal"
            )
        return NOT_VERIFIED
    if asked.get("transactionId"):
        sale["transactionId"] = str(asked["transactionId"])
    if expected.not_before is not None:
        sale["notBefore"] = expected.not_before
    payment = verify_payment(sale, status)
    if payment.paid and expected.journal_unread:
        raw = json.dumps({"paid": False, "reasons": [], "missing": ["journal"]})
        words = f"NOT VERIFIED: money was received, but the journal cannot be read: {_KEEP_GOODS}"
        _print_verdict(args, raw, words, CHECK)
        return NOT_VERIFIED
    if payment.paid and expected.doubts:
        doubt = expected.doubts[0]
        reason = {"check": doubt.check, "expected": doubt.expected, "actual": doubt.actual}
        raw = json.dumps({"paid": False, "reasons": [reason]})
        words = (
            f"NOT AS EXPECTED: money was received, and {doubt.words}: do not charge again, and "
            f"{_KEEP_GOODS}"
        )
        _print_verdict(args, raw, words, CHECK)
        return NOT_PAID
    if payment.paid:
        if args.json or not args.quiet:
            _print_verdict(args, payment.raw, "PAID, as expected", PAID)
        return DONE
    failed = {reason.check for reason in payment.reasons}
    colour = CHECK
    if "orderId" in failed or ("transactionStatus" in failed and not status.money_moved):
        words = f"NOT PAID as expected: {_KEEP_GOODS}"
        colour = CHECK if "orderId" in failed else OPEN
    else:
        # A second payment would be one too many.
        words = f"NOT AS EXPECTED, but money was received: do not charge again, and {_KEEP_GOODS}"
    reasons = (
        f"  {reason.check}: expected {reason.expected or 'nothing'}, "
        f"got {one_line(reason.actual or 'nothing')}"
        for reason in payment.reasons
    )
    _print_verdict(args, payment.raw, words, colour, *reasons)
    return NOT_PAID


def _print_verdict(
    args: argparse.Namespace, raw: str, words: str, colour: str, *reasons: str
) -> None:
    if args.json:
        print_line(raw)
    elif args.quiet:
        for line in (words, *reasons):
            print_note(line)
    else:
        for line in (coloured(words, colour), *reasons):
            print_line(line)

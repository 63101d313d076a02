"""`payorder status`: asks for the status of an order."""

from __future__ import annotations

import argparse
from typing import Any, Mapping

from ..client import Client
from ..return_urls import parse_return_url
from ..statuses import Status
from ..verification import verify_payment
from . import settings
from .exits import DONE, NOT_PAID, Interrupted, UsageError
from .inputs import amount
from .interrupts import call_cancellably, recording_interrupts
from .output import print_fields, print_line, print_verdict


#: What `--quiet` does to the verdict of `--amount`.
QUIET_VERDICT = "with --amount, the exit status says whether all is as expected"


def add(commands: Any) -> None:
    """Adds the subcommand and its arguments."""
    command = commands.add_parser(
        "status",
        help="ask for the status of an order",
        description="Asks for the status of an order. This changes nothing at the service.",
        allow_abbrev=False,
    )
    add_query(command)
    command.add_argument(
        "--amount",
        metavar="TEXT",
        type=amount,
        help="check that the order is paid with this amount",
    )
    settings.add(
        command, quiet=f"print only the status of the payment; {QUIET_VERDICT}"
    )
    command.set_defaults(run=run)


def add_query(command: argparse.ArgumentParser) -> None:
    """Adds the three ways to name the order."""
    command.add_argument("order_id", nargs="?", metavar="ORDER_ID", help="the order id")
    command.add_argument(
        "--transaction-id",
        metavar="ID",
        help="the transaction id, instead of the order id",
    )
    command.add_argument(
        "--return-url",
        metavar="URL",
        help="the URL to which the customer returned, instead of the order id",
    )


def query(args: argparse.Namespace) -> Mapping[str, object]:
    """The status query."""
    named = (args.order_id, args.transaction_id, args.return_url)
    if sum(one is not None for one in named) != 1:
        raise UsageError(
            "name the order by one of: an ORDER_ID, --transaction-id, --return-url"
        )
    if args.return_url is not None:
        return parse_return_url(args.return_url).status_query
    if args.transaction_id is not None:
        return {"transactionId": args.transaction_id}
    return {"orderId": args.order_id}


def run(args: argparse.Namespace) -> int:
    """Asks for the status and prints it."""
    asked = query(args)
    with settings.client(args) as client:
        status = ask(client, asked)
    if args.json:
        print_line(status.raw)
    elif args.quiet:
        print_line(status.transaction_status)
    else:
        print_status(status)
    if args.amount is None:
        return DONE
    return verdict(status, asked, args.amount, args)


def ask(client: Client, asked: Mapping[str, object]) -> Status:
    """Sends one query. Ctrl-C ends it at once."""
    with recording_interrupts() as interrupts:
        ended = call_cancellably(client, interrupts, lambda: client.get_status(asked))
    if interrupts.pressed:
        raise Interrupted("interrupted; nothing was changed")
    if ended.value is None:
        raise ended.error or AssertionError(
            "a call that was not interrupted did not end"
        )
    return ended.value


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
    amount: str,
    args: argparse.Namespace,
) -> int:
    """Verifies the payment and prints the verdict. Returns the exit status."""
    # If only the transaction was given, the service's response names the order.
    order = asked.get("orderId") or status.order_id or "the one of the transaction"
    expected = {"orderId": order, "amount": amount}
    if asked.get("transactionId"):
        expected["transactionId"] = asked["transactionId"]
    payment = verify_payment(expected, status)
    if args.json:
        print_line(payment.raw)
        return DONE if payment.paid else NOT_PAID
    return print_verdict(payment, args.quiet)

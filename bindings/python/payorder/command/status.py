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
from .given import amount
from .interrupts import cancellable, noted
from .output import say, say_fields, say_verdict


def add(commands: Any) -> None:
    """Describes the arguments."""
    command = commands.add_parser(
        "status",
        help="ask for the status of an order",
        description="Asks for the status of an order. Asking changes nothing.",
        allow_abbrev=False,
    )
    add_query(command)
    command.add_argument(
        "--amount",
        metavar="TEXT",
        type=amount,
        help="check that the order is paid, with this amount",
    )
    settings.add(command)
    command.set_defaults(run=run)


def add_query(command: argparse.ArgumentParser) -> None:
    """The ways to name the order."""
    command.add_argument("order_id", nargs="?", metavar="ORDER_ID", help="the order")
    command.add_argument("--transaction-id", metavar="ID", help="or its transaction")
    command.add_argument(
        "--return-url",
        metavar="URL",
        help="or the URL that the customer returned to",
    )


def query(given: argparse.Namespace) -> Mapping[str, object]:
    """The status query."""
    named = (given.order_id, given.transaction_id, given.return_url)
    if sum(one is not None for one in named) != 1:
        raise UsageError(
            "name the order by one of: an ORDER_ID, --transaction-id, --return-url"
        )
    if given.return_url is not None:
        return parse_return_url(given.return_url).status_query
    if given.transaction_id is not None:
        return {"transactionId": given.transaction_id}
    return {"orderId": given.order_id}


def run(given: argparse.Namespace) -> int:
    """Asks."""
    asked = query(given)
    with settings.client(given) as client:
        status = ask(client, asked)
    if given.json:
        say(status.raw)
    else:
        say_status(status)
    if given.amount is None:
        return DONE
    return verdict(status, asked, given.amount, given.json)


def ask(client: Client, asked: Mapping[str, object]) -> Status:
    """Asks once. Ctrl-C ends it at once."""
    with noted() as interrupts:
        ended = cancellable(client, interrupts, lambda: client.get_status(asked))
    if interrupts.pressed:
        raise Interrupted("interrupted; asking changed nothing")
    if ended.value is None:
        raise ended.error or AssertionError(
            "a call that was not interrupted did not end"
        )
    return ended.value


def say_status(status: Status) -> None:
    """Writes the status for a person. The customer's data is not shown."""
    say_fields(
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
    status: Status, asked: Mapping[str, object], amount: str, as_json: bool
) -> int:
    """Checks the payment, says the verdict and gives the exit status."""
    # Where only the transaction is known, the order is the one that the service names.
    order = asked.get("orderId") or status.order_id or "the one of the transaction"
    expected = {"orderId": order, "amount": amount}
    if asked.get("transactionId"):
        expected["transactionId"] = asked["transactionId"]
    payment = verify_payment(expected, status)
    if as_json:
        say(payment.raw)
        return DONE if payment.paid else NOT_PAID
    return say_verdict(payment)

"""`payorder status`: what became of an order."""

from __future__ import annotations

import argparse
from typing import Any, Mapping, Optional

from ..return_urls import parse_return_url
from ..statuses import Status
from ..verification import verify_payment
from . import settings
from .given import amount
from .output import DONE, NOT_PAID, Unusable, tell, tell_verdict


def add(commands: Any) -> None:
    """Describes the arguments."""
    command = commands.add_parser(
        "status",
        help="ask what became of an order",
        description="Asks what became of an order. Asking changes nothing.",
        allow_abbrev=False,
    )
    add_query(command)
    command.add_argument(
        "--amount",
        metavar="TEXT",
        type=amount,
        help="say whether the order is paid, over this amount",
    )
    settings.add(command)
    command.set_defaults(run=run)


def add_query(command: argparse.ArgumentParser) -> None:
    """The ways to name what is asked for."""
    command.add_argument("order_id", nargs="?", metavar="ORDER_ID", help="the order")
    command.add_argument("--transaction-id", metavar="ID", help="or the transaction")
    command.add_argument(
        "--return-url",
        metavar="URL",
        help="or the address that the customer came back to",
    )


def query(given: argparse.Namespace) -> Mapping[str, object]:
    """What is asked for."""
    if (
        sum(
            one is not None
            for one in (given.order_id, given.transaction_id, given.return_url)
        )
        != 1
    ):
        raise Unusable("name one of: an ORDER_ID, --transaction-id, --return-url")
    if given.return_url is not None:
        return parse_return_url(given.return_url).status_query
    if given.transaction_id is not None:
        return {"transactionId": given.transaction_id}
    return {"orderId": given.order_id}


def run(given: argparse.Namespace) -> int:
    """Asks."""
    asked = query(given)
    with settings.client(given) as client:
        status = client.get_status(asked)
    if given.json:
        print(status.raw)
    else:
        tell_status(status)
    return verdict(status, given.amount, given)


def tell_status(status: Status) -> None:
    """The status for a person; the customer's data is not shown."""
    tell(
        order=status.order_id,
        transaction=status.transaction_id,
        status=status.transaction_status,
        amount=status.amount,
        date=status.transaction_date_text,
        paid_by=status.pay_mode,
        refund=" ".join((status.refund_status, status.refund_type)).strip(),
        settlement=" ".join((status.settlement_status, status.settlement_date)).strip(),
    )


def verdict(status: Status, expected: Optional[str], given: argparse.Namespace) -> int:
    """Holds the status against the amount that was expected, where one was."""
    if expected is None:
        return DONE
    # Where only the transaction is known, the order is whichever it names.
    payment = verify_payment(
        {"orderId": given.order_id or status.order_id, "amount": expected}, status
    )
    if given.json:
        print(payment.raw)
        return DONE if payment.paid else NOT_PAID
    return tell_verdict(payment)

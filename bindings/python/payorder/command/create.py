"""`payorder create`: makes an order."""

from __future__ import annotations

import argparse
import shlex
import sys
from typing import Any, Dict

from .._text import wire_name
from ..orders import OrderFields
from . import settings, wait
from .given import json_object, opened
from .output import DONE, UNKNOWN, Unusable, complain
from .qr import show

_HELP = {
    "amount": "decimal text, such as 249.50",
    "merchant_txn_id": "yours, unique; without it, the order id",
    "order_id": "the order's identifier",
    "pay_mode": "all (without it), cc, dc, upi or nb",
    "merchant_id": "who sells",
    "product_info": "what is sold",
    "customer_name": "who pays",
    "customer_mobile": "",
    "customer_email": "",
    "redirection_url": "where the customer comes back to",
    "currency_code": "such as INR",
}


def add(commands: Any) -> None:
    """Describes the arguments."""
    command = commands.add_parser(
        "create",
        help="make an order, and show where the customer pays",
        description="Makes an order, once. Its fields are arguments, or a JSON object with the wire's names, or both.",
        allow_abbrev=False,
    )
    command.add_argument(
        "order",
        nargs="?",
        metavar="ORDER.json",
        help='the order as JSON; "-" reads it from stdin',
    )
    for name in OrderFields.__annotations__:
        command.add_argument(
            "--" + name.replace("_", "-"), metavar="TEXT", help=_HELP[name]
        )
    command.add_argument(
        "--resend",
        action="store_true",
        help="send again an order that the journal has as unknown",
    )
    command.add_argument(
        "--wait",
        action="store_true",
        help="then wait for the payment, as `payorder wait` does",
    )
    wait.add_waiting(command)
    settings.add(command)
    command.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Makes the order."""
    order = _order(given)
    with settings.client(given) as client:
        try:
            checkout = client.create_order(order, resend=True if given.resend else None)
        except KeyboardInterrupt:
            complain("interrupted while the order was sent; it may exist")
            print(
                f"  ask with: payorder status {shlex.quote(str(order.get('orderId')))}",
                file=sys.stderr,
            )
            return UNKNOWN
        try:
            if given.json:
                print(checkout.raw, flush=True)
            else:
                print(f"order {order.get('orderId')} is made; the customer pays at")
                show(checkout.url)
        except OSError:
            complain(
                f"order {order.get('orderId')} is made; the customer pays at {checkout.url}"
            )
            raise
        if given.wait:
            return wait.until_final(
                client, given, {"orderId": order["orderId"]}, str(order["amount"])
            )
    return DONE


def _order(given: argparse.Namespace) -> Dict[str, Any]:
    order: Dict[str, Any] = {}
    if given.order is not None:
        name = f"the order {given.order}"
        with opened(given.order, name) as file:
            order = json_object(file, name)
        if isinstance(order.get("amount"), (int, float)):
            raise Unusable(
                f'the order {given.order} has its amount as a number; write it as text: "amount": "249.50"'
            )
    for name in OrderFields.__annotations__:
        if getattr(given, name) is not None:
            order[wire_name(name)] = getattr(given, name)
    order.setdefault("payMode", "all")
    if "orderId" in order:
        order.setdefault("merchantTxnId", order["orderId"])
    return order

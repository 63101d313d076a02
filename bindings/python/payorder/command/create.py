"""`payorder create`: creates an order."""

from __future__ import annotations

import argparse
from typing import Any, Dict

from .._text import wire_name
from ..orders import Checkout, OrderFields
from . import settings, wait
from .exits import DONE, UNKNOWN, Interrupted, OrderState, UsageError
from .failures import explain_order, hint_status
from .given import json_object, opened
from .interrupts import cancellable, noted
from .output import output_is_lost, say, warn
from .qr import show_qr_code

_HELP = {
    "amount": "decimal text, such as 249.50",
    "merchant_txn_id": "your own unique id of the transaction (default: the order id)",
    "order_id": "the order's identifier",
    "pay_mode": "all (default), cc, dc, upi or nb",
    "merchant_id": "the merchant's identifier",
    "product_info": "what is sold",
    "customer_name": "the customer's full name",
    "customer_mobile": "the customer's mobile number",
    "customer_email": "the customer's e-mail address",
    "redirection_url": "where the customer returns to after the payment",
    "currency_code": "such as INR",
}


def add(commands: Any) -> None:
    """Describes the arguments."""
    command = commands.add_parser(
        "create",
        help="create an order and show where the customer pays",
        description="Creates an order, once. Its fields come from arguments, from a JSON object, "
        "or from both.",
        epilog="Ctrl-C while the order is sent cancels the request. The message and the exit "
        "status then say whether the order may exist.",
        allow_abbrev=False,
    )
    command.add_argument(
        "order",
        nargs="?",
        metavar="ORDER.json",
        help='the order as JSON, with the field names of the service; "-" reads stdin',
    )
    for name in OrderFields.__annotations__:
        command.add_argument(
            "--" + name.replace("_", "-"), metavar="TEXT", help=_HELP[name]
        )
    command.add_argument(
        "--resend",
        action="store_true",
        help="send an order again that is unknown in the journal",
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
    """Creates the order."""
    fields = _fields(given)
    order: OrderState = given.order_state
    order.order_id = str(fields.get("orderId", ""))
    resend = True if given.resend else None
    with settings.client(given) as client:
        with noted() as interrupts:
            ended = cancellable(
                client, interrupts, lambda: client.create_order(fields, resend=resend)
            )
            if ended.value is not None:
                order.url = ended.value.url
        if ended.error is not None:
            raise ended.error
        if ended.value is None:
            warn("interrupted while the order was sent; it may exist")
            hint_status(order.order_id)
            return UNKNOWN
        _show(ended.value, order, given.json)
        if interrupts.pressed:
            raise Interrupted("interrupted after the order was made")
        if given.wait:
            return wait.until_final(
                client, given, {"orderId": fields["orderId"]}, str(fields["amount"])
            )
    return DONE


def _show(checkout: Checkout, order: OrderState, as_json: bool) -> None:
    if as_json:
        say(checkout.raw)
    else:
        say(f"order {order.order_id} was made; the customer pays at")
        say(checkout.url)
    order.shown = True
    if output_is_lost():
        explain_order(order)
    elif not as_json:
        show_qr_code(checkout.url)


def _fields(given: argparse.Namespace) -> Dict[str, Any]:
    fields: Dict[str, Any] = {}
    if given.order is not None:
        name = f"the order {given.order}"
        with opened(given.order, name) as file:
            fields = json_object(file, name)
        if isinstance(fields.get("amount"), (int, float)):
            raise UsageError(
                f'{name} has its amount as a number; write it as text: "amount": "249.50"'
            )
    for name in OrderFields.__annotations__:
        if getattr(given, name) is not None:
            fields[wire_name(name)] = getattr(given, name)
    fields.setdefault("payMode", "all")
    if "orderId" in fields:
        fields.setdefault("merchantTxnId", fields["orderId"])
    return fields

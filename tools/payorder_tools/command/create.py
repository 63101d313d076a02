"""`payorder create`: creates an order."""

from __future__ import annotations

import argparse
import contextlib
import signal
from datetime import datetime, timezone
from typing import Any, Dict, Iterator, List

from payorder._text import python_name, wire_name
from payorder.cancellation import Cancellation
from payorder.orders import Checkout
from . import settings, wait
from .arguments import Parser
from .description import description
from .exits import DONE, Interrupted, OrderState, UsageError
from .expectation import Expectation
from .failures import explain_order
from .inputs import json_object, open_text
from .output import output_failed, print_line
from .qr import show_qr_code

#: The fields that need not be given, and the short options.
_DEFAULTS = {"merchantTxnId": "the order id", "payMode": "all"}
_SHORT = {"orderId": ("-o",), "amount": ("-a",)}


def add(command: Parser) -> None:
    command.description = (
        "Creates an order, and sends it once. The service requires every field. The "
        "fields come from arguments, from a JSON object, or from both; arguments override the "
        "object."
    )
    command.epilog = (
        "Ctrl-C during the request cancels it, and so do SIGTERM and SIGHUP. The message and the "
        "exit status then say whether the order may exist."
    )
    command.add_argument(
        "order",
        nargs="?",
        metavar="ORDER.json",
        help='the order as JSON, with the field names of the service; "-" reads stdin',
    )
    for key in _keys():
        field, choices = key["key"], key.get("values")
        first_sentence = key["meaning"].split(". ")[0].replace("%", "%%")
        words = first_sentence.replace("payorder_get_status", "`payorder status`")
        default = f" (default: {_DEFAULTS[field]})" if field in _DEFAULTS else ""
        command.add_argument(
            *_SHORT.get(field, ()),
            "--" + python_name(field).replace("_", "-"),
            dest=field,
            metavar=None if choices else "TEXT",
            choices=choices,
            help=words + default,
        )
    command.option(
        "--resend",
        "send an order again whose state in the journal is unknown; "
        "the service may then have two orders",
    )
    command.option("--wait", "then wait for the payment, like `payorder wait`")
    wait.add_waiting(command)
    settings.add(
        command,
        quiet="print only the checkout URL, and with --wait the last status",
    )


def run(args: argparse.Namespace) -> int:
    """Creates the order."""
    for option in ("seconds", "final"):
        if getattr(args, option) not in (None, []) and not args.wait:
            raise UsageError(f"--{option} needs --wait; nothing was sent")
    fields = _fields(args)
    order: OrderState = args.order_state
    order.order_id = str(fields.get("orderId", ""))
    resend = True if args.resend else None
    with settings.client(args) as client:
        began = datetime.now(timezone.utc).isoformat(timespec="milliseconds")
        with _recording_interrupts() as interrupts:
            checkout = client.create_order(fields, resend=resend, cancellation=interrupts)
            order.url = checkout.url
        _show(checkout, order, args)
        if interrupts.cancelled:
            raise Interrupted("interrupted after the order was created", "ask_status")
        if args.wait:
            order_id, paid = str(fields["orderId"]), str(fields["amount"])
            # An order that is sent again may have been paid before.
            expected = Expectation(order_id, paid, began=None if args.resend else began)
            return wait.until_final(client, args, {"orderId": order_id}, expected)
    return DONE


@contextlib.contextmanager
def _recording_interrupts() -> Iterator[Cancellation]:
    """Within this context, Ctrl-C cancels the calls that have this, and raises no exception. SIGTERM
    and SIGHUP (a closed terminal) do the same.

    A `KeyboardInterrupt` between the arrival of a response and its use would lose the response.
    """
    with Cancellation() as interrupts, contextlib.ExitStack() as exits:
        # Windows has no SIGHUP.
        for number in {signal.SIGINT, signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)}:
            before = signal.getsignal(number)
            # If the signal is ignored (nohup), it stays ignored.
            if before in (signal.default_int_handler, signal.SIG_DFL):
                exits.callback(signal.signal, number, before)
                signal.signal(number, lambda *_: interrupts.cancel())
        yield interrupts


def _show(checkout: Checkout, order: OrderState, args: argparse.Namespace) -> None:
    if args.json:
        print_line(checkout.raw)
    else:
        if not args.quiet:
            print_line(f"order {order.order_id} was created; the customer pays at")
        print_line(checkout.url)
    order.shown = True
    if output_failed():
        explain_order(order)
    elif not args.json and not args.quiet:
        show_qr_code(checkout.url)


def _fields(args: argparse.Namespace) -> Dict[str, Any]:
    fields: Dict[str, Any] = {}
    if args.order is not None:
        name = f"the order {args.order}"
        with open_text(args.order, name) as file:
            given = json_object(file, name)
        fields = {wire_name(key): value for key, value in given.items()}
        if len(fields) != len(given):
            raise UsageError(f"{name} has the same field under two names")
    for key in _keys():
        if getattr(args, key["key"]) is not None:
            fields[key["key"]] = getattr(args, key["key"])
    # That of an argument is text.
    if not isinstance(fields.get("amount", ""), str):
        raise UsageError(f'{name} has an amount that is not text; write it as "amount": "249.50"')
    fields.setdefault("payMode", "all")
    if "orderId" in fields:
        fields.setdefault("merchantTxnId", fields["orderId"])
    return fields


def _keys() -> List[Dict[str, Any]]:
    """The fields of an order, as the library describes them."""
    keys: List[Dict[str, Any]] = description()["objects"]["order"]["keys"]
    return keys

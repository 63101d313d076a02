"""`payorder wait`: waits until the customer has paid."""

from __future__ import annotations

import argparse
import json
import time
from typing import Mapping, Optional

from payorder.client import Client
from payorder.errors import NotSentError, PayorderError, UnauthorizedError
from payorder.statuses import Status
from .arguments import Parser
from . import settings, status
from .exits import NOT_PAID, UNKNOWN, Interrupted
from .expectation import Expectation, expectation, read_again
from .failures import error_json, hint_status, status_command
from .inputs import amount, seconds
from .journal import has_journal
from .output import hint, one_line, print_line, warn
from .qr import show_qr_code

# The status is printed when it changes, so the wait consists of short waits. The first one is so
# short that it sends only one query or two.
_FIRST, _SLICE = 2.0, 10.0


def add(command: Parser) -> None:
    command.description = (
        "Shows the status of an order as it changes, until it is paid or the time is over."
    )
    status.add_query(command)
    command.option(
        "-a --amount TEXT",
        "check that the order is paid with this amount (default: from the journal)",
        type=amount,
    )
    command.option("--url URL", "the checkout URL to show (default: from the journal)")
    add_waiting(command)
    settings.add(command, quiet=f"print only the last status; {status.QUIET_VERDICT}")


def add_waiting(command: Parser) -> None:
    """Adds the arguments of the wait itself."""
    command.option(
        "--seconds N",
        "how long to wait (default 300); 0 sends one query",
        type=seconds,
        default=None,
    )
    command.option(
        "--final STATUS",
        "another status that ends the wait, in addition to Completed; may be repeated; the "
        "customer may still pay then",
        action="append",
        default=[],
    )


def run(args: argparse.Namespace) -> int:
    """Shows the checkout URL, if it is known, and waits."""
    asked = status.query(args)
    has_journal(args)
    with settings.client(args) as client:
        # Before the service is asked: its response says nothing about what is expected.
        expected = expectation(client, args)
        url = args.url or (args.order_id and expected.checkout_url)
        if url and not args.json and not args.quiet:
            print_line("the customer pays at")
            print_line(url)
            show_qr_code(url)
        return until_final(client, args, asked, expected)


def until_final(
    client: Client,
    args: argparse.Namespace,
    asked: Mapping[str, object],
    expected: Expectation,
) -> int:
    """Waits until the order is paid or the time is up. Returns the exit status."""
    wait = _Wait(args.json or args.quiet)
    try:
        if args.seconds is None:
            args.seconds = 300.0
        if args.seconds == 0:
            wait.ask_once(client, args, asked)
        else:
            wait.ask_until_final(client, args, asked)
    except (Interrupted, KeyboardInterrupt):
        seen = "" if wait.status is None else f" (it was {wait.state()})"
        raise Interrupted(
            f"interrupted; the customer may still pay{seen}; ask again: "
            + status_command(
                str(asked.get("orderId") or expected.order_id or "ORDER_ID"), args.order_state
            ),
            "ask_status",
        ) from None
    if args.json:
        print_line(wait.json())
    elif args.quiet and wait.status is not None and wait.error is None:
        print_line(one_line(wait.status.transaction_status))
    found, error = wait.status, wait.error
    if found is not None and error is None and found.money_moved:
        # A person may have settled the order during the wait.
        return status.verdict(found, asked, read_again(expected, client, args), args)
    if wait.final:
        warn(f"it is {wait.state()}; the customer may still pay")
    elif error is not None:
        warn(f"the time is up, and the last query failed: {error.message}")
        if found is not None:
            hint(f"the last status seen was {wait.state()}")
    else:
        warn("the time is up; the customer may still pay")
    order_id = asked.get("orderId")
    if order_id:
        hint_status(str(order_id), args.order_state)
    return NOT_PAID if error is None else UNKNOWN


class _Wait:
    """The wait so far."""

    def __init__(self, quiet: bool) -> None:
        self.status: Optional[Status] = None
        #: The error of the last query, if it failed.
        self.error: Optional[PayorderError] = None
        self.final = False
        self._polls = 0
        self._quiet = quiet
        self._printed: Optional[str] = None

    def ask_once(
        self, client: Client, args: argparse.Namespace, asked: Mapping[str, object]
    ) -> None:
        try:
            found: Optional[Status] = status.ask(client, asked)
        except (UnauthorizedError, NotSentError):
            raise
        except PayorderError as error:
            found, self.error = None, error
        self._polls = 1
        if found is not None:
            self.status = found
            self.final = found.completed or found.transaction_status in args.final
        self._print()

    def ask_until_final(
        self, client: Client, args: argparse.Namespace, asked: Mapping[str, object]
    ) -> None:
        deadline = time.monotonic() + args.seconds
        most = _FIRST
        while not self.final:
            left = deadline - time.monotonic()
            if left <= 0 and self._printed is not None:
                return
            waited = client.wait_for_payment(
                asked,
                wait=max(0.001, min(left, most)),
                max_interval=5,
                final=args.final,
            )
            self.final = waited.final
            self.status = self.status if waited.status is None else waited.status
            self.error = waited.error
            self._polls += waited.polls
            self._print()
            most = _SLICE

    def state(self) -> str:
        """The last status seen, for people."""
        assert self.status is not None
        return one_line(self.status.transaction_status) or "without a status"

    def json(self) -> str:
        """The result with the keys of the library's JSON."""
        ended = {"final": self.final, "timedOut": not self.final, "polls": self._polls}
        text = json.dumps(ended)[:-1]
        if self.status is not None:
            text += f', "status": {self.status.raw}'
        if self.error is not None:
            text += f", {error_json(self.error)[1:-1]}"
        return text + "}"

    def _print(self) -> None:
        if self.error is None:
            now = self.state()
        else:
            reason = one_line(self.error.response_message or self.error.message)
            known = "no response" if self.status is not None else "not known yet"
            now = f"{known}: {reason}"
        if now != self._printed and not self._quiet:
            print_line(f"{time.strftime('%H:%M:%S')}  {now}")
        self._printed = now

"""`payorder wait`: waits until the customer has paid."""

from __future__ import annotations

import argparse
import contextlib
import json
import logging
import time
from typing import Iterator, Mapping, Optional

from payorder.client import Client
from payorder.errors import NotSentError, PayorderError, UnauthorizedError
from payorder.results import Result
from payorder.waiting import Waited
from .arguments import Parser
from . import settings, status
from .exits import NOT_PAID, UNKNOWN, Interrupted
from .expectation import Expectation, expectation, read_again
from .failures import hint_status, status_command
from .inputs import amount, seconds
from .journal import has_journal
from .output import hint, one_line, print_line, warn
from .qr import show_qr_code

# A person looks at it, so the pauses between the queries are short, in seconds.
_PAUSE, _LONGEST_PAUSE = 2.0, 5.0
# A query without a response for so long, in milliseconds, was not only cut off by the end of the
# wait: the service may have stopped, and the order may be paid by now.
_ENOUGH_MS = 5000
# The failures that end a wait.
_ENDS = (Result.UNAUTHORIZED, Result.CANCELLED, Result.CANCELLED_IN_FLIGHT)


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
    if args.seconds is None:
        args.seconds = 300.0
    changes = _Changes(args)
    try:
        if args.seconds == 0:
            waited = _asked_once(client, args, asked)
        else:
            with changes.shown():
                waited = client.wait_for_payment(
                    asked,
                    wait=max(0.001, args.seconds),
                    interval=_PAUSE,
                    max_interval=_LONGEST_PAUSE,
                    final=args.final,
                )
    except (Interrupted, KeyboardInterrupt):
        seen = "" if changes.status is None else f" (it was {changes.status})"
        raise Interrupted(
            f"interrupted; the customer may still pay{seen}; ask again: "
            + status_command(
                str(asked.get("orderId") or expected.order_id or "ORDER_ID"), args.order_state
            ),
            "ask_status",
        ) from None
    found, error = waited.status, waited.error
    if error is not None:
        changes.show(_no_status(error.cause, error.http_status))
    elif found is not None:
        changes.show(_state(found.transaction_status))
    if args.json:
        print_line(waited.raw)
    elif args.quiet and found is not None and error is None:
        print_line(one_line(found.transaction_status))
    if found is not None and error is None and found.money_moved:
        # A person may have settled the order during the wait.
        return status.verdict(found, asked, read_again(expected, client, args), args)
    if waited.final and found is not None:
        warn(f"it is {_state(found.transaction_status)}; the customer may still pay")
    elif error is not None or changes.no_response:
        failed = "had no response" if error is None else f"failed: {error.message}"
        warn(f"the time is up, and the last query {failed}")
        if found is not None:
            hint(f"the last status seen was {_state(found.transaction_status)}")
    else:
        warn("the time is up; the customer may still pay")
    order_id = asked.get("orderId")
    if order_id:
        hint_status(str(order_id), args.order_state)
    return UNKNOWN if error is not None or changes.no_response else NOT_PAID


def _asked_once(client: Client, args: argparse.Namespace, asked: Mapping[str, object]) -> Waited:
    """The result of one query, as if it were a wait."""
    final = False
    try:
        found = status.ask(client, asked)
    except (UnauthorizedError, NotSentError):
        raise
    except PayorderError as error:
        answer = error.raw[1:-1]
    else:
        final = found.completed or found.transaction_status in args.final
        answer = f'"status":{found.raw}'
    said = [json.dumps(one) for one in (final, not final)]
    return Waited(f'{{"final":{said[0]},"timedOut":{said[1]},"polls":1,{answer}}}')


class _Changes(logging.Handler):
    """Prints the status when it changes. The library logs each query while the wait goes on."""

    def __init__(self, args: argparse.Namespace) -> None:
        super().__init__()
        #: The last status seen, for people.
        self.status: Optional[str] = None
        #: Whether the last query got no response, although it had enough time.
        self.no_response = False
        self._shown = not (args.json or args.quiet)
        self._end_ms = args.seconds * 1000
        self._last = ""
        self._began_ms = 0

    @contextlib.contextmanager
    def shown(self) -> Iterator[None]:
        """Prints the status as long as the wait goes on."""
        logger = logging.getLogger("payorder")
        logger.setLevel(logging.DEBUG)
        logger.addHandler(self)
        try:
            yield
        finally:
            logger.removeHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        event = vars(record)["payorder"]
        if event["event"] == "attempt_started":
            self._began_ms = event["elapsedMs"]
        elif event["event"] == "attempt_finished":
            self.status = _state(event.get("transactionStatus", ""))
            self.show(self.status)
        elif event["event"] != "attempt_failed" or event["result"] in _ENDS:
            return
        elif event["elapsedMs"] >= self._end_ms:
            # A failure that may only mean that the time is up.
            self.no_response = self._end_ms - self._began_ms > _ENOUGH_MS
        else:
            self.show(_no_status(event.get("cause"), event.get("httpStatus")))

    def show(self, what: str) -> None:
        if what != self._last and self._shown:
            print_line(f"{time.strftime('%H:%M:%S')}  {what}")
        self._last = what


def _state(transaction_status: str) -> str:
    """A status, for people."""
    return one_line(transaction_status) or "without a status"


def _no_status(cause: Optional[str], http_status: Optional[int]) -> str:
    """A failed query, for people."""
    if cause == "service_refused":
        words = "the service does not know the order (yet), or refuses the query"
        return f"no status: {words} (HTTP {http_status})"
    http = "" if http_status is None else f", HTTP {http_status}"
    return f"no status ({cause}{http})"

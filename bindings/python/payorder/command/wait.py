"""`payorder wait`: waits until the customer has paid."""

from __future__ import annotations

import argparse
import json
import time
from typing import Any, Mapping, Optional

from ..client import Client
from ..errors import NotSentError, PayorderError, UnauthorizedError
from ..statuses import Status
from . import settings, status
from .exits import DONE, NOT_PAID, UNKNOWN, Interrupted
from .failures import error_json, hint_status
from .given import amount, seconds
from .output import hint, say, warn
from .qr import show_qr_code

# The status is shown when it changes, so the wait consists of short ones. The first is so short
# that it asks little more than once.
_FIRST_MS, _SLICE_MS = 2_000, 10_000


def add(commands: Any) -> None:
    """Describes the arguments."""
    command = commands.add_parser(
        "wait",
        help="wait until an order is paid",
        description="Shows the status of an order as it changes, until it is paid or the time is "
        "over.",
        allow_abbrev=False,
    )
    status.add_query(command)
    command.add_argument(
        "--amount",
        metavar="TEXT",
        type=amount,
        help="check that it was paid with this amount",
    )
    command.add_argument(
        "--url", help="the checkout URL, to show it (default: from the journal)"
    )
    add_waiting(command)
    settings.add(command)
    command.set_defaults(run=run)


def add_waiting(command: argparse.ArgumentParser) -> None:
    """The arguments of the wait itself."""
    command.add_argument(
        "--seconds",
        metavar="N",
        type=seconds,
        default=300.0,
        help="how long to wait (default 300); 0 asks once",
    )
    command.add_argument(
        "--final",
        metavar="STATUS",
        action="append",
        default=[],
        help="a further status that ends the wait, as Completed does; may be repeated",
    )


def run(given: argparse.Namespace) -> int:
    """Waits."""
    asked = status.query(given)
    with settings.client(given) as client:
        url = given.url or _url_in_journal(client, given)
        if url and not given.json:
            say("the customer pays at")
            say(url)
            show_qr_code(url)
        return until_final(client, given, asked, given.amount)


def until_final(
    client: Client,
    given: argparse.Namespace,
    asked: Mapping[str, object],
    expected: Optional[str],
) -> int:
    """Waits until the order is paid or the time is over, and says which."""
    wait = _Wait(given.json)
    try:
        if given.seconds == 0:
            wait.ask_once(client, given, asked)
        else:
            wait.ask_until_final(client, given, asked)
    except (Interrupted, KeyboardInterrupt):
        raise Interrupted(
            "interrupted; the customer may still pay"
            + ("" if wait.status is None else f" (it was {wait.state()})")
        ) from None
    if given.json:
        say(wait.json())
    found, error = wait.status, wait.error
    if found is not None and error is None and found.completed:
        return (
            DONE
            if expected is None
            else status.verdict(found, asked, expected, given.json)
        )
    if wait.final:
        return NOT_PAID
    if error is not None:
        warn(f"the time is over, and the last question had no answer: {error.message}")
        if found is not None:
            hint(f"the last status seen was {wait.state()}")
    else:
        warn("the time is over; the customer may still pay")
    order_id = asked.get("orderId")
    if order_id:
        hint_status(str(order_id))
    return NOT_PAID if error is None else UNKNOWN


class _Wait:
    """What was seen so far."""

    def __init__(self, quiet: bool) -> None:
        self.status: Optional[Status] = None
        #: Why the last question had no answer, if it had none.
        self.error: Optional[PayorderError] = None
        self.final = False
        self._polls = 0
        self._quiet = quiet
        self._said: Optional[str] = None

    def ask_once(
        self, client: Client, given: argparse.Namespace, asked: Mapping[str, object]
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
            self.final = found.completed or found.transaction_status in given.final
        self._say()

    def ask_until_final(
        self, client: Client, given: argparse.Namespace, asked: Mapping[str, object]
    ) -> None:
        deadline = time.monotonic() + given.seconds
        most = _FIRST_MS
        while not self.final:
            left = int((deadline - time.monotonic()) * 1000)
            if left <= 0 and self._said is not None:
                return
            waited = client.wait_for_payment(
                asked,
                wait_ms=max(1, min(left, most)),
                max_interval_ms=5000,
                final=given.final,
            )
            self.final = waited.final
            self.status = self.status if waited.status is None else waited.status
            self.error = waited.error
            self._polls += waited.polls
            self._say()
            most = _SLICE_MS

    def state(self) -> str:
        """The last status in words."""
        assert self.status is not None
        return self.status.transaction_status or "without a status"

    def json(self) -> str:
        """The whole wait, in the shape that the library gives one."""
        ended = {"final": self.final, "timedOut": not self.final, "polls": self._polls}
        text = json.dumps(ended)[:-1]
        if self.status is not None:
            text += f', "status": {self.status.raw}'
        if self.error is not None:
            text += f", {error_json(self.error)[1:-1]}"
        return text + "}"

    def _say(self) -> None:
        if self.error is None:
            now = self.state()
        else:
            reason = self.error.response_message or self.error.message
            known = "no answer for now" if self.status is not None else "not known yet"
            now = f"{known}: {reason}"
        if now != self._said and not self._quiet:
            say(f"{time.strftime('%H:%M:%S')}  {now}")
        self._said = now


def _url_in_journal(client: Client, given: argparse.Namespace) -> Optional[str]:
    """The checkout URL that the journal has for the order."""
    if given.order_id is None or "journal" not in settings.settings(given):
        return None
    url = None
    for entry in client.journal.list(state="created"):
        if entry.order_id == given.order_id:
            url = entry.url
    return url

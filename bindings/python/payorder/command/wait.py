"""`payorder wait`: until the customer has paid."""

from __future__ import annotations

import argparse
import json
import time
from typing import Any, Mapping, Optional

from ..client import Client
from ..statuses import Status
from ..waiting import Waited
from . import settings, status
from .given import amount, seconds
from .output import DONE, NOT_PAID, UNKNOWN, complain
from .qr import show

# The state is shown when it changes, so the whole wait is made of short ones. The first one asks little more than once.
_FIRST_MS, _SLICE_MS = 2_000, 10_000


def add(commands: Any) -> None:
    """Describes the arguments."""
    command = commands.add_parser(
        "wait",
        help="wait until an order is paid",
        description="Shows the state of an order as it changes, until it is paid or the time is over.",
        allow_abbrev=False,
    )
    status.add_query(command)
    command.add_argument(
        "--amount",
        metavar="TEXT",
        type=amount,
        help="say whether it was paid over this amount",
    )
    command.add_argument(
        "--url", help="the checkout address, to show it; without it, from the journal"
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
        help="how long to wait; 300",
    )
    command.add_argument(
        "--final",
        metavar="STATUS",
        action="append",
        default=[],
        help="a status that ends the wait beside Completed",
    )


def run(given: argparse.Namespace) -> int:
    """Waits."""
    asked = status.query(given)
    with settings.client(given) as client:
        url = given.url or _journaled(client, given)
        if url and not given.json:
            print("the customer pays at")
            show(url)
        return until_final(client, given, asked, given.amount)


def until_final(
    client: Client,
    given: argparse.Namespace,
    asked: Mapping[str, object],
    expected: Optional[str],
) -> int:
    """Waits until the order is paid or the time is over, and says so."""
    deadline = time.monotonic() + given.seconds
    seen: Optional[Status] = None
    said = None
    most = _FIRST_MS
    polls = 0
    while True:
        left = max(1, int((deadline - time.monotonic()) * 1000))
        waited = client.wait_for_payment(
            asked, wait_ms=min(left, most), max_interval_ms=5000, final=given.final
        )
        seen = seen if waited.status is None else waited.status
        polls += waited.polls
        now = _state(waited, seen)
        if now != said and not given.json:
            print(f"{time.strftime('%H:%M:%S')}  {now}", flush=True)
        said = now
        most = _SLICE_MS
        if waited.final or time.monotonic() >= deadline:
            break
    if given.json:
        print(_json(waited, seen, polls))
    if seen is None:
        complain(f"the time is over: {said}; ask again with payorder status")
        return UNKNOWN
    if seen.completed:
        return status.verdict(seen, expected, given) if expected is not None else DONE
    if not waited.final:
        complain(
            "the time is over; the customer may still pay, so ask again before the order is given up"
        )
    return NOT_PAID


def _json(waited: Waited, seen: Optional[Status], polls: int) -> str:
    """The whole wait, in the shape that the library gives one."""
    ended = f'"final":{json.dumps(waited.final)},"timedOut":{json.dumps(waited.timed_out)},"polls":{polls}'
    if seen is not None:
        return f'{{{ended},"status":{seen.raw}}}'
    assert waited.error is not None
    return f"{{{ended},{waited.error.raw[1:]}"


def _state(waited: Waited, seen: Optional[Status]) -> str:
    if waited.status is not None:
        return waited.status.transaction_status or "no status yet"
    assert waited.error is not None
    words = waited.error.response_message or waited.error.message
    return (
        f"no answer for now: {words}" if seen is not None else f"not known yet: {words}"
    )


def _journaled(client: Client, given: argparse.Namespace) -> Optional[str]:
    """The checkout address that the journal has for the order."""
    if given.order_id is None or "journal" not in settings.settings(given):
        return None
    url = None
    for entry in client.journal.list(state="created"):
        if entry.order_id == given.order_id:
            url = entry.url
    return url

"""`payorder journal`: works with the journal of orders."""

from __future__ import annotations

import argparse
import json
import os
from dataclasses import asdict
from datetime import datetime
from typing import Any, Dict, Iterable

from .._text import wire_name
from ..client import Client
from ..journals import JournalEntry
from . import settings
from .exits import DONE, UNKNOWN, Interrupted, UsageError
from .given import count, rate
from .output import say

_STATES = (
    "sending",
    "created",
    "rejected",
    "not_sent",
    "unknown",
    "settled",
    "unresolved",
)


def add(commands: Any) -> None:
    """Describes the arguments."""
    command = commands.add_parser(
        "journal",
        help="list, resolve, settle or prune the journal of orders",
        description="Works with the journal of orders that --journal or PAYORDER_JOURNAL names.",
        allow_abbrev=False,
    )
    works = command.add_subparsers(dest="work", metavar="WORK", required=True)
    listing = works.add_parser(
        "list", help="show the entries, oldest first", allow_abbrev=False
    )
    listing.add_argument(
        "--state", choices=_STATES, help="only the entries in this state"
    )
    listing.add_argument("--limit", metavar="N", type=int, help="at most this many")
    listing.set_defaults(run=run_list)
    resolving = works.add_parser(
        "resolve",
        help="ask for the status of every order that is not finished",
        description="Asks for the status of every order that is unresolved or unpaid, and records "
        "the answers. Ends with 5 if entries are still unresolved.",
        allow_abbrev=False,
    )
    resolving.add_argument(
        "--concurrency", metavar="N", type=int, help="questions at once (default 8)"
    )
    resolving.add_argument(
        "--rate", metavar="N", type=rate, help="at most this many questions a second"
    )
    resolving.set_defaults(run=run_resolve)
    settling = works.add_parser(
        "settle",
        help="close an entry by your own decision",
        description="Closes an entry that is unresolved or unpaid, when you know from elsewhere "
        "what happened to the order. Nothing asks about it any more; its identifiers still count "
        "as used.",
        allow_abbrev=False,
    )
    settling.add_argument(
        "entry",
        metavar="ENTRY",
        type=count,
        help="its number in `payorder journal list`",
    )
    settling.add_argument(
        "--note",
        metavar="TEXT",
        help="why, at most 200 characters; no personal data",
    )
    settling.set_defaults(run=run_settle)
    pruning = works.add_parser(
        "prune", help="remove finished entries that are old", allow_abbrev=False
    )
    pruning.add_argument(
        "--older-than-days", metavar="N", type=int, help="(default 90)"
    )
    pruning.set_defaults(run=run_prune)
    for work in (listing, resolving, settling, pruning):
        settings.add(work)


def _client(given: argparse.Namespace) -> Client:
    path = settings.settings(given).get("journal")
    if path is None:
        raise UsageError(
            "no journal: name its file with --journal or PAYORDER_JOURNAL",
            settings=True,
        )
    if not os.path.exists(path):
        raise UsageError(
            f"there is no journal {path}: check its name; it is created with the first order",
            "unreadable_file",
            settings=True,
        )
    return settings.client(given)


def run_list(given: argparse.Namespace) -> int:
    """Lists the entries."""
    with _client(given) as client:
        _say_entries(client.journal.list(state=given.state, limit=given.limit), given)
    return DONE


def run_resolve(given: argparse.Namespace) -> int:
    """Asks about every entry that is not finished."""
    with _client(given) as client:
        try:
            resolved = client.journal.resolve(
                concurrency=given.concurrency, rate_per_second=given.rate
            )
        except KeyboardInterrupt:
            raise Interrupted(
                "interrupted; what was learned is in the journal, and the rest can be asked again"
            ) from None
    summary = resolved.summary
    if given.json:
        figures = {wire_name(name): value for name, value in asdict(summary).items()}
        entries = [_json(entry) for entry in resolved.entries]
        say(json.dumps({"summary": figures, "entries": entries}))
    else:
        _say_entries(resolved.entries, given)
        no_answer = summary.unknown + summary.not_sent
        say(
            f"{summary.asked} asked: {summary.ok} known to the service, "
            f"{summary.rejected} refused, {no_answer} without an answer"
        )
        say(
            f"{len(resolved.entries)} still unresolved"
            + ("; ask again later" if resolved.entries else "")
        )
    return UNKNOWN if resolved.entries else DONE


def run_settle(given: argparse.Namespace) -> int:
    """Closes an entry."""
    with _client(given) as client:
        entry = client.journal.settle(given.entry, note=given.note)
    if given.json:
        say(json.dumps(_json(entry)))
    else:
        say(f"entry {entry.entry}, order {entry.order_id}, is settled")
    return DONE


def run_prune(given: argparse.Namespace) -> int:
    """Removes old entries."""
    with _client(given) as client:
        removed = client.journal.prune(older_than_days=given.older_than_days)
    say(json.dumps({"removed": removed}) if given.json else f"{removed} removed")
    return DONE


def _json(entry: JournalEntry) -> Dict[str, Any]:
    """An entry as the library gives it."""
    named: Dict[str, Any] = {}
    for name, value in asdict(entry).items():
        if isinstance(value, datetime):
            value = value.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        if name != "note" or value is not None:
            named[wire_name(name)] = value
    return named


def _say_entries(entries: Iterable[JournalEntry], given: argparse.Namespace) -> None:
    if given.json:
        for entry in entries:
            say(json.dumps(_json(entry)))
        return
    layout = "{:>6}  {:<19}  {:<9} {:<12} {:>12} {:<4} {}"
    for place, entry in enumerate(entries):
        if place == 0:
            names = ("entry", "updated (UTC)", "state", "payment", "amount", "")
            say(layout.format(*names, "order"))
        say(
            layout.format(
                entry.entry,
                entry.updated_at.strftime("%Y-%m-%d %H:%M:%S"),
                entry.state,
                entry.transaction_status or "",
                entry.amount,
                entry.currency_code,
                entry.order_id,
            ).rstrip()
        )

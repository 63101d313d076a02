"""`payorder journal`: what was written down of the orders that were sent."""

from __future__ import annotations

import argparse
import json
import os
from dataclasses import asdict
from typing import Any, Dict, Iterable

from .._text import wire_name
from ..journals import JournalEntry
from . import settings
from .given import rate
from .output import DONE, UNKNOWN, Unusable

_STATES = ("sending", "created", "rejected", "not_sent", "unknown", "unresolved")


def add(commands: Any) -> None:
    """Describes the arguments."""
    command = commands.add_parser(
        "journal",
        help="list, resolve or prune what was written down of orders",
        description="The journal of the orders that were sent, by --journal or PAYORDER_JOURNAL.",
        allow_abbrev=False,
    )
    works = command.add_subparsers(dest="work", metavar="WORK", required=True)
    listing = works.add_parser(
        "list", help="show the entries, oldest first", allow_abbrev=False
    )
    listing.add_argument("--state", choices=_STATES, help="only those in this state")
    listing.add_argument("--limit", metavar="N", type=int, help="at most so many")
    listing.set_defaults(run=run_list)
    resolving = works.add_parser(
        "resolve", help="ask what became of every open order", allow_abbrev=False
    )
    resolving.add_argument(
        "--concurrency", metavar="N", type=int, help="how many at once; 8"
    )
    resolving.add_argument(
        "--rate", metavar="N", type=rate, help="at most so many a second"
    )
    resolving.set_defaults(run=run_resolve)
    pruning = works.add_parser(
        "prune", help="remove what is settled and old", allow_abbrev=False
    )
    pruning.add_argument("--older-than-days", metavar="N", type=int, help="90")
    pruning.set_defaults(run=run_prune)
    for work in (listing, resolving, pruning):
        settings.add(work)


def _client(given: argparse.Namespace) -> Any:
    path = settings.settings(given).get("journal")
    if path is None:
        raise Unusable("no journal: name its file with --journal or PAYORDER_JOURNAL")
    if not os.path.exists(path):
        raise Unusable(
            f"there is no journal {path}: check its name; the first order that is created with it makes it"
        )
    return settings.client(given)


def run_list(given: argparse.Namespace) -> int:
    """Lists."""
    with _client(given) as client:
        _tell(client.journal.list(state=given.state, limit=given.limit), given)
    return DONE


def run_resolve(given: argparse.Namespace) -> int:
    """Resolves."""
    with _client(given) as client:
        resolved = client.journal.resolve(
            concurrency=given.concurrency, rate_per_second=given.rate
        )
    summary = resolved.summary
    if given.json:
        figures = {wire_name(name): value for name, value in asdict(summary).items()}
        print(
            json.dumps(
                {
                    "summary": figures,
                    "entries": [_json(entry) for entry in resolved.entries],
                }
            )
        )
    else:
        _tell(resolved.entries, given)
        no_answer = summary.unknown + summary.not_sent
        print(
            f"{summary.asked} asked: {summary.ok} known to the service, {summary.rejected} refused, {no_answer} without an answer"
        )
        print(
            f"{len(resolved.entries)} still open"
            + ("; ask again later" if resolved.entries else "")
        )
    return UNKNOWN if resolved.entries else DONE


def run_prune(given: argparse.Namespace) -> int:
    """Prunes."""
    with _client(given) as client:
        removed = client.journal.prune(older_than_days=given.older_than_days)
    print(json.dumps({"removed": removed}) if given.json else f"{removed} removed")
    return DONE


def _json(entry: JournalEntry) -> Dict[str, Any]:
    """An entry as the library gives it."""
    named = {wire_name(name): value for name, value in asdict(entry).items()}
    return {
        **named,
        "updatedAt": entry.updated_at.isoformat(timespec="milliseconds").replace(
            "+00:00", "Z"
        ),
    }


def _tell(entries: Iterable[JournalEntry], given: argparse.Namespace) -> None:
    if given.json:
        for entry in entries:
            print(json.dumps(_json(entry)))
        return
    layout = "{:>6}  {:<19}  {:<9} {:<12} {:>12} {:<4} {}"
    for place, entry in enumerate(entries):
        if place == 0:
            print(
                layout.format(
                    "entry", "written (UTC)", "state", "payment", "amount", "", "order"
                )
            )
        written = entry.updated_at.strftime("%Y-%m-%d %H:%M:%S")
        payment = entry.transaction_status or ""
        print(
            layout.format(
                entry.entry,
                written,
                entry.state,
                payment,
                entry.amount,
                entry.currency_code,
                entry.order_id,
            ).rstrip()
        )

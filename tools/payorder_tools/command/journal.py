"""`payorder journal`: works with the journal of orders."""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path
from typing import Iterable, get_args

from payorder.client import Client
from payorder.journal_entries import JournalEntry, JournalState
from payorder.journals import Journal
from . import settings
from .arguments import Parser
from .exits import DONE, UNKNOWN, Interrupted, UsageError
from .inputs import add_pace, count
from .output import one_line, print_line, warn

_STATES = (*get_args(JournalState), "unresolved", "open")
#: What Ctrl-C leaves of a run that asks for many statuses.
RESUMED = (
    "interrupted; the statuses received so far are in the journal; "
    "run the command again for the rest"
)


def add(command: Parser) -> None:
    command.description = "Uses the journal of orders that --journal or PAYORDER_JOURNAL names."
    actions = command.add_subparsers(dest="action", metavar="ACTION", required=True)
    listing = actions.add_parser("list", help="show the entries, oldest first")
    listing.option(
        "--state STATE", f"only the entries in this state: {', '.join(_STATES)}", choices=_STATES
    )
    listing.option("--limit N", "at most this many", type=int)
    listing.set_defaults(act=_list)
    settings.add(listing, quiet="print only the order ids, one on each line")
    resolving = actions.add_parser(
        "resolve",
        help="ask for the status of every open order",
        description="Asks for the status of every order that is unresolved or unpaid, and records "
        "it. The exit status is 5 if entries are still unresolved, if the status of an order is not "
        "known because it could not be asked for, or if entries belong to another service.",
    )
    add_pace(resolving)
    resolving.set_defaults(act=_resolve)
    settings.add(resolving, quiet="print only the ids of the orders that are still unresolved")
    settling = actions.add_parser(
        "settle",
        help="close an entry by hand",
        description="Closes an entry that is unresolved or unpaid, if you know what happened to "
        "the order. `resolve` no longer asks about it, and its identifiers still count as used.",
    )
    settling.add_argument(
        "entry", metavar="ENTRY", type=count, help="its number in `payorder journal list`"
    )
    settling.option("--note TEXT", "why, at most 200 characters; no personal data")
    settling.set_defaults(act=_settle)
    settings.add(settling, quiet="print nothing")
    pruning = actions.add_parser("prune", help="remove old closed entries")
    pruning.option(
        "--older-than-days N",
        "only entries older than this many days: 1 to 3650 (default 90)",
        type=int,
    )
    pruning.set_defaults(act=_prune)
    settings.add(pruning, quiet="print nothing")
    schema = actions.add_parser(
        "schema",
        help="print the SQL of a journal in PostgreSQL",
        description="Prints the SQL that makes the tables of a journal in PostgreSQL, for psql. "
        "Without it, payorder makes them at the first use, if its role may do that.",
    )
    schema.option("--role NAME", "also what gives this role the rights that it needs to use them")
    schema.option("--prune", "also the right to remove entries")
    schema.option("--only-rights", "not the tables: they are there")
    schema.set_defaults(act=_schema)


def run(args: argparse.Namespace) -> int:
    """Does what the action says. Returns the exit status."""
    if args.action == "schema":
        return _schema(args)
    # An entry belongs to one service, so also those that send nothing need its address.
    with open_journal(args, asks=args.action != "list") as client:
        status: int = args.act(client.journal, args)
    return status


def open_journal(args: argparse.Namespace, *, asks: bool) -> Client:
    """A client whose journal exists. `asks` says whether it needs the service's address."""
    if not has_journal(args):
        raise UsageError(
            "no journal: name its file or database with --journal or PAYORDER_JOURNAL",
            settings=True,
        )
    return settings.client(args, asks=asks)


def has_journal(args: argparse.Namespace) -> bool:
    """Whether the settings name a journal. A file must then exist."""
    path = settings.settings(args).get("journal")
    if path is None or settings.in_database(path):
        return path is not None
    try:
        os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        raise UsageError(
            f"there is no journal {path}: check its name; it is created with the first order",
            "unreadable_file",
            settings=True,
        ) from None
    except (OSError, ValueError):
        pass  # The library says why it cannot be used.
    return True


def warn_of_others(count: int) -> None:
    """Says how many orders of another service there are, if there are any."""
    if count:
        warn(f"{count} unresolved orders were not asked about: they belong to another service")


def _list(journal: Journal, args: argparse.Namespace) -> int:
    _print_entries(journal.list(state=args.state, limit=args.limit), args)
    return DONE


def _resolve(journal: Journal, args: argparse.Namespace) -> int:
    try:
        resolved = journal.resolve(concurrency=args.concurrency, rate_per_second=args.rate)
    except KeyboardInterrupt:
        raise Interrupted(RESUMED) from None
    summary = resolved.summary
    no_response = summary.unknown + summary.not_sent
    without_status = summary.asked - summary.ok
    others = f"{summary.rejected} refused, {no_response} without a usable response"
    left = len(resolved.entries)
    if args.json:
        print_line(json.dumps(resolved.to_dict()))
    else:
        _print_entries(resolved.entries, args)
    if not (args.json or args.quiet):
        print_line(f"{summary.asked} queries: {summary.ok} known to the service, {others}")
        again = "; run this again later" if left else ""
        print_line(f"{left} still unresolved{again}")
    elif left and not args.json:
        warn(f"{left} orders are unresolved: each may exist")
    if without_status:
        warn(f"{without_status} of {summary.asked} open orders could not be asked about: {others}")
    warn_of_others(resolved.other_services)
    complete = not (resolved.entries or without_status or resolved.other_services)
    return DONE if complete else UNKNOWN


def _settle(journal: Journal, args: argparse.Namespace) -> int:
    entry = journal.settle(args.entry, note=args.note)
    if args.json:
        print_line(json.dumps(entry.to_dict()))
    elif not args.quiet:
        print_line(f"entry {entry.entry}, order {entry.order_id}, is settled")
    return DONE


def _prune(journal: Journal, args: argparse.Namespace) -> int:
    removed = journal.prune(older_than_days=args.older_than_days)
    if args.json:
        print_line(json.dumps({"removed": removed}))
    elif not args.quiet:
        print_line(f"{removed} removed")
    return DONE


def _schema(args: argparse.Namespace) -> int:
    if args.role is None and (args.prune or args.only_rights):
        raise UsageError("--prune and --only-rights need the name of the role: --role NAME")
    if not args.only_rights:
        print_line(Path(__file__).with_name("journal.sql").read_text("utf-8").rstrip())
    if args.role is None:
        print_line("-- With --role NAME: also the rights of a role that makes no tables.")
        return DONE
    role = '"' + args.role.replace('"', '""') + '"'
    remove = ", DELETE" if args.prune else ""
    print_line(
        f"GRANT SELECT, INSERT, UPDATE{remove} ON payorder_orders TO {role};\n"
        f"GRANT SELECT, INSERT{remove} ON payorder_events TO {role};\n"
        f"GRANT SELECT ON payorder_version TO {role};"
    )
    return DONE


def _print_entries(entries: Iterable[JournalEntry], args: argparse.Namespace) -> None:
    if args.json:
        for entry in entries:
            print_line(json.dumps(entry.to_dict()))
        return
    if args.quiet:
        for entry in entries:
            print_line(entry.order_id)
        return
    layout = "{:>6}  {:<19}  {:<9} {:<12} {:>12} {:<4} {}"
    for place, entry in enumerate(entries):
        if place == 0:
            names = ("entry", "updated (UTC)", "state", "payment", "amount", "")
            print_line(layout.format(*names, "order"))
        row = layout.format(
            entry.entry,
            entry.updated_at.strftime("%Y-%m-%d %H:%M:%S"),
            entry.state,
            entry.transaction_status or "",
            entry.amount,
            entry.currency_code,
            entry.order_id,
        )
        print_line(one_line(row.rstrip()))

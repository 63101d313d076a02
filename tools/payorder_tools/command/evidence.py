"""`payorder evidence`: what is known about an order."""

from __future__ import annotations

import argparse
import json
import os
import time
from datetime import datetime, timezone

from .. import __version__
from payorder._times import time_text
from . import settings
from .arguments import Parser
from .evidence_page import page
from .evidence_record import lines
from .exits import DONE, UsageError
from .journal import open_journal
from .output import print_line, print_note, write

_MADE_BY = f"payorder {__version__}"


def add(command: Parser) -> None:
    command.description = (
        "Prints what the journal that --journal or PAYORDER_JOURNAL names knows about "
        "an order: when it was sent, to which server, what came back, and what was learned later. "
        "Each line has a hash, so that later changes show. The service is not asked."
    )
    command.add_argument("order_id", metavar="ORDER_ID", help="the order id")
    command.option(
        "--out FILE",
        "write it into this file, which must not exist yet, and print only the final hash",
    )
    settings.add(command, quiet="print only the final hash")


def run(args: argparse.Namespace) -> int:
    """Prints the evidence about an order, or writes it into a file."""
    with open_journal(args, asks=False) as client:
        entries = list(client.journal.list(order_id=args.order_id, events=True))
    name = settings.shown(settings.settings(args)["journal"])
    if not entries:
        raise UsageError(
            f"the journal {name} has no order {args.order_id}: check the order id; "
            "`payorder journal list` shows the orders that it has"
        )
    record = lines(
        args.order_id,
        entries,
        {
            "madeAt": time_text(datetime.now(timezone.utc)),
            "madeBy": _MADE_BY,
            "timeZone": _time_zone(),
            "journal": name if settings.in_database(name) else os.path.basename(name),
        },
    )
    if args.json:
        text = "".join(f"{line.text}\n" for line in record)
    else:
        text = page(record)
    if args.out is not None:
        _save(args.out, text)
    elif not args.quiet:
        write(text)
        return DONE
    final_hash = record[-1].sha256
    print_line(json.dumps({"finalHash": final_hash}) if args.json else final_hash)
    if args.out is not None and not args.quiet:
        print_note(f"{args.out} has the evidence; note its final hash in another place")
    return DONE


def _save(path: str, text: str) -> None:
    try:
        file = open(path, "x", encoding="utf-8", newline="\n")
    except FileExistsError:
        raise UsageError(f"{path} exists already: name another file") from None
    except OSError as error:
        raise _not_written(path, error) from None
    try:
        with file:
            file.write(text)
    except OSError as error:
        # A part of it could be taken for all of it.
        os.unlink(path)
        raise _not_written(path, error) from None


def _not_written(path: str, error: OSError) -> UsageError:
    return UsageError(f"{path} cannot be written: {error.strerror}")


def _time_zone() -> str:
    """The machine's time zone, such as IST (UTC+05:30)."""
    now = time.localtime()
    sign = "-" if now.tm_gmtoff < 0 else "+"
    hours, minutes = divmod(abs(now.tm_gmtoff) // 60, 60)
    return f"{now.tm_zone} (UTC{sign}{hours:02}:{minutes:02})"

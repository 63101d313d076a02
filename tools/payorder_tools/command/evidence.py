"""`payorder evidence` and `payorder verify-evidence`: what is known about an order."""

from __future__ import annotations

import argparse
import json
import os
import re
import time
from datetime import datetime, timezone
from typing import Any

from .. import __version__
from payorder._times import time_text
from . import settings
from .evidence_page import page, verified_page
from .evidence_record import Changed, has_records, lines
from .exits import DONE, NOT_PAID, UsageError
from .inputs import open_text, unreadable
from .journal import open_journal
from .output import print_line, print_note, warn, write

_MADE_BY = f"payorder {__version__}"


def add(commands: Any) -> None:
    """Adds the two subcommands and their arguments."""
    command = commands.add_parser(
        "evidence",
        help="print what the journal knows about an order, for a dispute",
        description="Prints what the journal that --journal or PAYORDER_JOURNAL names knows about "
        "an order: when it was sent, to which server, what came back, and what was learned later. "
        "Each line has a hash, so that later changes show. The service is not asked.",
    )
    command.add_argument("order_id", metavar="ORDER_ID", help="the order id")
    command.option(
        "--out FILE",
        "write it into this file, which must not exist yet, and print only the final hash",
    )
    settings.add(command, quiet="print only the final hash")
    command.set_defaults(run=run)
    checking = commands.add_parser(
        "verify-evidence",
        help="check that evidence was not changed",
        description="Checks the hashes of a page or a record that `payorder evidence` made. It "
        "names the first line that was changed, removed or added. It needs no settings.",
    )
    checking.add_argument("file", metavar="FILE", help='the file, or "-" for stdin')
    checking.option(
        "--hash HASH",
        "a hash that was noted earlier, or its first 12 digits: check that a line has it",
        type=_hash,
    )
    settings.add_quiet(checking, "print nothing if it was not changed")
    settings.add_json(checking)
    checking.set_defaults(run=run_verify)


def run(args: argparse.Namespace) -> int:
    """Prints the evidence about an order, or writes it into a file."""
    with open_journal(args, asks=False) as client:
        entries = list(client.journal.list(order_id=args.order_id, events=True))
    path = settings.settings(args)["journal"]
    if not entries:
        raise UsageError(
            f"the journal {path} has no order {args.order_id}: check the order id; "
            "`payorder journal list` shows the orders that it has"
        )
    record = lines(
        args.order_id,
        entries,
        {
            "madeAt": time_text(datetime.now(timezone.utc)),
            "madeBy": _MADE_BY,
            "timeZone": _time_zone(),
            "journal": os.path.basename(path),
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


def run_verify(args: argparse.Namespace) -> int:
    """Checks saved evidence."""
    text = _read(args.file)
    if not has_records(text):
        raise UsageError(
            f"{args.file} is not evidence: it has no line that `payorder evidence` makes"
        )
    try:
        record = verified_page(text)
    except Changed as changed:
        if args.json:
            line = {"unchanged": False, "line": changed.line, "problem": str(changed)}
            print_line(json.dumps(line))
        else:
            warn(f"CHANGED: {changed}")
        return NOT_PAID
    order_id, final_hash = record[0].content.get("orderId"), record[-1].sha256
    noted = args.hash
    as_noted = noted is None or any(line.sha256.startswith(noted) for line in record)
    if args.json:
        result = {"unchanged": as_noted, "orderId": order_id, "finalHash": final_hash}
        print_line(json.dumps(result))
    elif not as_noted:
        warn(
            f"CHANGED: no line has the hash {noted}: this is about something else, or it was made "
            "again after a change"
        )
    elif not args.quiet:
        print_line(f"not changed: {len(record)} lines about order {order_id}")
        print_line(f"final hash: {final_hash}")
        if noted is None:
            print_line("Compare it with the final hash that was noted earlier.")
    return DONE if as_noted else NOT_PAID


def _read(path: str) -> str:
    name = "standard input" if path == "-" else path
    try:
        with open_text(path, name) as file:
            text = file.read()
    except OSError as error:
        raise unreadable(name, error) from None
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise UsageError(
            f"{name} is not UTF-8 text: make the evidence with --out", "not_utf8"
        ) from None
    return text


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


def _hash(text: str) -> str:
    if re.fullmatch("[0-9a-fA-F]{12,64}", text) is None:
        raise argparse.ArgumentTypeError("must be 12 to 64 hexadecimal digits")
    return text.lower()

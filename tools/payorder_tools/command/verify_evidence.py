"""`payorder verify-evidence`: whether evidence about an order was changed."""

from __future__ import annotations

import argparse
import json
import re

from . import settings
from .arguments import Parser
from .evidence_page import printable, verified_page
from .evidence_record import Changed, has_records
from .exits import DONE, NOT_PAID, UsageError
from .inputs import open_text, unreadable
from .output import print_line, warn


def add(command: Parser) -> None:
    command.description = (
        "Checks the hashes of a page or a record that `payorder evidence` made. It "
        "names the first line that was changed, removed or added. It needs no settings."
    )
    command.add_argument("file", metavar="FILE", help='the file, or "-" for stdin')
    command.option(
        "--hash HASH",
        "a hash that was noted earlier, or its first 12 digits: check that a line has it",
        type=_hash,
    )
    settings.add_quiet(command, "print nothing if it was not changed")
    settings.add_json(command)


def run(args: argparse.Namespace) -> int:
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
        print_line(f"not changed: {len(record)} lines about order {printable(str(order_id))}")
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


def _hash(text: str) -> str:
    if re.fullmatch("[0-9a-fA-F]{12,64}", text) is None:
        raise argparse.ArgumentTypeError("must be 12 to 64 hexadecimal digits")
    return text.lower()

"""The page of the command line, from its parser."""

import argparse
import re
import sys
from typing import Any, List, Optional, Tuple
from unittest import mock

from .description import PROJECT
from .model import Block, Code, Heading, Page, Paragraph, Terms


def page() -> Page:
    """Loads no library, because it may be for another machine."""
    sys.path[:0] = [str(PROJECT / "bindings" / "python"), str(PROJECT / "tools")]
    sys.modules["payorder._library"] = mock.MagicMock()
    from payorder_tools.command import parser

    whole = parser()
    blocks: List[Block] = [
        Heading("Synopsis"),
        Code("payorder COMMAND [ARGUMENT...]\npython -m payorder COMMAND", "sh"),
        Heading("Description"),
        Paragraph(
            f"{whole.description} The Python package payorder-tools installs this command. With "
            "`--json`, every line of output is one JSON object, and an error is the library's "
            "error object. Credentials are never arguments, because other people on the machine "
            "could see them."
        ),
    ]
    commands = _commands(whole)
    # `payorder doctor` has no arguments of its own, except for what --quiet leaves.
    shared = [row for row in _rows(dict(commands)["doctor"]) if "--quiet" not in row[0]]
    for name, command in commands:
        blocks += [Heading(f"payorder {name}"), *_command(name, command, shared)]
    blocks += [Heading("Options of the commands that use the service"), Terms(shared)]
    blocks += [Heading("Settings and exit status"), *_epilog(whole)]
    blocks += [
        Heading("See also"),
        Paragraph("payorder(7), payorder_create_order, payorder_get_status"),
    ]
    return Page("payorder", "creates payment orders and asks for their status", blocks)


def _commands(parser: Any) -> List[Any]:
    """The subcommands and those in them: their names and parsers."""
    found = []
    for name, command in parser.subcommands().items():
        found.append((name, command))
        found += [(f"{name} {inner}", one) for inner, one in _commands(command)]
    return found


def _rows(command: argparse.ArgumentParser) -> List[Tuple[str, str]]:
    """The arguments of a command, and what they mean."""
    left_out = (argparse._SubParsersAction, argparse._HelpAction)
    actions = (one for one in command._actions if not isinstance(one, left_out))
    return [
        (f"`{_usage(one)}`", str(one.help or "").replace("%%", "%")) for one in actions
    ]


def _command(
    name: str, command: argparse.ArgumentParser, shared: List[Tuple[str, str]]
) -> List[Block]:
    blocks: List[Block] = []
    if command.description:
        blocks.append(Paragraph(" ".join(command.description.split())))
    inner = [f"`payorder {name} {one}`" for one, _ in _commands(command)]
    if inner:
        blocks.append(Paragraph(f"The commands are {', '.join(inner)}."))
    rows = _rows(command)
    if all(row in rows for row in shared):
        rows = [row for row in rows if row not in shared]
    if rows:
        blocks.append(Terms(rows))
    return blocks + _epilog(command)


def _usage(action: argparse.Action) -> str:
    """An argument as it is written."""
    value = action.metavar or "|".join(str(one) for one in action.choices or ())
    if not action.option_strings:
        return str(value or action.dest)
    option = ", ".join(action.option_strings)
    return option if action.nargs == 0 else f"{option} {value or action.dest.upper()}"


def _epilog(command: argparse.ArgumentParser) -> List[Block]:
    """The text after the arguments: paragraphs, and tables of indented rows."""
    blocks: List[Block] = []
    last: Optional[Block] = None
    for line in (command.epilog or "").strip("\n").splitlines():
        if not line.strip():
            last = None
            continue
        row = re.fullmatch(r"  (\S.*?)(?: {2,}(\S.*))?", line)
        if row and isinstance(last, Terms):
            last.rows.append((f"`{row[1]}`", row[2] or ""))
        elif row:
            blocks.append(Terms([(f"`{row[1]}`", row[2] or "")]))
        elif line.startswith("  ") and isinstance(last, Terms):
            name, words = last.rows[-1]
            last.rows[-1] = (name, f"{words} {line.strip()}".strip())
        elif isinstance(last, Paragraph):
            blocks[-1] = Paragraph(f"{last.text} {line}")
        else:
            blocks.append(Paragraph(line))
        last = blocks[-1]
    return blocks

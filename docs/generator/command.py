"""The page of the command line, from its parser."""

import os
import subprocess
import sys
import tempfile
from typing import Any, List
from unittest import mock

from .description import PROJECT
from .model import Block, Code, Heading, Page, Paragraph


def page() -> Page:
    """Loads no library, because it may be for another machine, and writes nothing into the source."""
    with tempfile.TemporaryDirectory() as folder:
        return _page(os.path.join(folder, "bindings", "python"))


def _page(made: str) -> Page:
    """`made` is where the modules go that the description makes."""
    generate = [sys.executable, str(PROJECT / "bindings" / "generate"), "--into", made, "python"]
    subprocess.run(generate, check=True, stdout=subprocess.DEVNULL)
    sys.path[:0] = [str(PROJECT / "bindings" / "python"), str(PROJECT / "tools")]
    sys.modules["payorder._library"] = mock.MagicMock()
    import payorder

    payorder.__path__.append(os.path.join(made, "payorder"))
    from payorder_tools.command import parser

    # A man page is indented on a terminal of 80 columns.
    os.environ["COLUMNS"] = "74"
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
    for name, command in _commands(whole):
        blocks += [
            Heading(f"payorder {name}"),
            Code(command.format_help().rstrip(), "text"),
        ]
    blocks += [
        Heading("Settings and exit status"),
        Code(str(whole.epilog).strip("\n"), "text"),
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

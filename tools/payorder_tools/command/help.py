"""`payorder help`: the help of the command line, or of one command."""

from __future__ import annotations

import argparse
from typing import Any

from .arguments import Parser
from .exits import DONE


def add(commands: Any, whole: Parser) -> None:
    """Adds the subcommand and its argument. `whole` is the parser of the command line."""
    command = commands.add_parser(
        "help",
        help="show this help, or that of a command",
        description="Shows what `payorder --help` or `payorder COMMAND --help` shows.",
    )
    command.add_argument(
        "of",
        nargs="?",
        metavar="COMMAND",
        choices=tuple(commands.choices),
        help="the command (default: an overview)",
    )

    def run(args: argparse.Namespace) -> int:
        (whole if args.of is None else commands.choices[args.of]).print_help()
        return DONE

    command.set_defaults(run=run)

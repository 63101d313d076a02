"""`payorder help`: the help of the command line, or of one command."""

from __future__ import annotations

import argparse

from . import COMMANDS, parser
from .arguments import Parser
from .exits import DONE


def add(command: Parser) -> None:
    command.description = "Shows what `payorder --help` or `payorder COMMAND --help` shows."
    command.add_argument(
        "of",
        nargs="?",
        metavar="COMMAND",
        choices=tuple(COMMANDS),
        help="the command (default: an overview)",
    )


def run(args: argparse.Namespace) -> int:
    """Prints the help, which ends the command."""
    parser().parse_args([*filter(None, [args.of]), "--help"])
    return DONE

"""The command `payorder`, for people and scripts.

Each subcommand is a module: `add` defines its arguments; `run` does the work and returns the exit
status.
"""

from __future__ import annotations

import argparse
import sys
from typing import List, Optional, Union

from .. import __version__
from . import (
    certify,
    completions,
    create,
    doctor,
    error_pages,
    evidence,
    help,
    journal,
    reconcile,
    recover,
    sandbox,
    status,
    verify_certificate,
    wait,
)
from .arguments import Parser, wants_json
from .exits import DONE, EXITS, OrderState, UsageError, exit_status
from .failures import explain, explain_order
from .log_lines import show_log_lines
from .output import flush, output_failed, prepare_streams, print_note
from .settings import HELP as SETTINGS_HELP

_EPILOG = f"""{SETTINGS_HELP}
exit status
{EXITS}"""


def parser() -> Parser:
    """The parser of the command line."""

    def formatter(prog: str) -> argparse.HelpFormatter:
        return argparse.RawDescriptionHelpFormatter(prog, max_help_position=28)

    whole = Parser(
        prog="payorder",
        description="Creates payment orders and asks for their status. After a failure, it says "
        "whether the order may exist.",
        epilog=_EPILOG,
        formatter_class=formatter,
    )
    whole.add_argument("--version", action="version", version=f"payorder {__version__}")
    commands = whole.add_subparsers(
        dest="command", metavar="COMMAND", parser_class=Parser
    )
    for module in (
        create,
        status,
        wait,
        reconcile,
        journal,
        recover,
        evidence,
        doctor,
        error_pages,
        sandbox,
        certify,
        verify_certificate,
    ):
        module.add(commands)
    completions.add(commands, whole)
    help.add(commands, whole)
    return whole


def main(arguments: Optional[List[str]] = None) -> int:
    """Runs the command and returns its exit status."""
    prepare_streams()
    if arguments is None:
        arguments = sys.argv[1:]
    order = OrderState()
    ended: Union[int, BaseException]
    try:
        ended = _run(arguments, order)
    except SystemExit as end:
        # After --help and --version.
        ended = end.code if isinstance(end.code, int) else DONE
    except BaseException as error:
        ended = error
        explain(error, wants_json(arguments), order)
    flush()
    if order.url is not None and (ended != DONE or not order.shown):
        explain_order(order)
    return exit_status(ended, order, output_failed())


def _run(arguments: List[str], order: OrderState) -> int:
    whole = parser()
    args = whole.parse_args(arguments)
    if args.command is None:
        print_note(whole.format_help())
        raise UsageError("no command was given, so nothing was sent")
    args.order_state = order
    if getattr(args, "verbose", False):
        show_log_lines()
    ended: int = args.run(args)
    return ended

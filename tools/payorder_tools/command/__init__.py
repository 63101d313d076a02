"""The command `payorder`, for people and scripts.

Each subcommand is a module: `add` defines its arguments; `run` does the work and returns the exit
status.
"""

from __future__ import annotations

import argparse
import sys
from typing import List, Optional, Union

from .. import __version__
from .arguments import Parser, wants_json
from .exits import DONE, EXITS, OrderState, UsageError, exit_status
from .failures import explain_failure, explain_order
from .output import flush, output_failed, prepare_streams, print_note
from .settings import HELP as SETTINGS_HELP, given as settings_given

#: The subcommands in the order of the help. The module of one is imported when it is used, because
#: most of the time of a short command is the time in which it starts.
COMMANDS = {
    "create": "create an order and show where the customer pays",
    "status": "ask for the status of an order",
    "wait": "wait until an order is paid",
    "reconcile": "check a file of orders and amounts against the service",
    "journal": "list, resolve, settle or prune the journal of orders",
    "recover": "after a start or a crash, say what is known about each open sale",
    "evidence": "print what the journal knows about an order, for a dispute",
    "verify-evidence": "check that evidence was not changed",
    "doctor": "find out why the service cannot be reached",
    "explain": "say what an error means and what to do",
    "sandbox": "run a simulation of the service on this machine",
    "certify": "test your till against the sandbox",
    "verify-certificate": "check a certificate of `payorder certify --certificate`",
    "completions": "print a script with which a shell completes the arguments",
    "help": "show this help, or that of a command",
}


def parser() -> Parser:
    """The parser of the command line."""

    def formatter(prog: str) -> argparse.HelpFormatter:
        return argparse.RawDescriptionHelpFormatter(prog, max_help_position=28)

    whole = Parser(
        prog="payorder",
        description="Creates payment orders and asks for their status. After a failure, it says "
        "whether the order may exist.",
        epilog=f"{SETTINGS_HELP}\nexit status\n{EXITS}",
        formatter_class=formatter,
    )
    whole.add_argument("--version", action="version", version=f"payorder {__version__}")
    commands = whole.add_subparsers(dest="command", metavar="COMMAND")
    for name, what in COMMANDS.items():
        commands.add_parser(name, help=what).module = name.replace("-", "_")
    return whole


def main(arguments: Optional[List[str]] = None) -> int:
    """Runs the command and returns its exit status."""
    if arguments is None:
        arguments = sys.argv[1:]
    as_json = wants_json(arguments)
    prepare_streams(as_json)
    order = OrderState()
    ended: Union[int, BaseException]
    try:
        ended = _run(arguments, order)
    except SystemExit as end:
        # After --help and --version.
        ended = end.code if isinstance(end.code, int) else DONE
    except BaseException as error:
        ended = error
        explain_failure(error, as_json, order)
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
    order.settings = settings_given(args)
    if hasattr(args, "verbose"):
        from .log_lines import show_log_lines

        show_log_lines(args.verbose)
    ended: int = args.run(args)
    return ended

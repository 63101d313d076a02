"""The command `payorder`: what people and nightly jobs do with orders.

Each subcommand is a module: `add` describes its arguments, `run` does the work and gives the exit
status.
"""

from __future__ import annotations

import argparse
import logging
import sys
from typing import Any, List, NoReturn, Optional, Union

from .. import __version__
from . import create, doctor, journal, reconcile, sandbox, status, wait
from .exits import DONE, EXITS, OrderState, UsageError, exit_status
from .failures import explain, explain_order
from .output import flush, output_is_lost, prepare_streams, write
from .settings import HELP as SETTINGS_HELP

_EPILOG = f"""{SETTINGS_HELP}
exit status
{EXITS}"""


class _Parser(argparse.ArgumentParser):
    """Its usage errors are exceptions, and it notices output that is lost."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}; see {self.prog} --help")

    def _print_message(self, message: str, file: Any = None) -> None:
        write(message)


def parser() -> argparse.ArgumentParser:
    """All arguments of the command."""

    def formatter(prog: str) -> argparse.HelpFormatter:
        return argparse.RawDescriptionHelpFormatter(prog, max_help_position=28)

    whole = _Parser(
        prog="payorder",
        description="Creates payment orders, asks for their status, and says what a failure "
        "means for the money.",
        epilog=_EPILOG,
        formatter_class=formatter,
        allow_abbrev=False,
    )
    whole.add_argument("--version", action="version", version=f"payorder {__version__}")
    commands = whole.add_subparsers(
        dest="command", metavar="COMMAND", required=True, parser_class=_Parser
    )
    for module in (create, status, wait, reconcile, journal, doctor, sandbox):
        module.add(commands)
    return whole


def main(arguments: Optional[List[str]] = None) -> int:
    """Runs the command, and gives its exit status."""
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
        explain(error, "--json" in arguments, order)
    flush()
    if order.url is not None and (ended != DONE or not order.shown):
        explain_order(order)
    return exit_status(ended, order, output_is_lost())


def _run(arguments: List[str], order: OrderState) -> int:
    given = parser().parse_args(arguments)
    given.order_state = order
    if getattr(given, "verbose", False):
        logging.basicConfig(
            stream=sys.stderr, level=logging.DEBUG, format="%(message)s"
        )
    ended: int = given.run(given)
    return ended

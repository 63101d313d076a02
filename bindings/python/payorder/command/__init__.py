"""The command `payorder`: what a merchant's people do by hand, and by night.

One module a subcommand: `add` describes its arguments, `run` does it and gives the exit status.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
from typing import List, NoReturn, Optional

from .. import __version__
from .._text import NotText
from ..errors import PayorderError
from . import create, doctor, journal, reconcile, sandbox, status, wait
from .output import EXITS, INTERRUPTED, NOT_SENT, UNKNOWN, Unusable, complain, fail
from .settings import HELP as SETTINGS_HELP

_EPILOG = f"""{SETTINGS_HELP}
exit status
{EXITS}"""


class _Parser(argparse.ArgumentParser):
    """Usage errors end with what "nothing was sent" ends with: argparse's own 2 is a refusal of the service here."""

    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        complain(message)
        sys.exit(NOT_SENT)


def parser() -> argparse.ArgumentParser:
    """All arguments of the command."""

    def shape(prog: str) -> argparse.HelpFormatter:
        return argparse.RawDescriptionHelpFormatter(prog, max_help_position=28)

    whole = _Parser(
        prog="payorder",
        description="Makes payment orders, asks what became of them, and knows what a failure means for the money.",
        epilog=_EPILOG,
        formatter_class=shape,
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
    _make_writable()
    given = parser().parse_args(arguments)
    if getattr(given, "verbose", False):
        logging.basicConfig(
            stream=sys.stderr, level=logging.DEBUG, format="%(message)s"
        )
    try:
        ended: int = given.run(given)
        sys.stdout.flush()
        return ended
    except PayorderError as error:
        return fail(error, given)
    except (NotText, Unusable) as error:
        complain(str(error))
        return NOT_SENT
    except KeyboardInterrupt:
        complain("interrupted")
        return INTERRUPTED
    except OSError as error:
        # Nor is Python to try again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            complain(f"the output cannot be written: {error.strerror or error}")
        return UNKNOWN


def _make_writable() -> None:
    """What is to be said is said, in whatever the terminal can show, and no lack of a terminal ends a command half-way."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")

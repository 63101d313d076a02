"""`payorder completions`: scripts with which a shell completes the command's arguments.

shtab makes them from the parser of the arguments, so they have what the command has.
"""

from __future__ import annotations

import argparse
from typing import Any

from . import parser
from .arguments import Parser
from .exits import DONE, UsageError
from .explain import codes
from .output import write

_SHELLS = ("bash", "zsh", "fish")
#: How the usage names a value that is a file, and one that is a result or a cause.
_FILES = ("FILE", "FILE.csv", "ORDER.json")
_CODE = "CODE"

_EPILOG = """\
how to install the completions
  bash  payorder completions bash >~/.local/share/bash-completion/completions/payorder
  zsh   payorder completions zsh >~/.zsh/_payorder, with fpath=(~/.zsh $fpath) in ~/.zshrc
        before compinit
  fish  payorder completions fish >~/.config/fish/completions/payorder.fish
"""


def add(command: Parser) -> None:
    command.description = (
        "Prints a script with which the shell completes commands, options, their\n"
        "values and the names of files. The Python package shtab makes it."
    )
    command.epilog = _EPILOG
    command.formatter_class = argparse.RawDescriptionHelpFormatter
    command.add_argument("shell", choices=_SHELLS, help="your shell")


def run(args: argparse.Namespace) -> int:
    """Prints the script."""
    try:
        import shtab

        known = args.shell in shtab.SUPPORTED_SHELLS
    except ImportError:
        known = False
    if not known:
        raise UsageError(
            "the completions are made by the Python package shtab, version 1.9 or later: "
            "pip install 'shtab>=1.9'"
        )
    whole = parser()
    _describe_values(whole, shtab.FILE)
    write(shtab.complete(whole, shell=args.shell))
    return DONE


def _describe_values(command: Parser, file: Any) -> None:
    """Says which values are files and codes. `file` is how shtab completes the former."""
    for action in command._actions:
        if action.metavar in _FILES:
            action.complete = file  # type: ignore[attr-defined]
        elif action.metavar == _CODE:
            action.choices = tuple(codes())
    for one in command.subcommands().values():
        _describe_values(one, file)

"""`payorder completions`: scripts with which a shell completes the command's arguments.

They are made from the parser of the arguments, so they have what the command has.
"""

from __future__ import annotations

import argparse
from typing import Any, List, Tuple

from . import error_pages, shells
from .arguments import Parser
from .exits import DONE
from .output import write
from .shells import Command, Option, Values

_SHELLS = {"bash": shells.bash, "zsh": shells.zsh, "fish": shells.fish}

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


def add(commands: Any, whole: Parser) -> None:
    """Adds the subcommand and its arguments. `whole` is the parser of the command line."""
    command = commands.add_parser(
        "completions",
        help="print a script with which a shell completes the arguments",
        description="Prints a script with which the shell completes commands, options, their\n"
        "values and the names of files.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    command.add_argument("shell", choices=tuple(_SHELLS), help="your shell")

    def run(args: argparse.Namespace) -> int:
        write(_SHELLS[args.shell](_commands(whole, "payorder")))
        return DONE

    command.set_defaults(run=run)


def _commands(parser: Parser, name: str) -> List[Command]:
    """What can follow a command, and each of the commands in it."""
    options: List[Option] = []
    operand = Values()
    inner: List[Tuple[str, str]] = []
    for action in parser._actions:
        words = (action.help or "").replace("%%", "%")
        if isinstance(action, argparse._SubParsersAction):
            inner = [(one.dest, one.help or "") for one in action._choices_actions]
        elif not action.option_strings:
            operand = _values(action)
        else:
            values = None if action.nargs == 0 else _values(action)
            options.append(Option(tuple(action.option_strings), words, values))
    found = [Command(name, options, operand, inner)]
    for one, its_parser in parser.subcommands().items():
        found += _commands(its_parser, f"{name} {one}")
    return found


def _values(action: argparse.Action) -> Values:
    if action.choices is not None:
        return Values(tuple(str(choice) for choice in action.choices))
    if action.metavar == _CODE:
        return Values(tuple(error_pages.codes()))
    return Values(files=action.metavar in _FILES)

"""The parser of arguments: reports errors as exceptions, with a suggestion."""

from __future__ import annotations

import argparse
import itertools
import re
from importlib import import_module
from typing import Any, Dict, List, NoReturn

from .exits import UsageError
from .output import write
from .suggestions import did_you_mean


def wants_json(arguments: List[str]) -> bool:
    """Whether the arguments ask for JSON on standard output, even if they are invalid."""
    if arguments[:1] == ["certify"]:
        # Its --json names a file.
        return False
    own = itertools.takewhile(lambda one: one != "--", arguments)
    return any(one == "--json" or re.fullmatch("-[jqv]*j[jqv]*", one) for one in own)


class Parser(argparse.ArgumentParser):
    """Raises usage errors as exceptions, and writes through `output`."""

    #: The module that has the arguments, if they are not added yet.
    module = ""

    def __init__(self, **given: Any) -> None:
        super().__init__(allow_abbrev=False, **given)

    def option(self, usage: str, help: str, **more: Any) -> None:
        """Adds an option, which `usage` shows: "-q --quiet" or "-o --order-id ID"."""
        words = usage.split()
        if not words[-1].startswith("-"):
            more["metavar"] = words.pop()
        elif "choices" not in more:
            more["action"] = "store_true"
        self.add_argument(*words, help=help, **more)

    def error(self, message: str) -> NoReturn:
        # A suggestion ends with a question mark, and needs no further advice.
        advice = "" if message.endswith("?") else f"; see {self.prog} --help"
        raise UsageError(message + advice)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        self.load()
        # First, because argparse would take the value of an unknown option for an argument.
        self._refuse_unknown_options(args or [])
        return super().parse_known_args(args, namespace)

    def load(self) -> None:
        """Imports the module of a subcommand and adds its arguments."""
        if self.module:
            module = import_module(f".{self.module}", __package__)
            self.module = ""
            module.add(self)
            self.set_defaults(run=module.run)

    def subcommands(self) -> Dict[str, Parser]:
        """The parsers of the subcommands with their arguments, by their names."""
        found: Dict[str, Parser] = {}
        for action in self._actions:
            if isinstance(action, argparse._SubParsersAction):
                found.update(action.choices)
        for one in found.values():
            one.load()
        return found

    def _refuse_unknown_options(self, arguments: List[str]) -> None:
        has_commands = self._subparsers is not None
        for argument in arguments:
            if argument == "--" or (has_commands and not argument.startswith("-")):
                # What follows has no options, or is the subcommand's.
                return
            name = argument.split("=", 1)[0]
            known = name in self._option_string_actions
            if known or not argument.startswith("-") or argument == "-":
                continue
            if self._are_short_options(argument):
                continue
            # argparse takes these for values.
            if " " in argument or self._negative_number_matcher.match(argument):
                continue
            for one in self.subcommands().values():
                if name in one._option_string_actions:
                    self.error(f"the option {name} must follow the name of the command")
            self.error(f"unknown option {name}" + did_you_mean(name, self._option_string_actions))

    def _are_short_options(self, argument: str) -> bool:
        """Whether it is `-jq`, which means `-j -q`, or `-oORD-1`, which means `-o ORD-1`."""
        if f"-{argument}" in self._option_string_actions:
            # `-order-id` is a typing mistake, not the order id "rder-id".
            return False
        for letter in argument[1:]:
            action = self._option_string_actions.get(f"-{letter}")
            if action is None or action.nargs != 0:
                return action is not None
        return True

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is None or value in action.choices:
            return
        names = [str(choice) for choice in action.choices]
        more = did_you_mean(str(value), names) or f"; choose one of {', '.join(names)}"
        raise argparse.ArgumentError(action, f"unknown value {value}{more}")

    def _print_message(self, message: str, file: Any = None) -> None:
        write(message)

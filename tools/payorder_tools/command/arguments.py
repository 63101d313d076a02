"""The parser of arguments: reports errors as exceptions, with a suggestion."""

from __future__ import annotations

import argparse
from typing import Any, Dict, List, NoReturn

from .exits import UsageError
from .output import write
from .suggestions import did_you_mean


class Parser(argparse.ArgumentParser):
    """Raises usage errors as exceptions, and writes through `output`."""

    def error(self, message: str) -> NoReturn:
        # A suggestion ends with a question mark, and needs no further advice.
        advice = "" if message.endswith("?") else f"; see {self.prog} --help"
        raise UsageError(message + advice)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        # First, because argparse would take the value of an unknown option for an argument.
        self._refuse_unknown_options(args or [])
        return super().parse_known_args(args, namespace)

    def subcommands(self) -> Dict[str, Parser]:
        """The parsers of the subcommands, by their names."""
        for action in self._actions:
            if isinstance(action, argparse._SubParsersAction):
                return dict(action.choices)
        return {}

    def _refuse_unknown_options(self, arguments: List[str]) -> None:
        subcommands = self.subcommands()
        for argument in arguments:
            if argument == "--" or (subcommands and not argument.startswith("-")):
                # What follows has no options, or is the subcommand's.
                return
            name = argument.split("=", 1)[0]
            known = name in self._option_string_actions
            if known or not argument.startswith("-") or argument == "-":
                continue
            # argparse takes these for values.
            if " " in argument or self._negative_number_matcher.match(argument):
                continue
            if any(name in one._option_string_actions for one in subcommands.values()):
                self.error(f"the option {name} must follow the name of the command")
            self.error(
                f"unknown option {name}"
                + did_you_mean(name, self._option_string_actions)
            )

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is None or value in action.choices:
            return
        names = [str(choice) for choice in action.choices]
        more = did_you_mean(str(value), names) or f"; choose one of {', '.join(names)}"
        raise argparse.ArgumentError(action, f"unknown value {value}{more}")

    def _print_message(self, message: str, file: Any = None) -> None:
        write(message)

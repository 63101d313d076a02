"""`payorder explain`: what an error or an action means, why it happens, and what to do."""

from __future__ import annotations

import argparse
import json
import re
import sys
from typing import Any, Dict, List

from payorder.errors import NotSentError, RejectedError, error_class
from . import settings
from .arguments import Parser
from .description import description
from .exits import DONE, UsageError
from .failures import ACTIONS
from .output import WIDEST, print_line, terminal_width, wrapped
from .suggestions import did_you_mean

#: What each outcome means for the order.
_OUTCOMES = {
    "done": "the service did what was asked",
    "not_sent": "nothing was sent to the service",
    "rejected": "the service answered and refused the request",
    "unknown": "the order may exist: ask for its status before anything else",
}
#: What to type next, for each `action` whose words do not say it.
_COMMANDS = {
    "fix_configuration": "payorder doctor",
    "check_credentials": "payorder doctor",
    "check_clock": "payorder doctor",
    "ask_status": "payorder status ORDER_ID",
    "use_previous": "payorder wait ORDER_ID",
}
#: When to do so, as the library says it to programs, and for the command line.
_WHEN = {
    "after an unknown outcome of payorder_create_order": "if `payorder create` ended with 5",
    "after payorder_wait_for_payment: the customer can still pay": "after `payorder wait`, because "
    "the customer can still pay",
    "after PAYORDER_INVALID_CONFIG": "if a setting is invalid",
}
_Item = Dict[str, Any]


def add(command: Parser) -> None:
    command.description = (
        "Says what a result, a cause or an action means, why it usually happens, and what to do. "
        "Without an argument, it lists all of them. It needs no settings and sends nothing."
    )
    command.add_argument(
        "code",
        metavar="CODE",
        nargs="?",
        help="the number or the name of a result (200, PAYORDER_TIMEOUT), a cause "
        "(connection_refused), or an action (ask_status)",
    )
    settings.add_json(command)


def run(args: argparse.Namespace) -> int:
    """Prints the page of an error, or the list of all."""
    texts = _Texts()
    pages = texts.pages() if args.code is None else [texts.find(args.code)]
    if args.json:
        for page in pages:
            print_line(json.dumps(page, ensure_ascii=False))
    elif args.code is None:
        _print_list(texts)
    elif "cause" in pages[0]:
        _print_cause(pages[0])
    elif "action" in pages[0]:
        _print_action(pages[0], texts)
    else:
        _print_result(pages[0], texts)
    return DONE


def codes() -> List[str]:
    """The names of all results, causes and actions."""
    texts = _Texts()
    results = (one["name"] for one in texts.results.values())
    return [*texts.causes, *results, *texts.actions]


class _Texts:
    """The lists of results, causes and actions, as the library has them."""

    def __init__(self) -> None:
        lists = description()
        self.results = {one["number"]: one for one in lists["results"]}
        self.causes = {one["name"]: one for one in lists["causes"]}
        self.actions = {one["name"]: one["meaning"] for one in lists["actions"]}
        # The keys of an example in the order of the manual.
        self._keys = [key["key"] for key in lists["objects"]["errorDetails"]["keys"]]

    def pages(self) -> List[_Item]:
        """The pages of all results, causes and actions."""
        return [
            *map(self.of_result, self.results),
            *map(self.of_cause, self.causes),
            *map(self.of_action, self.actions),
        ]

    def of_cause(self, name: str) -> _Item:
        """The page of a cause."""
        cause = self.causes[name]
        error = cause["example"]["error"]
        return {
            "cause": name,
            "meaning": cause["meaning"],
            "reasons": cause["reasons"],
            "steps": cause["steps"],
            "actions": [*map(self._action, [*cause["exceptions"], cause])],
            "results": [self.results[number] for number in cause["results"]],
            "example": {"error": {key: error[key] for key in self._keys if key in error}},
        }

    def _action(self, chosen: _Item) -> _Item:
        """What a program should do: an exception of a cause, or what the cause itself says."""
        action = chosen["action"]
        return {
            "when": chosen.get("when"),
            "action": action,
            "meaning": self.actions[action],
        }

    def of_action(self, name: str) -> _Item:
        """The page of an action, with the names of the causes that can have it."""
        causes = [
            cause["name"]
            for cause in self.causes.values()
            if any(one["action"] == name for one in [cause, *cause["exceptions"]])
        ]
        return {"action": name, "meaning": self.actions[name], "causes": causes}

    def of_result(self, number: int) -> _Item:
        """The page of a result, with the names of its causes."""
        result = self.results[number]
        causes = (one for one in self.causes.values() if number in one["results"])
        return {
            "result": number,
            "name": result["name"],
            "outcome": result["outcome"],
            "meaning": result["meaning"],
            "causes": [cause["name"] for cause in causes],
        }

    def find(self, code: str) -> _Item:
        """The page of a number or a name, in any spelling that fits only one."""
        text = code.strip()
        if text in self.causes:
            return self.of_cause(text)
        if re.fullmatch("[+-]?[0-9]+", text):
            return self._numbered(int(text))
        plain = text.lower().replace("-", "_").replace(" ", "_")
        names = {one["name"].lower(): number for number, one in self.results.items()}
        for name in (plain, f"payorder_{plain}"):
            if name in names:
                return self.of_result(names[name])
        if plain in self.causes:
            return self.of_cause(plain)
        if plain in self.actions:
            return self.of_action(plain)
        more = did_you_mean(text, codes()) or "; see all with `payorder explain`"
        raise UsageError(f"there is no result, cause or action {code!r}{more}")

    def _numbered(self, number: int) -> _Item:
        if number in self.results:
            return self.of_result(number)
        kinds = ((NotSentError, "not_sent"), (RejectedError, "rejected"))
        of_number = [name for kind, name in kinds if issubclass(error_class(number), kind)]
        outcome = _OUTCOMES[(of_number or ["unknown"])[0]]
        raise UsageError(
            f"there is no result {number}; a result with this number, of another version, would "
            f"mean: {outcome}"
        )


def _print_cause(page: _Item) -> None:
    print_line(page["cause"])
    _print_text(_sentence(page["meaning"]))
    _print_points("likely reasons", page["reasons"])
    _print_points("what to do", page["steps"])
    _print_next(page["actions"])
    _print_heading("results with this cause")
    for result in page["results"]:
        outcome = _OUTCOMES[result["outcome"]]
        _print_text(f"{result['number']} {result['name']}: {outcome}")
    _print_heading("an example")
    for line in json.dumps(page["example"], indent=2, ensure_ascii=False).splitlines():
        print_line("  " + line)


def _print_action(page: _Item, texts: _Texts) -> None:
    print_line(page["action"])
    _print_text(_sentence(page["meaning"]))
    _print_next([{"when": None, "action": page["action"]}])
    _print_heading("causes with this action")
    _print_causes(page["causes"], texts)


def _print_next(actions: List[_Item]) -> None:
    _print_heading("what to type next")
    for item in actions:
        when, action = item["when"], item["action"]
        if when is None and len(actions) > 1:
            when = "otherwise"
        words = ACTIONS.get(action, "nothing")
        _print_text(f"{_WHEN.get(when, when)}: {words}" if when else words, "  - ")
        if action in _COMMANDS:
            print_line(f"      {_COMMANDS[action]}")


def _print_causes(names: List[str], texts: _Texts) -> None:
    _print_rows({name: texts.causes[name]["meaning"] for name in names})
    print_line("\n`payorder explain CAUSE` says more about each.")


def _print_result(page: _Item, texts: _Texts) -> None:
    print_line(f"{page['result']} {page['name']}")
    _print_text(_sentence(page["meaning"]))
    _print_heading("what happened")
    _print_text(_sentence(_OUTCOMES[page["outcome"]]))
    if len(page["causes"]) == 1:
        print_line("\nIt has one cause:\n")
        _print_cause(texts.of_cause(page["causes"][0]))
    elif page["causes"]:
        _print_heading("causes")
        _print_causes(page["causes"], texts)


def _print_list(texts: _Texts) -> None:
    print_line("results")
    results = texts.results.values()
    _print_rows({f"{one['number']} {one['name']}": one["meaning"] for one in results})
    _print_heading("causes")
    _print_rows({name: one["meaning"] for name, one in texts.causes.items()})
    _print_heading("actions")
    _print_rows(texts.actions)
    print_line("\n`payorder explain CODE` says more about each.")


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def _print_heading(text: str) -> None:
    print_line(f"\n{text}")


def _print_points(heading: str, texts: List[str]) -> None:
    _print_heading(heading)
    for text in texts:
        _print_text(text, "  - ")


def _print_rows(rows: Dict[str, str]) -> None:
    """Names and meanings, in two columns."""
    width = max(map(len, rows)) + 2
    for name, meaning in rows.items():
        _print_text(meaning, f"  {name:<{width}}")


def _print_text(text: str, begin: str = "  ") -> None:
    """Wraps a text at the width of the terminal. A URL or a path is not broken."""
    width = max(min(terminal_width(sys.stdout), WIDEST), len(begin) + 24)
    for line in wrapped(text, begin, " " * len(begin), width):
        print_line(line)

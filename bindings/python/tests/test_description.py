"""The package has every result, cause, action, key and option of payorder-abi.json."""

from __future__ import annotations

import dataclasses
import inspect
import json
import re
import unittest
from pathlib import Path
from typing import Any, Callable, Dict, List

import payorder
from payorder._text import python_name, wire_name
from payorder.journals import Journal, JournalEntry

#: In a checkout of the library, and in an installed package.
PLACES = (
    Path(__file__).resolve().parents[3] / "include" / "payorder-abi.json",
    Path(payorder.__file__).resolve().parent / "include" / "payorder-abi.json",
)

#: The options of a C function, as keyword arguments.
METHODS: Dict[str, Callable[..., object]] = {
    "payorder_create_order": payorder.Client.create_order,
    "payorder_get_status": payorder.Client.get_status,
    "payorder_wait_for_payment": payorder.Client.wait_for_payment,
    "payorder_get_statuses": payorder.Client.get_statuses,
    "payorder_journal_list": Journal.list,
    "payorder_journal_resolve": Journal.resolve,
    "payorder_journal_settle": Journal.settle,
    "payorder_journal_prune": Journal.prune,
}


def keywords(function: Callable[..., object]) -> List[str]:
    return [wire_name(name) for name in inspect.signature(function).parameters]


class Description(unittest.TestCase):
    description: Dict[str, Any]

    @classmethod
    def setUpClass(cls) -> None:
        for place in PLACES:
            if place.is_file():
                cls.description = json.loads(place.read_text(encoding="utf-8"))
                return
        raise unittest.SkipTest("no payorder-abi.json in reach")

    def names(self, kind: str) -> List[str]:
        return [one["name"] for one in self.description[kind]]

    def test_results_have_their_names_and_numbers(self) -> None:
        listed = {
            one["name"]: one["number"]
            for one in self.description["results"]
            if one["number"] >= 0
        }
        known = {f"PAYORDER_{one.name}": one.value for one in payorder.Result}
        self.assertEqual(known, listed)

    def test_causes_and_actions_are_all_known(self) -> None:
        self.assertEqual([one.value for one in payorder.Cause], self.names("causes"))
        self.assertEqual([one.value for one in payorder.Action], self.names("actions"))

    def test_every_cause_has_the_meaning_as_its_comment(self) -> None:
        source = inspect.getsource(payorder.Cause)
        for cause in self.description["causes"]:
            name, meaning = cause["name"], cause["meaning"]
            with self.subTest(name):
                lines = source.splitlines()
                place = lines.index(f'    {name.upper()} = "{name}"')
                comment = lines[place - 1].strip()
                # Comments in causes.py use Python's names.
                meaning = re.sub(
                    r"`(\w+)`", lambda found: f"`{python_name(found[1])}`", meaning
                )
                self.assertEqual(comment, f"#: {meaning}")

    def test_every_configuration_key_is_an_argument(self) -> None:
        known = keywords(payorder.Client.__init__)
        for setting in self.description["config"]:
            self.assertIn(setting["key"], known)

    def test_every_option_is_an_argument(self) -> None:
        functions = {one["name"]: one for one in self.description["functions"]}
        for name, method in METHODS.items():
            for option in functions[name]["options"]:
                with self.subTest(f"{name} {option['key']}"):
                    self.assertIn(option["key"], keywords(method))

    def test_every_key_of_an_entry_is_a_field(self) -> None:
        keys = [key["key"] for key in self.description["objects"]["entry"]["keys"]]
        fields = [wire_name(field.name) for field in dataclasses.fields(JournalEntry)]
        self.assertEqual(fields, keys)

"""The package has every key and option of payorder-abi.json."""

from __future__ import annotations

import dataclasses
import inspect
import json
import unittest
from pathlib import Path
from typing import Any, Callable, Dict, List

import payorder
from payorder._text import wire_name
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


#: Create Order uses one credential, and the queries the others.
CREDENTIALS = {"accessToken", "clientKey", "clientId", "secretKey"}


def keywords(function: Callable[..., object]) -> List[str]:
    """The library's names of the arguments. Times are in seconds here."""
    known = [wire_name(name) for name in inspect.signature(function).parameters]
    return known + [f"{name}Ms" for name in known]


class Description(unittest.TestCase):
    description: Dict[str, Any]

    @classmethod
    def setUpClass(cls) -> None:
        for place in PLACES:
            if place.is_file():
                cls.description = json.loads(place.read_text(encoding="utf-8"))
                return
        raise unittest.SkipTest("no payorder-abi.json in reach")

    def test_every_configuration_key_is_an_argument(self) -> None:
        known = keywords(payorder.Client.__init__)
        for setting in self.description["config"]:
            self.assertIn(setting["key"], known)

    def test_every_option_is_an_argument(self) -> None:
        functions = {one["name"]: one for one in self.description["functions"]}
        for name, method in METHODS.items():
            options = {option["key"] for option in functions[name]["options"]}
            own = CREDENTIALS & set(keywords(method))
            if CREDENTIALS <= options:
                creates = name == "payorder_create_order"
                only = {"accessToken"}
                self.assertEqual(own, only if creates else CREDENTIALS - only)
            self.assertEqual(options - set(keywords(method)) - CREDENTIALS, set(), name)

    def test_every_key_of_an_entry_is_a_field(self) -> None:
        keys = [key["key"] for key in self.description["objects"]["entry"]["keys"]]
        fields = [wire_name(field.name) for field in dataclasses.fields(JournalEntry)]
        self.assertEqual(fields, keys)

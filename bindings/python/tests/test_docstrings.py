"""Docstrings name every parameter and attribute, with its default and its unit."""

from __future__ import annotations

import inspect
import re
import unittest
from dataclasses import is_dataclass
from typing import Any, Dict, Iterator, List, Set, Tuple

import payorder
from payorder import aio
from payorder._text import python_name
from payorder_tools import testing

from .abi import description

#: The modules whose public names a program uses.
MODULES = (payorder, aio, testing, payorder.reconciliation)
#: The methods with options that have ranges, by the library's function.
CALLS: Dict[str, Any] = {
    "create_order": payorder.Client.create_order,
    "get_status": payorder.Client.get_status,
    "wait_for_payment": payorder.Client.wait_for_payment,
    "get_statuses": payorder.Client.get_statuses,
    "journal_resolve": payorder.Journal.resolve,
    "journal_prune": payorder.Journal.prune,
}
#: How an entry says what a number counts.
UNITS = re.compile(r"\b(seconds|milliseconds|bytes|days|number of|per second|how many)")
#: Numbers that are names.
IDENTIFIERS = {"entry", "after", "index", "result", "http_status"}


def classes() -> Iterator[Tuple[str, type]]:
    for module in MODULES:
        for name in module.__all__:
            one = getattr(module, name)
            if inspect.isclass(one) and one.__module__.startswith("payorder"):
                yield f"{module.__name__}.{name}", one


def functions() -> Iterator[Tuple[str, Any]]:
    """Every public function and method, and the constructors that a program calls."""
    for module in MODULES:
        for name in module.__all__:
            if inspect.isfunction(getattr(module, name)):
                yield f"{module.__name__}.{name}", getattr(module, name)
    for name, one in classes():
        # Its methods are described at Client.
        for inner, member in (
            vars(one).items() if one is not payorder.PaymentClient else ()
        ):
            member = getattr(member, "__func__", member)
            if not inspect.isfunction(member):
                continue
            # Programs do not create errors and results, and a dataclass documents its attributes.
            constructor = inner == "__init__" and not is_dataclass(one)
            if not inner.startswith("_") or (constructor and member.__doc__):
                yield f"{name}.{inner}", member


def section(documented: Any, title: str) -> Dict[str, str]:
    """The entries of one section of a docstring in Google's style."""
    text = inspect.getdoc(documented) or ""
    found = re.search(rf"^{title}:\n((?:    .*\n|\n)*)", text + "\n", re.MULTILINE)
    entries: Dict[str, str] = {}
    for line in (found[1] if found else "").splitlines():
        begins = re.match(r"    (\w+): (.*)", line)
        if begins:
            entries[begins[1]] = begins[2]
        elif line.strip():
            last = list(entries)[-1]
            entries[last] += " " + line.strip()
    return entries


def parameters(function: Any) -> List[inspect.Parameter]:
    return [
        one
        for one in inspect.signature(function).parameters.values()
        if one.name not in ("self", "cls")
    ]


class Docstrings(unittest.TestCase):
    def test_every_parameter_is_described_once_and_no_other(self) -> None:
        for name, function in functions():
            with self.subTest(name):
                self.assertEqual(
                    list(section(function, "Args")),
                    [one.name for one in parameters(function)],
                )

    def test_every_parameter_has_its_default_or_is_required(self) -> None:
        for name, function in functions():
            described = section(function, "Args")
            for one in parameters(function):
                if one.default is not one.empty:
                    with self.subTest(name, parameter=one.name):
                        self.assertRegex(
                            described.get(one.name, ""), r"Default: .+\.$|Required\.$"
                        )

    def test_every_number_has_its_unit(self) -> None:
        counted = 0
        for name, function in functions():
            described = section(function, "Args")
            numbers = [one for one in parameters(function) if number(one.annotation)]
            for one in numbers:
                if one.name not in IDENTIFIERS:
                    counted += 1
                    text = described.get(one.name, "")
                    with self.subTest(name, parameter=one.name):
                        self.assertRegex(text.lower(), UNITS)
        self.assertGreater(counted, 20)

    def test_every_attribute_is_described_with_its_unit(self) -> None:
        counted = 0
        for name, one in classes():
            own: Set[str] = {
                attribute
                for attribute in vars(one).get("__annotations__", {})
                if not attribute.startswith("_")
            }
            # The settings are described at Client.
            if not own or one is payorder.Config:
                continue
            counted += 1
            described = section(one, "Attributes")
            with self.subTest(name):
                self.assertLessEqual(own, set(described))
                extra = set(described) - own
                self.assertLessEqual(extra, {"raw"}, "attributes that do not exist")
            for attribute, annotation in vars(one)["__annotations__"].items():
                if number(str(annotation)) and attribute not in IDENTIFIERS:
                    with self.subTest(name, attribute=attribute):
                        text = described.get(attribute, "").lower()
                        self.assertRegex(text, UNITS)
        self.assertGreater(counted, 10)

    def test_ranges_and_defaults_are_the_librarys(self) -> None:
        abi = description()
        options = {one["name"]: one.get("options", []) for one in abi["functions"]}
        checked = 0
        for function, described in [
            (payorder.Client.__init__, abi["config"]),
            *((method, options[f"payorder_{name}"]) for name, method in CALLS.items()),
        ]:
            texts = section(function, "Args")
            for one in described:
                in_ms = one["key"].endswith("Ms")
                key = one["key"][:-2] if in_ms else one["key"]
                text = texts.get(python_name(key), "")
                if not text or "maximum" not in one:
                    continue
                checked += 1
                least, most, default = (
                    value / 1000 if in_ms and value is not None else value
                    for value in (one["minimum"], one["maximum"], one.get("default"))
                )
                with self.subTest(function.__qualname__, key=one["key"]):
                    self.assertIn(f"{least:.12g} to {most:.12g}", text)
                    if default is not None:
                        self.assertIn(f"Default: {default:.12g}.", text)
        self.assertGreater(checked, 15)

    def test_functions_say_what_they_return(self) -> None:
        for name, function in functions():
            returned = inspect.signature(function).return_annotation
            text = inspect.getdoc(function) or ""
            with self.subTest(name):
                self.assertTrue(text)
                if parameters(function) and str(returned) not in ("None", "Client"):
                    self.assertIn("\nReturns:\n", text)


def number(annotation: str) -> bool:
    return re.search(r"\b(int|float)\b", annotation) is not None and not re.search(
        r"Dict|Mapping|Tuple", annotation
    )


if __name__ == "__main__":
    unittest.main()

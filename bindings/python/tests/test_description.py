"""The client for asyncio has the methods of the other one, and docstrings are complete."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import re
import unittest
from typing import Any, Dict, Iterator, List, Tuple

import payorder
from payorder import aio
from payorder_tools import testing

from .support import PACKAGE_FOLDER, TOOLS_FOLDER

#: What other event loops use in place of the client for asyncio.
STARTING = ("start", "take_done", "fileno")


def parameters(function: Any) -> List[inspect.Parameter]:
    known = inspect.signature(function).parameters.values()
    return [one for one in known if one.name not in ("self", "cls")]


class Interface(unittest.TestCase):
    def test_the_client_for_asyncio_has_the_same_methods(self) -> None:
        ordinary = ("get_statuses", "list", "cancel", "stop", "set_credentials")
        for own, other, elsewhere in (
            (aio.AsyncClient, payorder.Client, {"close", "from_env", *STARTING}),
            (aio.AsyncJournal, payorder.Journal, set()),
        ):
            for name, method in vars(other).items():
                if inspect.isfunction(method) and name[0] != "_":
                    if name in elsewhere:
                        continue
                    mine = vars(own)[name]
                    self.assertEqual(parameters(mine), parameters(method), name)
                    awaited = inspect.iscoroutinefunction(mine)
                    self.assertEqual(awaited, name not in ordinary, name)
                    self.assertEqual(mine.__qualname__, f"{own.__name__}.{name}")


#: The modules whose public names a program uses.
MODULES = (payorder, aio, testing, payorder.reconciliation)
#: How an entry says what a number counts.
UNITS = re.compile(r"\b(seconds|milliseconds|bytes|days|number of|per second|how many)")
#: Numbers that are names.
IDENTIFIERS = {"entry", "number", "attempt", "after", "index", "result", "http_status"}


def public() -> Iterator[Tuple[str, Any]]:
    for module in MODULES:
        for name in module.__all__:
            yield f"{module.__name__}.{name}", getattr(module, name)


def classes() -> Iterator[Tuple[str, Any]]:
    for name, one in public():
        if inspect.isclass(one) and one.__module__.startswith("payorder"):
            yield name, one


def functions() -> Iterator[Tuple[str, Any]]:
    """Every public function and method, and the constructors that a program calls."""
    for name, one in public():
        if inspect.isfunction(one):
            yield name, one
    for name, one in classes():
        # Its methods are described at Client.
        for inner, member in [] if one is payorder.PaymentClient else vars(one).items():
            member = getattr(member, "__func__", member)
            # Programs do not create errors and results, and a dataclass documents its attributes.
            creates = inner == "__init__" and not dataclasses.is_dataclass(one)
            shown = inner[0] != "_" or (creates and member.__doc__)
            if inspect.isfunction(member) and shown:
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
            entries[list(entries)[-1]] += " " + line.strip()
    return entries


def counts(annotation: object) -> bool:
    """Whether a value of this type is a number."""
    plain = re.sub(r"(Dict|Mapping|Tuple)\[.*", "", str(annotation))
    return re.search(r"\b(int|float)\b", plain) is not None


class Docstrings(unittest.TestCase):
    def test_every_parameter_has_its_default_and_its_unit(self) -> None:
        for name, function in functions():
            described = section(function, "Args")
            known = parameters(function)
            # The sandbox has methods of one sentence, with nothing but the id of an order.
            if name.startswith(testing.__name__) and not described:
                self.assertLessEqual({one.name for one in known}, {"order_id"}, name)
                continue
            self.assertEqual(list(described), [one.name for one in known], name)
            for one in known:
                text = described[one.name]
                with self.subTest(name, parameter=one.name):
                    if one.default is not one.empty:
                        self.assertRegex(text, r"Default: .+\.$|Required\.$")
                    if counts(one.annotation) and one.name not in IDENTIFIERS:
                        self.assertRegex(text.lower(), UNITS)
            returned = inspect.signature(function).return_annotation
            text = inspect.getdoc(function) or ""
            self.assertTrue(text, name)
            if known and str(returned) not in ("None", "Client"):
                self.assertIn("\nReturns:\n", text, name)

    def test_every_attribute_is_described_with_its_unit(self) -> None:
        for name, one in classes():
            annotations = vars(one).get("__annotations__", {})
            own = {name for name in annotations if not name.startswith("_")}
            if not own:
                continue
            described = section(one, "Attributes")
            with self.subTest(name):
                self.assertLessEqual(set(described) - {"raw"}, own)
                for attribute in own:
                    text = described[attribute]
                    if counts(annotations[attribute]) and attribute not in IDENTIFIERS:
                        self.assertRegex(text.lower(), UNITS, attribute)


class Sources(unittest.TestCase):
    def test_modules_import_in_one_direction_and_are_valid_in_the_oldest_python(
        self,
    ) -> None:
        forbidden = {
            PACKAGE_FOLDER / "payorder": ("payorder_tools",),
            TOOLS_FOLDER / "payorder_tools/testing": ("..certify", "..command"),
            TOOLS_FOLDER / "payorder_tools/certify": ("..command",),
            TOOLS_FOLDER / "payorder_tools/command": (),
        }
        for folder, above in forbidden.items():
            for path in sorted(folder.rglob("*.py")):
                text = path.read_text(encoding="utf-8")
                ast.parse(text, str(path), feature_version=(3, 8))
                for name in above:
                    if path.name != "__main__.py":
                        self.assertNotIn(f"from {name}", text, path)

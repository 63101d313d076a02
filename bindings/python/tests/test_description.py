"""The package has the functions, keys, options and limits of payorder-abi.json."""

from __future__ import annotations

import ctypes
import dataclasses
import inspect
import unittest
from typing import Any, Callable, Dict, List, Set, Tuple

import payorder
from payorder import _arguments, _library, _seconds
from payorder._text import wire_name
from payorder.journals import Journal, JournalEntry

from .abi import description

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

CALLBACKS: Dict[str, Any] = {
    f"payorder_{name}_fn": getattr(_library, f"{name.upper()}_FN")
    for name in ("log", "status", "query", "idle")
}
# A client is an opaque handle, `void *`. So is a returned string: ctypes would copy the text of a
# `char *` and lose its pointer. With `char **`, the object that it is written to keeps the pointer.
CTYPES: Dict[str, Any] = {
    **CALLBACKS,
    "void": None,
    "int32_t": ctypes.c_int32,
    "payorder_result": ctypes.c_int32,
    "payorder_outcome": ctypes.c_int32,
    "uint32_t": ctypes.c_uint32,
    "size_t": ctypes.c_size_t,
    "size_t *": ctypes.POINTER(ctypes.c_size_t),
    "const char *": ctypes.c_char_p,
    "char *": ctypes.c_void_p,
    "char **": ctypes.POINTER(ctypes.c_char_p),
    "const char *const *": ctypes.POINTER(ctypes.c_char_p),
    "void *": ctypes.c_void_p,
    "payorder_client *": ctypes.c_void_p,
    "payorder_client **": ctypes.POINTER(ctypes.c_void_p),
}


def signature(described: Dict[str, Any]) -> Tuple[Any, List[Any]]:
    arguments = [CTYPES[one["type"]] for one in described["parameters"]]
    return CTYPES[described["returns"]["type"]], arguments


def keywords(function: Callable[..., object]) -> List[str]:
    """The library's names of the arguments. Times are in seconds here."""
    known = [wire_name(name) for name in inspect.signature(function).parameters]
    return known + [f"{name}Ms" for name in known]


class Description(unittest.TestCase):
    def setUp(self) -> None:
        self.abi = description()

    def test_every_function_is_declared_as_it_is(self) -> None:
        described = {one["name"]: one for one in self.abi["functions"]}
        for name, (returned, arguments) in _library.SIGNATURES.items():
            with self.subTest(name):
                self.assertEqual(
                    (returned, list(arguments)), signature(described[name])
                )
        self.assertEqual(_library.ABI_VERSION, self.abi["abiVersion"])

    def test_every_callback_type_is_declared_as_it_is(self) -> None:
        described = {one["name"]: one for one in self.abi["callbacks"]}
        for name, callback in CALLBACKS.items():
            with self.subTest(name):
                returned, arguments = signature(described[name])
                # ctypes would free the text that a callback returns.
                borrowed = returned is ctypes.c_char_p
                expected = ctypes.c_void_p if borrowed else returned
                self.assertEqual(expected, callback._restype_)
                self.assertEqual(arguments, list(callback._argtypes_))

    def test_every_configuration_key_is_an_argument(self) -> None:
        known = keywords(payorder.Client.__init__)
        for setting in self.abi["config"]:
            self.assertIn(setting["key"], known)

    def test_every_option_is_an_argument(self) -> None:
        functions = {one["name"]: one for one in self.abi["functions"]}
        for name, method in METHODS.items():
            options = {option["key"] for option in functions[name]["options"]}
            own = CREDENTIALS & set(keywords(method))
            if CREDENTIALS <= options:
                creates = name == "payorder_create_order"
                only = {"accessToken"}
                self.assertEqual(own, only if creates else CREDENTIALS - only)
            self.assertEqual(options - set(keywords(method)) - CREDENTIALS, set(), name)

    def test_every_key_of_an_entry_is_a_field(self) -> None:
        keys = [key["key"] for key in self.abi["objects"]["entry"]["keys"]]
        fields = [wire_name(field.name) for field in dataclasses.fields(JournalEntry)]
        self.assertEqual(fields, keys)

    def test_the_limits_of_times_are_the_librarys(self) -> None:
        found: Dict[str, Tuple[int, int]] = {}
        described = [*self.abi["config"]]
        for function in self.abi["functions"]:
            # Its `waitMs` has other limits.
            if function["name"] != "payorder_recover":
                described += function.get("options", [])
        for one in described:
            if one["key"].endswith("Ms"):
                limits = (one["minimum"], one["maximum"])
                self.assertEqual(found.setdefault(one["key"], limits), limits)
        known = _seconds.LIMITS_MS.items()
        self.assertEqual(
            found, {wire_name(f"{name}_ms"): limits for name, limits in known}
        )


class TypedDicts(unittest.TestCase):
    def test_they_are_the_keyword_arguments(self) -> None:
        client = self.keywords(payorder.Client.__init__)
        self.assertEqual(client - {"base_url"}, set(payorder.Config.__annotations__))
        order = set(payorder.OrderFields.__annotations__)
        self.assertEqual(len(order), 11)
        for function, options in (
            (payorder.Client.create_order, _arguments.OrderOptions),
            (payorder.build_create_order, _arguments.BuildOptions),
        ):
            others = self.keywords(function) - order - {"order"}
            self.assertEqual(others, set(options.__annotations__))

    def keywords(self, function: Callable[..., object]) -> Set[str]:
        return set(inspect.signature(function).parameters) - {"self"}

"""The ctypes declarations are those of include/payorder-abi.json, which describes the header."""

from __future__ import annotations

import ctypes
import json
import unittest
from pathlib import Path
from typing import Any, Dict, List, Tuple

from payorder._library import (
    ABI_VERSION,
    DONE_FN,
    IDLE_FN,
    ITEM_FN,
    LOG_FN,
    QUERY_FN,
    SIGNATURES,
    STATUS_FN,
)

ABI = Path(__file__).resolve().parents[3] / "include" / "payorder-abi.json"

CALLBACKS: Dict[str, Any] = {
    "payorder_log_fn": LOG_FN,
    "payorder_status_fn": STATUS_FN,
    "payorder_item_fn": ITEM_FN,
    "payorder_query_fn": QUERY_FN,
    "payorder_idle_fn": IDLE_FN,
    "payorder_done_fn": DONE_FN,
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


class Signatures(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.abi = json.loads(ABI.read_text(encoding="utf-8"))

    abi: Dict[str, Any]

    def test_python_declares_every_function_as_it_is(self) -> None:
        described = {one["name"]: signature(one) for one in self.abi["functions"]}
        declared = {name: (one[0], list(one[1])) for name, one in SIGNATURES.items()}
        self.assertEqual(declared, described)
        self.assertEqual(ABI_VERSION, self.abi["abiVersion"])

    def test_every_callback_type_is_declared_as_it_is(self) -> None:
        described = {one["name"]: one for one in self.abi["callbacks"]}
        self.assertEqual(set(described), set(CALLBACKS))
        for name, one in described.items():
            with self.subTest(name):
                returned, arguments = signature(one)
                # ctypes would free the text that a callback returns.
                borrowed = returned is ctypes.c_char_p
                expected = ctypes.c_void_p if borrowed else returned
                self.assertEqual(expected, CALLBACKS[name]._restype_)
                self.assertEqual(arguments, list(CALLBACKS[name]._argtypes_))


if __name__ == "__main__":
    unittest.main()

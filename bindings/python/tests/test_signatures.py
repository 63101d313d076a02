"""The ctypes declarations are those of include/payorder.h."""

from __future__ import annotations

import ctypes
import re
import unittest
from pathlib import Path
from typing import Any, Dict, List, Tuple

import payorder
from payorder import Result
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

HEADER = Path(__file__).resolve().parents[3] / "include" / "payorder.h"

OUTCOMES = {"DONE": 0, "NOT_SENT": 1, "REJECTED": 2, "UNKNOWN": 3}

# A client is an opaque handle, `void *`. So is a returned string: ctypes would copy the text of a
# `char *` and lose its pointer. With `char **`, the object that it is written to keeps the pointer.
CTYPES: Dict[str, Any] = {
    "void": None,
    "int32_t": ctypes.c_int32,
    "uint32_t": ctypes.c_uint32,
    "size_t": ctypes.c_size_t,
    "size_t *": ctypes.POINTER(ctypes.c_size_t),
    "const char *": ctypes.c_char_p,
    "char *": ctypes.c_void_p,
    "char **": ctypes.POINTER(ctypes.c_char_p),
    "const char *const *": ctypes.POINTER(ctypes.c_char_p),
    "void *": ctypes.c_void_p,
    "struct payorder_client *": ctypes.c_void_p,
    "struct payorder_client **": ctypes.POINTER(ctypes.c_void_p),
    "payorder_log_fn": LOG_FN,
    "payorder_status_fn": STATUS_FN,
    "payorder_item_fn": ITEM_FN,
    "payorder_query_fn": QUERY_FN,
    "payorder_idle_fn": IDLE_FN,
    "payorder_done_fn": DONE_FN,
}


class Header:
    """The header's constants, typedefs and prototypes."""

    def __init__(self, text: str) -> None:
        text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.DOTALL)
        self.constants = self._constants(text)
        text = re.sub(r"^\s*#.*(?:\\\n.*)*$", "", text, flags=re.MULTILINE)
        text = re.sub(r'extern\s+"C"\s*\{', "", text)
        text = re.sub(r"\benum\b[^;{]*\{[^}]*\}", "enum", text)
        self.types: Dict[str, str] = {}
        self.callbacks: Dict[str, Tuple[str, List[str]]] = {}
        self.functions: Dict[str, Tuple[str, List[str]]] = {}
        for statement in (" ".join(statement.split()) for statement in text.split(";")):
            self._read(statement)

    @staticmethod
    def _constants(text: str) -> Dict[str, str]:
        defined = re.findall(
            r"#\s*define\s+PAYORDER_(\w+)[ \t]+(\S.*?)\s*$", text, flags=re.MULTILINE
        )
        listed = re.findall(r"\bPAYORDER_(\w+)\s*=\s*([^,}\s]+)", text)
        return dict(defined + listed)

    def _read(self, statement: str) -> None:
        callback = re.match(
            r"typedef (.+?)\(\s*\*\s*(payorder_\w+)\s*\)\s*\((.*)\)$", statement
        )
        alias = re.match(r"typedef (.+?)(payorder_\w+)$", statement)
        function = re.match(r"(.+?)\b(payorder_\w+)\s*\((.*)\)$", statement)
        if callback:
            self.callbacks[callback[2]] = (callback[1], self._arguments(callback[3]))
        elif alias:
            self.types[alias[2]] = alias[1].strip()
        elif function:
            self.functions[function[2]] = (function[1], self._arguments(function[3]))

    @staticmethod
    def _arguments(text: str) -> List[str]:
        if text.strip() in ("", "void"):
            return []
        return [
            re.sub(r"\b(?!char\b|void\b|int\b)[a-z]\w*$", "", one.strip())
            for one in text.split(",")
        ]

    def ctype(self, text: str) -> Any:
        """The ctypes type of a C type, using the header's typedefs."""
        words = re.sub(r"\s+", " ", text.replace("*", " * ")).strip()
        for name, meaning in self.types.items():
            words = re.sub(rf"(?<!struct )\b{name}\b", meaning, words)
        words = re.sub(r"\* (?=\*)", "*", words.replace("* const", "*const"))
        return CTYPES[words]


class Signatures(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.header = Header(HEADER.read_text(encoding="utf-8"))

    header: Header

    def test_python_declares_every_function_of_the_header_and_no_other(self) -> None:
        self.assertEqual(set(self.header.functions), set(SIGNATURES))

    def test_every_signature_is_the_headers(self) -> None:
        for name, (result, arguments) in self.header.functions.items():
            with self.subTest(name):
                declared_result, declared_arguments = SIGNATURES[name]
                self.assertEqual(self.header.ctype(result), declared_result)
                self.assertEqual(
                    [self.header.ctype(one) for one in arguments],
                    list(declared_arguments),
                )

    def test_every_callback_type_is_the_headers(self) -> None:
        declared: Dict[str, Any] = {
            "payorder_log_fn": LOG_FN,
            "payorder_status_fn": STATUS_FN,
            "payorder_item_fn": ITEM_FN,
            "payorder_query_fn": QUERY_FN,
            "payorder_idle_fn": IDLE_FN,
            "payorder_done_fn": DONE_FN,
        }
        self.assertEqual(set(self.header.callbacks), set(declared))
        for name, (result, arguments) in self.header.callbacks.items():
            with self.subTest(name):
                returned = self.header.ctype(result)
                # ctypes would free the text that a callback returns.
                borrowed = returned is ctypes.c_char_p
                expected = ctypes.c_void_p if borrowed else returned
                self.assertEqual(expected, declared[name]._restype_)
                self.assertEqual(
                    [self.header.ctype(one) for one in arguments],
                    list(declared[name]._argtypes_),
                )

    def test_every_constant_has_the_headers_number(self) -> None:
        known = {result.name: str(int(result)) for result in Result}
        known["VERSION"] = f'"{payorder.__version__}"'
        known["ABI_VERSION"] = str(ABI_VERSION)
        known.update(
            {f"OUTCOME_{name}": str(number) for name, number in OUTCOMES.items()}
        )
        self.assertEqual(self.header.constants, known)


class TheReader(unittest.TestCase):
    """The test's own header parser misses nothing."""

    def test_prototypes_typedefs_and_constants_are_read(self) -> None:
        header = Header(
            """
            #ifndef PAYORDER_H
            #define PAYORDER_H
            #define PAYORDER_OK 0 /* done */
            #define PAYORDER_NAME "name"
            enum { PAYORDER_TIMEOUT = 200, };
            typedef int32_t payorder_result; // a number
            typedef struct payorder_client payorder_client;
            typedef void (*payorder_log_fn)(const char *event_json, void *user_data);
            extern "C" {
            payorder_result payorder_json_object(const char *const *pairs,
                                                 char **out_json);
            payorder_result payorder_client_set_log(payorder_client *client,
                                                    payorder_log_fn log, void *);
            const char *payorder_version(void);
            }
            """
        )
        self.assertEqual(
            header.constants, {"OK": "0", "TIMEOUT": "200", "NAME": '"name"'}
        )
        self.assertEqual(
            {
                name: (header.ctype(result), [header.ctype(one) for one in arguments])
                for name, (result, arguments) in header.functions.items()
            },
            {
                name: (SIGNATURES[name][0], list(SIGNATURES[name][1]))
                for name in (
                    "payorder_json_object",
                    "payorder_client_set_log",
                    "payorder_version",
                )
            },
        )


if __name__ == "__main__":
    unittest.main()

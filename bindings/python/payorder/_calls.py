"""Calling the library: a result that is not OK becomes an exception."""

from __future__ import annotations

import ctypes
import json
from typing import Any, Tuple

from ._library import library
from .errors import Result, UnusableTextError, error_class

# `payorder_outcome`, as the error objects spell it.
_OUTCOMES = ("done", "not_sent", "rejected", "unknown")


def answer(function: Any, *arguments: object) -> str:
    """Calls a function whose last argument is `out_json`, and returns that text or raises its error."""
    result, text = _called(function, arguments)
    if result != 0:
        raise error_class(result)(text)
    return text


def usable(function: Any, *arguments: object) -> str:
    """The same for a function that does not use the network: its error is about its arguments."""
    result, text = _called(function, arguments)
    if result != 0:
        raise UnusableTextError(text)
    return text


def _called(function: Any, arguments: Tuple[object, ...]) -> Tuple[int, str]:
    out = ctypes.c_void_p()
    try:
        result: int = function(*arguments, ctypes.byref(out))
        return result, ctypes.string_at(out.value).decode() if out.value else ""
    finally:
        library.payorder_string_free(out)


def done(result: int) -> None:
    """Raises the error of a function that has no `out_json`."""
    if result == Result.OK:
        return
    closed = result == Result.INVALID_HANDLE
    error = {
        "result": result,
        "name": library.payorder_result_name(result).decode(),
        "outcome": _OUTCOMES[library.payorder_result_outcome(result)],
        "cause": "client_freed" if closed else "bug",
        "action": "fix_request" if closed else "report_bug",
        "message": "the client is closed; make another one"
        if closed
        else "the library failed",
    }
    raise error_class(result)(json.dumps({"error": error}))

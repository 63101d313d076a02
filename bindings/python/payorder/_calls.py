"""Calling the library: a result that is not OK becomes an exception."""

from __future__ import annotations

import ctypes
import json
from typing import Any, Optional

from ._library import library
from .causes import Action, Cause
from .errors import PayorderError, Result, UnusableTextError, error_class

# `payorder_outcome`, as the error objects spell it.
_OUTCOMES = ("done", "not_sent", "rejected", "unknown")


class Received:
    """What the library returned from one call. It stays here if a signal interrupts Python."""

    __slots__ = ("_out", "result", "text")

    def __init__(self) -> None:
        self._out = ctypes.c_void_p()
        self.result: Optional[int] = None
        self.text: Optional[str] = None

    def call(self, function: Any, *arguments: object) -> str:
        """Calls a function whose last argument is `out_json`. Returns the text or raises its error."""
        try:
            self.result = function(*arguments, ctypes.byref(self._out))
        finally:
            self.take()
        if self.result != 0:
            raise error_class(self.result)(self.text or "")
        return self.text or ""

    def has_text(self) -> bool:
        """Whether the library has returned a text."""
        return self.text is not None or self._out.value is not None

    def take(self) -> str:
        """Copies the text out of the library, and frees it there."""
        pointer = self._out.value
        if pointer:
            if self.text is None:
                self.text = ctypes.string_at(pointer).decode()
            # Forgotten first: if a signal interrupts here, it must not be freed twice.
            self._out.value = None
            library.payorder_string_free(pointer)
        return self.text or ""


def answer(function: Any, *arguments: object) -> str:
    """Calls a function whose last argument is `out_json`. Returns the text or raises its error."""
    return Received().call(function, *arguments)


def usable(function: Any, *arguments: object) -> str:
    """The same for a function that does not use the network: its error is about its arguments."""
    received = Received()
    try:
        return received.call(function, *arguments)
    except PayorderError:
        raise UnusableTextError(received.text or "") from None


def done(result: int, what: str) -> None:
    """Raises the error of a function that has no `out_json`; `what` is its object."""
    if result == Result.OK:
        return
    closed = result == Result.INVALID_HANDLE
    error = {
        "result": result,
        "name": library.payorder_result_name(result).decode(),
        "outcome": _OUTCOMES[library.payorder_result_outcome(result)],
        "cause": f"{what}_freed" if closed else Cause.BUG,
        "action": Action.FIX_REQUEST if closed else Action.REPORT_BUG,
        "message": f"the {what} is closed; make another one"
        if closed
        else "the library failed",
    }
    raise error_class(result)(json.dumps({"error": error}))

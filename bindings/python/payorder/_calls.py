"""Calls of the library. A result that is not OK becomes an exception."""

from __future__ import annotations

import ctypes
import json
from typing import TYPE_CHECKING, Any, Dict, Optional

from ._library import library, string_free
from .errors import PayorderError, UnusableTextError, error_class
from .results import Result

if TYPE_CHECKING:
    from .causes import Action

# The names of the values of `payorder_outcome` in error objects.
_OUTCOMES = ("done", "not_sent", "rejected", "unknown")


class LibraryResult:
    """The result and the text of one call. It is not lost if a signal interrupts Python."""

    __slots__ = ("_out", "text")

    def __init__(self) -> None:
        # The library's text, until it is freed.
        self._out: Optional[ctypes.c_char_p] = None
        self.text: Optional[str] = None

    def call(self, function: Any, *arguments: object) -> str:
        """Calls a function with `out_json` as its last argument. Returns the text or raises."""
        out = self._out = ctypes.c_char_p()
        try:
            result = function(*arguments, ctypes.byref(out))
        finally:
            self.take_text()
        # In no variable of its own: error trackers would show it with the customer's data.
        if result:
            raise error_class(result)(self.text or "")
        return self.text or ""

    def take_text(self) -> None:
        """Copies the library's text and frees it there."""
        out = self._out
        if out is not None:
            text = out.value
            if text is not None:
                if self.text is None:
                    self.text = text.decode()
                # Cleared first, so that a signal at this point cannot cause a second free.
                self._out = None
                string_free(out)


def call_library(function: Any, *arguments: object) -> str:
    """Calls a function with `out_json` as its last argument. Returns the text or raises."""
    return LibraryResult().call(function, *arguments)


def call_offline(function: Any, *arguments: object) -> str:
    """The same for a function that does not use the network. Raises `UnusableTextError`."""
    received = LibraryResult()
    try:
        return received.call(function, *arguments)
    except PayorderError:
        raise UnusableTextError(received.text or "") from None


def check_result(result: int, what: str) -> None:
    """Raises an error if a function without `out_json` failed; `what` names its object."""
    if result == Result.OK:
        return
    from .causes import Action, Cause

    if result == Result.INVALID_HANDLE:
        cause, action = f"{what}_freed", Action.FIX_REQUEST
        raise made_error(result, cause, action, f"the {what} is closed; make another one")
    raise made_error(result, Cause.BUG, Action.REPORT_BUG, "the library failed")


def made_error(result: int, cause: str, action: Action, message: str) -> PayorderError:
    """An error of this package, in the form of the library's."""
    error: Dict[str, object] = {
        "result": int(result),
        "name": library.payorder_result_name(result).decode(),
        "outcome": _OUTCOMES[library.payorder_result_outcome(result)],
        "cause": cause,
        "action": action,
        "message": message,
    }
    return error_class(result)(json.dumps({"error": error}))

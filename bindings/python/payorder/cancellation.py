"""Cancels single calls."""

from __future__ import annotations

import ctypes
from typing import Dict, NoReturn, Optional, Set

from ._calls import check_result
from ._library import library
from ._text import c_json


class Cancellation:
    """Cancels the calls that it was passed to, from another thread.

        with payorder.Cancellation() as cancellation:
            ...  # in one thread
            client.wait_for_payment(order_id="ORD-1", cancellation=cancellation)
            ...  # in another thread
            cancellation.cancel()

    Several calls may share one cancellation, at the same time or one after another. It stays
    cancelled: a later call with it ends at once. Use one client for all, and one cancellation for
    each sale that a person can stop.
    """

    _key: Optional[bytes] = None

    def __init__(self) -> None:
        # Kept here, because the module's global may be gone when the interpreter exits.
        self._library = library
        #: Whether `cancel` was called.
        self.cancelled: bool = False
        # Those of tasks, which are cancelled together with this one.
        self._linked: Set[Cancellation] = set()
        self._closed = False
        out = ctypes.c_char_p()
        check_result(library.payorder_cancellation_new(ctypes.byref(out)), "cancellation")
        self._key = out.value

    def cancel(self) -> None:
        """Cancels the calls that have this cancellation, in flight or later. From any thread.

        They raise `CancelledError`, or `CancelledInFlightError` if something was sent. After
        `close`, this method raises `InvalidHandleError`.
        """
        self.cancelled = True
        result = self._library.payorder_cancellation_cancel(self._key)
        check_result(result, "cancellation")
        for linked in tuple(self._linked):
            linked.cancel()

    def close(self) -> None:
        """Frees this cancellation. Calls in flight continue, and cannot be cancelled with it."""
        self._closed = True
        self._linked.clear()
        # If the token was freed already, the library returns an error, which is ignored.
        self._library.payorder_cancellation_free(self._key)

    def _join(self, other: Cancellation) -> Cancellation:
        """Cancels `other` together with this one. Returns the one for the call."""
        if self._closed:
            # With this one, the library returns the error.
            return self
        self._linked.add(other)
        if self.cancelled:
            other.cancel()
        return other

    def _unlink(self, linked: Cancellation) -> None:
        self._linked.discard(linked)

    def __enter__(self) -> Cancellation:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        if self._key is not None:
            self.close()

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Cancellation cannot be pickled or copied")


def options_json(options: Dict[str, object], cancellation: Optional[Cancellation]) -> bytes:
    """The options of a call as JSON text."""
    if cancellation is not None:
        options = {**options, "cancellation": token_name(cancellation)}
    return c_json(options, "options")


def token_name(cancellation: Cancellation) -> str:
    """The text of a cancellation's token, for the option `cancellation`."""
    if not isinstance(cancellation, Cancellation):
        kind = type(cancellation).__name__
        raise TypeError(f"cancellation must be a payorder.Cancellation, not {kind}")
    return (cancellation._key or b"").decode()

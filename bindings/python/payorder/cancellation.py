"""Cancelling single calls."""

from __future__ import annotations

import ctypes
from types import TracebackType
from typing import NoReturn, Optional, Set, Type

from ._calls import done
from ._library import library


class Token:
    """A cancellation token of the library, freed when nothing holds it any more."""

    _key: Optional[bytes] = None

    def __init__(self) -> None:
        self._library = library
        self.cancelled = False
        out = ctypes.c_void_p()
        done(library.payorder_cancellation_new(ctypes.byref(out)), "cancellation")
        self._key = ctypes.string_at(out.value or 0)
        library.payorder_string_free(out)
        #: The option of a call.
        self.name = self._key.decode()
        #: All options of a call that has no others.
        self.alone = b'{"cancellation":"%s"}' % self._key

    def cancel(self) -> int:
        """Ends the calls that have it."""
        self.cancelled = True
        result: int = library.payorder_cancellation_cancel(self._key)
        return result

    def free(self) -> None:
        """Calls that have it continue, and can no longer be cancelled with it."""
        # For a token that was freed already the library returns a result, which is ignored.
        self._library.payorder_cancellation_free(self._key)

    def __del__(self) -> None:
        if self._key is not None:
            self.free()


class Cancellation:
    """Ends the calls that have it, from another thread, and no others.

        with payorder.Cancellation() as cancellation:
            ...  # in one thread
            client.wait_for_payment(order_id="ORD-1", cancellation=cancellation)
            ...  # in another thread
            cancellation.cancel()

    Many calls may share one cancellation, at the same time and one after another. It stays
    cancelled: a later call with it ends at once. A program has, for example, one client, and one
    cancellation for each cashier.
    """

    def __init__(self) -> None:
        self._token = Token()
        # Calls in the main thread have a token of their own, which Ctrl-C cancels, too.
        self._linked: Set[Token] = set()
        self._closed = False

    @property
    def cancelled(self) -> bool:
        """Whether `cancel` was called."""
        return self._token.cancelled

    def cancel(self) -> None:
        """Ends the calls in flight that have this cancellation. Later calls end at once.

        They raise `CancelledError`, or `CancelledInFlightError` if something was sent. May be
        called from any thread. Raises `InvalidHandleError` after `close`.
        """
        done(self._token.cancel(), "cancellation")
        for token in tuple(self._linked):
            token.cancel()

    def close(self) -> None:
        """Ends the use of this cancellation. Calls in flight continue, and cannot be cancelled."""
        self._closed = True
        self._linked.clear()
        self._token.free()

    def _link(self, token: Token) -> Token:
        """The token for a call that has one of its own."""
        if self._closed:
            # Closed: the library says so.
            return self._token
        self._linked.add(token)
        if self.cancelled:
            token.cancel()
        return token

    def _unlink(self, token: Token) -> None:
        self._linked.discard(token)

    def __enter__(self) -> Cancellation:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Cancellation cannot be pickled or copied")

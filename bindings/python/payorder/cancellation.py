"""Cancels single calls."""

from __future__ import annotations

import ctypes
from types import TracebackType
from typing import NoReturn, Optional, Set, Type, Union

from ._calls import check_result
from ._library import library, string_free


class Token:
    """A cancellation token of the library. It is freed together with this object."""

    _key: Optional[bytes] = None

    def __init__(self) -> None:
        self._library = library
        self.cancelled = False
        out = ctypes.c_char_p()
        check_result(
            library.payorder_cancellation_new(ctypes.byref(out)), "cancellation"
        )
        self._key = out.value or b""
        string_free(out)
        #: The token's text, for the option `cancellation`.
        self.name = self._key.decode()
        #: The options of a call that has no other options, as JSON text.
        self.as_options = b'{"cancellation":"%s"}' % self._key

    def cancel(self) -> int:
        """Cancels the calls that have this token."""
        self.cancelled = True
        result: int = library.payorder_cancellation_cancel(self._key)
        return result

    def free(self) -> None:
        """Frees the token. Calls that have it continue, and can no longer be cancelled with it."""
        # If the token was freed already, the library returns an error, which is ignored.
        self._library.payorder_cancellation_free(self._key)

    def __del__(self) -> None:
        if self._key is not None:
            self.free()


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

    def __init__(self) -> None:
        self._token = Token()
        # Tokens of calls in the main thread, which Ctrl-C cancels too, and those of tasks.
        self._linked: Set[Union[Token, Cancellation]] = set()
        self._closed = False

    @property
    def cancelled(self) -> bool:
        """Whether `cancel` was called."""
        return self._token.cancelled

    def cancel(self) -> None:
        """Cancels the calls that have this cancellation, in flight or later. From any thread.

        They raise `CancelledError`, or `CancelledInFlightError` if something was sent. After
        `close`, this method raises `InvalidHandleError`.
        """
        check_result(self._token.cancel(), "cancellation")
        for token in tuple(self._linked):
            token.cancel()

    def close(self) -> None:
        """Frees this cancellation. Calls in flight continue, and cannot be cancelled with it."""
        self._closed = True
        self._linked.clear()
        self._token.free()

    def _link(self, token: Token) -> Token:
        """Cancels `token` together with this cancellation. Returns the token for the call."""
        if self._closed:
            # With this token, the library returns the error.
            return self._token
        self._linked.add(token)
        if self.cancelled:
            token.cancel()
        return token

    def _join(self, other: Cancellation) -> Cancellation:
        """The same for another cancellation. Returns the one for the call."""
        if self._closed:
            return self
        self._linked.add(other)
        if self.cancelled:
            other.cancel()
        return other

    def _unlink(self, linked: Union[Token, Cancellation]) -> None:
        self._linked.discard(linked)

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

"""Ctrl-C during a call.

Python runs signal handlers only in the main thread, and never while that thread is inside the
library. So another thread must cancel the call. Every call in the main thread has a cancellation
token for this. Signals do not interrupt calls in other threads.

Short calls (`call_short`) run in the main thread, because starting a thread for each would double
their time. Python's C signal handler writes the number of each signal to a file descriptor
(`signal.set_wakeup_fd`), and one thread reads it. That thread cannot run the program's own signal
handlers, so it is used only if Ctrl-C raises `KeyboardInterrupt`, which is the default.

Long calls (`call_long`) run in a thread of their own while the main thread waits. Signal handlers
run at once, and any exception that they raise ends the call. The main thread waits with a plain
lock: if a signal handler raises an exception at the wrong moment, `Event.wait` and `Condition.wait`
raise `RuntimeError: release unlocked lock` instead.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found, unused-ignore]
import os
import select
import signal
import threading
from typing import Any, Callable, Dict, List, Optional, Tuple, Union

from ._calls import LibraryResult
from ._events import log_pending_events
from ._handles import ClientHandle
from ._running import call, exiting, in_main_thread, start_thread
from ._text import c_json
from .cancellation import Cancellation, Token

# `signal.getsignal` converts the handler to an enum, which takes longer than the rest of a call.
_getsignal: Callable[[int], object] = getattr(_signal, "getsignal")

#: How often a waiting thread logs the events of its call.
TICK = 0.2
# How long an interrupted `call_long` waits for the call that it cancelled.
_ENDING_SECONDS = 1.0


def options_json(
    options: Dict[str, object], cancellation: Optional[Cancellation]
) -> bytes:
    """The options of a call as JSON text."""
    if cancellation is not None:
        options["cancellation"] = token_name(cancellation)
    return c_json(options, "options") if options else b"{}"


def token_name(cancellation: Cancellation) -> str:
    """The text of a cancellation's token, for the option `cancellation`."""
    if not isinstance(cancellation, Cancellation):
        kind = type(cancellation).__name__
        raise TypeError(f"cancellation must be a payorder.Cancellation, not {kind}")
    return cancellation._token.name


def call_short(
    client: ClientHandle,
    function: Any,
    arguments: Tuple[bytes, ...],
    options: Dict[str, object],
    cancellation: Optional[Cancellation] = None,
    presses: int = 1,
    received: Optional[LibraryResult] = None,
) -> str:
    """Makes a call that lasts at most `timeout_ms`. Ctrl-C, pressed `presses` times, ends it."""
    if cancellation is not None:
        token_name(cancellation)
    watcher = _begin_watching()
    if watcher is None:
        text = options_json(options, cancellation)
        return call(client, function, (*arguments, text), received)
    global _reusable_token
    # After an exception the token is not reused, because the watcher may still cancel it.
    own, _reusable_token = _reusable_token or Token(), None
    try:
        token = _link(cancellation, own)
        if options or token is not own:
            text = c_json({**options, "cancellation": token.name}, "options")
        else:
            text = own.as_options
        watcher.watching = _WatchedCall(own, presses)
        response = call(client, function, (*arguments, text), received)
    finally:
        watcher.end()
        _unlink(cancellation, own)
    if not own.cancelled:
        _reusable_token = own
    return response


def call_long(
    client: ClientHandle,
    function: Any,
    arguments: Tuple[bytes, ...],
    options: Dict[str, object],
    cancellation: Optional[Cancellation] = None,
) -> str:
    """Makes a call that may take minutes. An exception of a signal handler ends it at once."""
    if not in_main_thread() or exiting():
        text = options_json(options, cancellation)
        return call(client, function, (*arguments, text))
    if cancellation is not None:
        token_name(cancellation)
    token = Token()
    linked = _link(cancellation, token)
    text = c_json({**options, "cancellation": linked.name}, "options")
    ended = threading.Lock()
    ended.acquire()
    results: List[Union[str, BaseException]] = []

    def make() -> None:
        try:
            results.append(call(client, function, (*arguments, text)))
        except BaseException as error:
            results.append(error)
        finally:
            ended.release()

    try:
        start_thread("payorder-call", make)
        while not ended.acquire(timeout=TICK):
            log_pending_events()
    except BaseException:
        # This also ends a call that has not started yet.
        token.cancel()
        if not results:
            ended.acquire(timeout=_ENDING_SECONDS)
        raise
    finally:
        _unlink(cancellation, token)
    (result,) = results
    if isinstance(result, BaseException):
        raise result
    return result


def _link(cancellation: Optional[Cancellation], token: Token) -> Token:
    """A token that Ctrl-C and the caller's cancellation both cancel."""
    if cancellation is None:
        return token
    return cancellation._link(token)


def _unlink(cancellation: Optional[Cancellation], token: Token) -> None:
    if cancellation is not None:
        cancellation._unlink(token)


#: The token that short calls in the main thread reuse, one after another.
_reusable_token: Optional[Token] = None


class _WatchedCall:
    """One call, which ends when Ctrl-C was pressed `presses` times."""

    def __init__(self, token: Token, presses: int) -> None:
        self._token = token
        self._presses = presses

    def press(self, times: int) -> None:
        """Ctrl-C was pressed."""
        self._presses -= times
        if times and self._presses <= 0:
            self._token.cancel()


class _Watcher:
    """The thread that notices Ctrl-C while the main thread is inside the library.

    It keeps running between calls, because starting a thread takes longer than a call. It ends
    before a fork, and the next call starts another one.

    Nothing in it is protected by a lock, because Ctrl-C could leave that locked.
    """

    def __init__(self) -> None:
        self._read_end, self.write_end = os.pipe()
        os.set_blocking(self._read_end, False)
        os.set_blocking(self.write_end, False)
        self._poll = select.poll()
        self._poll.register(self._read_end, select.POLLIN)
        #: The call in the main thread.
        self.watching: Optional[_WatchedCall] = None
        self._stopping = False
        # Locked until the thread has ended.
        self._ended: Optional[threading.Lock] = None

    def start(self) -> None:
        """Starts the thread, if it is not running."""
        if self._ended is None:
            self._stopping = False
            ended = threading.Lock()
            ended.acquire()
            self._ended = ended
            try:
                start_thread("payorder-interrupts", self._run, ended)
            except RuntimeError:
                self._ended = None
                raise

    def end(self) -> None:
        """The call has ended. A signal that arrived during it does not end the next one."""
        signal.set_wakeup_fd(-1)
        self.watching = None
        if self._poll.poll(0):
            self._read()

    def _run(self, ended: threading.Lock) -> None:
        try:
            self._watch()
        finally:
            ended.release()

    def _watch(self) -> None:
        poll = select.poll()
        poll.register(self._read_end, select.POLLIN)
        while not self._stopping:
            poll.poll()
            # Before the signals are read, because `end` reads those that belong to its call.
            watching = self.watching
            times = self._read()
            if watching is not None:
                watching.press(times)

    def _read(self) -> int:
        """How often Ctrl-C was pressed."""
        try:
            return os.read(self._read_end, 256).count(signal.SIGINT)
        except BlockingIOError:
            return 0

    def stop(self) -> None:
        """Ends the thread."""
        ended, self._ended = self._ended, None
        self._stopping = True
        while ended is not None and not ended.acquire(timeout=0.05):
            # Wakes the thread. Repeated, because `end` may read the byte first.
            os.write(self.write_end, b"\0")

    def resume(self) -> None:
        """Starts the thread again, if a call is being watched."""
        if self.watching is not None:
            self.start()

    def close(self) -> None:
        """Closes the pipe, which a child of a fork shares with its parent."""
        # Otherwise Ctrl-C in the child would end a call of the parent.
        before = signal.set_wakeup_fd(-1)
        if before != self.write_end:
            signal.set_wakeup_fd(before)
        os.close(self._read_end)
        os.close(self.write_end)


_watcher: Optional[_Watcher] = None


def _begin_watching() -> Optional[_Watcher]:
    """The watcher, if this is the main thread and the program has no SIGINT handler of its own."""
    global _watcher
    if (
        not in_main_thread()
        or exiting()
        or _getsignal(signal.SIGINT) is not signal.default_int_handler
    ):
        return None
    try:
        watcher = _watcher = _watcher or _Watcher()
        watcher.start()
        before = signal.set_wakeup_fd(watcher.write_end, warn_on_full_buffer=False)
    except (OSError, RuntimeError, ValueError):
        # No descriptor or thread left, or not the main interpreter. The call works without it.
        return None
    if before not in (-1, watcher.write_end):
        # An event loop in this thread handles signals.
        signal.set_wakeup_fd(before)
        return None
    return watcher


def _before_fork() -> None:
    if _watcher is not None:
        _watcher.stop()


def _after_fork_in_parent() -> None:
    if _watcher is not None:
        _watcher.resume()


def _after_fork_in_child() -> None:
    global _watcher
    if _watcher is not None:
        _watcher.close()
        _watcher = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_before_fork,
        after_in_parent=_after_fork_in_parent,
        after_in_child=_after_fork_in_child,
    )

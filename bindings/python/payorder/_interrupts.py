"""Ctrl-C during a call.

Python runs signal handlers in the main thread only, and never inside a call of the library. So the
library must be told from another thread that a call shall end. Every call in the main thread has a
cancellation token for this. Calls in other threads are not interrupted by signals.

Short calls (`call_short`) run in the main thread itself: a thread for each would double the time
that they take. The C handler of Python writes the number of each signal to a file descriptor
(`signal.set_wakeup_fd`), and one thread reads it. That thread cannot run the program's own signal
handlers. So it watches only if Ctrl-C raises `KeyboardInterrupt`, as it does by default.

Long calls (`call_long`) run in a thread of their own, and the main thread waits. So signal handlers
run at once, and whatever they raise ends the call.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found, unused-ignore]
import os
import select
import signal
import threading
from typing import Any, Callable, Dict, List, Optional, Union

from ._calls import Received
from ._events import log_kept
from ._handles import ClientHandle
from ._running import call, exiting
from ._text import c_json
from .cancellation import Cancellation, Token

# `signal.getsignal` makes an enumeration of the handler, which takes longer than the rest of a call.
_getsignal: Callable[[int], object] = getattr(_signal, "getsignal")

#: How often a waiting thread logs the events of its call.
TICK = 0.2
# How long an interrupted wait waits for the call that it has cancelled.
_ENDING_SECONDS = 1.0


def options_json(
    options: Dict[str, object], cancellation: Optional[Cancellation]
) -> bytes:
    """The options of a call as JSON text."""
    if cancellation is not None:
        options["cancellation"] = name_of(cancellation)
    return c_json(options, "options")


def name_of(cancellation: Cancellation) -> str:
    """The token of a cancellation, as an option."""
    if not isinstance(cancellation, Cancellation):
        kind = type(cancellation).__name__
        raise TypeError(f"cancellation must be a payorder.Cancellation, not {kind}")
    return cancellation._token.name


def call_short(
    client: ClientHandle,
    function: Any,
    *arguments: bytes,
    options: Dict[str, object],
    cancellation: Optional[Cancellation] = None,
    presses: int = 1,
    received: Optional[Received] = None,
) -> str:
    """Makes a call that `timeout_ms` bounds. Ctrl-C, pressed so often, ends it at once."""
    if cancellation is not None:
        name_of(cancellation)
    watcher = _begin_watching()
    if watcher is None:
        text = options_json(options, cancellation)
        return call(client, function, *arguments, text, received=received)
    global _own
    # Not used again after an exception, because the watcher may cancel it late.
    own, _own = _own or Token(), None
    try:
        token = _link(cancellation, own)
        if options or token is not own:
            text = c_json({**options, "cancellation": token.name}, "options")
        else:
            text = own.alone
        watcher.watching = _Watching(own, presses)
        answered = call(client, function, *arguments, text, received=received)
    finally:
        watcher.end()
        _unlink(cancellation, own)
    if not own.cancelled:
        _own = own
    return answered


def call_long(
    client: ClientHandle,
    function: Any,
    *arguments: bytes,
    options: Dict[str, object],
    cancellation: Optional[Cancellation] = None,
) -> str:
    """Makes a call that may take minutes. Whatever a signal handler raises ends it at once."""
    if not _in_main_thread() or exiting():
        text = options_json(options, cancellation)
        return call(client, function, *arguments, text)
    if cancellation is not None:
        name_of(cancellation)
    token = Token()
    linked = _link(cancellation, token)
    text = c_json({**options, "cancellation": linked.name}, "options")
    ended = threading.Event()
    answers: List[Union[str, BaseException]] = []

    def make() -> None:
        try:
            answers.append(call(client, function, *arguments, text))
        except BaseException as error:
            answers.append(error)
        finally:
            ended.set()

    try:
        threading.Thread(target=make, name="payorder-call", daemon=True).start()
        while not ended.wait(TICK):
            log_kept()
    except BaseException:
        # A call that is about to begin ends at once, too.
        token.cancel()
        ended.wait(_ENDING_SECONDS)
        raise
    finally:
        _unlink(cancellation, token)
    (given,) = answers
    if isinstance(given, BaseException):
        raise given
    return given


def _in_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()


def _link(cancellation: Optional[Cancellation], token: Token) -> Token:
    """A token that Ctrl-C and the caller's cancellation both cancel."""
    if cancellation is None:
        return token
    return cancellation._link(token)


def _unlink(cancellation: Optional[Cancellation], token: Token) -> None:
    if cancellation is not None:
        cancellation._unlink(token)


#: The token of the short calls in the main thread, which one call after another uses.
_own: Optional[Token] = None


class _Watching:
    """One call that Ctrl-C ends, when it was pressed so often."""

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

    It continues between calls, because starting a thread takes longer than a call. It ends before a
    fork, and the next call starts another one.

    There is no lock here: Ctrl-C could leave it locked.
    """

    def __init__(self) -> None:
        self._reading, self.writing = os.pipe()
        os.set_blocking(self._reading, False)
        os.set_blocking(self.writing, False)
        self._poll = select.poll()
        self._poll.register(self._reading, select.POLLIN)
        #: The call in the main thread.
        self.watching: Optional[_Watching] = None
        self._stopping = False
        self._thread: Optional[threading.Thread] = None

    def start(self) -> None:
        """Starts the thread, if it does not run."""
        if self._thread is None:
            self._stopping = False
            thread = threading.Thread(
                target=self._run, name="payorder-interrupts", daemon=True
            )
            thread.start()
            self._thread = thread

    def end(self) -> None:
        """The call has ended. A signal that arrived during it does not end the next one."""
        signal.set_wakeup_fd(-1)
        self.watching = None
        if self._poll.poll(0):
            self._read()

    def _run(self) -> None:
        poll = select.poll()
        poll.register(self._reading, select.POLLIN)
        while not self._stopping:
            poll.poll()
            # Looked up before the signals are read: `end` reads all that belong to a call.
            watching = self.watching
            times = self._read()
            if watching is not None:
                watching.press(times)

    def _read(self) -> int:
        """How often Ctrl-C was pressed."""
        try:
            return os.read(self._reading, 256).count(signal.SIGINT)
        except BlockingIOError:
            return 0

    def stop(self) -> None:
        """Ends the thread."""
        thread, self._thread = self._thread, None
        self._stopping = True
        while thread is not None and thread.is_alive():
            # Wakes it. Again and again, since `end` may read it first.
            os.write(self.writing, b"\0")
            thread.join(0.05)

    def resume(self) -> None:
        """Starts the thread again, if a call is being watched."""
        if self.watching is not None:
            self.start()

    def close(self) -> None:
        """Closes the pipe, which a child of a fork shares with its parent."""
        # Otherwise Ctrl-C in the child would end a call of the parent.
        before = signal.set_wakeup_fd(-1)
        if before != self.writing:
            signal.set_wakeup_fd(before)
        os.close(self._reading)
        os.close(self.writing)


_watcher: Optional[_Watcher] = None


def _begin_watching() -> Optional[_Watcher]:
    """The watcher, if this is the main thread and Ctrl-C is not the program's own business."""
    global _watcher
    if (
        not _in_main_thread()
        or exiting()
        or _getsignal(signal.SIGINT) is not signal.default_int_handler
    ):
        return None
    try:
        watcher = _watcher = _watcher or _Watcher()
        watcher.start()
        before = signal.set_wakeup_fd(watcher.writing, warn_on_full_buffer=False)
    except (OSError, RuntimeError, ValueError):
        # No descriptor or no thread left, or not the main interpreter. The call itself works.
        return None
    if before not in (-1, watcher.writing):
        # An event loop handles signals in this thread.
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

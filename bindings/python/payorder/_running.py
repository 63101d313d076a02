"""Keeps track of running calls, and ends those of other threads when the interpreter exits."""

from __future__ import annotations

import atexit
import os
import threading
import time
from typing import Any, Callable, Dict, NamedTuple, Optional

from . import _events
from ._calls import LibraryResult
from ._handles import ClientHandle
from ._library import library


class _Call(NamedTuple):
    client: ClientHandle
    stop: Optional[Callable[[], None]]


_calls: Dict[object, _Call] = {}
_exiting = False

# How long the exit of the interpreter waits for the calls of daemon threads.
_EXIT_SECONDS = 5.0


def call(
    client: ClientHandle,
    function: Any,
    *arguments: object,
    received: Optional[LibraryResult] = None,
) -> str:
    """Makes one call of the client, and logs its events when it ends.

    A caller that must not lose the result, whatever is raised, passes `received`.
    """
    key = begin(client)
    try:
        return (received or LibraryResult()).call(function, client.pointer, *arguments)
    finally:
        end(key)


def begin(client: ClientHandle, stop: Optional[Callable[[], None]] = None) -> object:
    """Registers a call that begins in this thread. Pass the returned key to `end`.

    At exit the call is cancelled; `stop` is called first if cancelling alone does not end it.
    """
    key = None
    # When the interpreter exits, the main thread is not inside a call.
    if threading.current_thread() is not threading.main_thread():
        key = object()
        _calls[key] = _Call(client, stop)
    _events.listen(client, allowed=not _exiting)
    return key


def end(key: object) -> None:
    """Removes a call that has ended, and logs its events."""
    # A forked child has no entry for its parent's calls.
    _calls.pop(key, None)
    _events.log_pending_events()


def exiting() -> bool:
    """Whether the interpreter is exiting. Then no call with a callback may begin."""
    return _exiting


def _end_calls() -> None:
    """Ends the calls of daemon threads at exit.

    Afterwards Python ends every thread that enters it. In a callback, this would unwind the stack
    through the library's functions and abort the process.
    """
    global _exiting
    _exiting = True
    give_up = time.monotonic() + _EXIT_SECONDS
    while _calls and time.monotonic() < give_up:
        for call in list(_calls.values()):
            if call.stop is not None:
                call.stop()
            library.payorder_client_cancel(call.client.pointer)
        time.sleep(0.01)


atexit.register(_end_calls)
if hasattr(os, "register_at_fork"):
    # In a forked child, the calls of the parent's other threads do not continue.
    os.register_at_fork(after_in_child=_calls.clear)

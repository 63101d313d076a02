"""The calls that are inside the library."""

from __future__ import annotations

import atexit
import os
import threading
import time
from typing import Any, Callable, Dict, NamedTuple, Optional

from . import _events
from ._calls import Received
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
    received: Optional[Received] = None,
) -> str:
    """Makes one call of the client, and logs its events at its end at the latest.

    `received` holds the result, for a caller that must not lose it.
    """
    key = begin(client)
    try:
        return (received or Received()).call(function, client.pointer, *arguments)
    finally:
        end(key)


def begin(client: ClientHandle, stop: Optional[Callable[[], None]] = None) -> object:
    """Notes that a call begins on this thread. The result is for `end`.

    `stop` is what must be done at exit, in addition to cancelling, so that the call ends.
    """
    key = None
    # The main thread is never inside a call when the exit begins.
    if threading.current_thread() is not threading.main_thread():
        key = object()
        _calls[key] = _Call(client, stop)
    _events.listen(client, allowed=not _exiting)
    return key


def end(key: object) -> None:
    """Notes that a call has ended, and logs its events."""
    # Not there in the child of a fork.
    _calls.pop(key, None)
    _events.log_kept()


def exiting() -> bool:
    """Whether the exit of the interpreter has begun: then no call with a callback may begin."""
    return _exiting


def _end_calls() -> None:
    """At exit, ends the calls of daemon threads.

    From then on Python ends every thread that returns to it. In a callback that would unwind the
    stack of the library's own functions, which aborts the process.
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
    # The calls of the parent's other threads do not continue in the child of a fork.
    os.register_at_fork(after_in_child=_calls.clear)

"""The library's log events, handed to `logging` under the name "payorder"; and the calls that are under way."""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import json
import logging
import os
import queue
import threading
import time
from typing import Callable, Dict, Iterator, NamedTuple, Optional

from ._library import LOG_FN, library

_log = logging.getLogger("payorder")

# Events are kept while a call runs, and logged outside of it: a slow handler then delays no order, and no Python code
# runs inside the call. There, an exception that a signal raises (Ctrl-C) would be lost, since ctypes cannot
# hand it on; `put` is no Python code, so that the signal waits for the call's end.
_kept: "queue.SimpleQueue[bytes]" = queue.SimpleQueue()
_KEEP = LOG_FN(_kept.put)
# Never freed: a call keeps the callback that it began with, and a daemon thread's call may outlast this module.
ctypes.pythonapi.Py_IncRef(ctypes.py_object(_KEEP))
_IGNORE = LOG_FN()


class _Call(NamedTuple):
    client: ctypes.c_void_p
    #: What must be done at exit, beside cancelling, for the call to end.
    end: Optional[Callable[[], None]]


# The calls now inside the library.
_calls: Dict[object, _Call] = {}
# Held where a call begins. Reentrant, since a signal's handler may begin one on the same thread.
_gate = threading.RLock()
_exiting = False

# How long the interpreter's exit waits for the calls that daemon threads left behind.
_EXIT_SECONDS = 5.0


@contextlib.contextmanager
def logged(
    client: ctypes.c_void_p, end: Optional[Callable[[], None]] = None
) -> Iterator[None]:
    """One call of the client; its events are logged at its end at the latest.

    None are asked for where no handler would get them. That is looked up at every call, since `logging` may be set up
    after the client was made.
    """
    call = object()
    with _gate:
        _calls[call] = _Call(client, end)
    try:
        listening = (
            not _exiting and _log.isEnabledFor(logging.WARNING) and _log.hasHandlers()
        )
        library.payorder_client_set_log(client, _KEEP if listening else _IGNORE, None)
        yield
    finally:
        # Not there in the child of a fork.
        _calls.pop(call, None)
        log_kept()


def exiting() -> bool:
    """Whether the interpreter's exit has begun: then no call with a callback of ours may begin."""
    return _exiting


def cancel_if_alone(client: ctypes.c_void_p) -> bool:
    """Cancels the client's call in flight. Where there are several, all of which that would end, it says False."""
    with _gate:
        calls = sum(call.client.value == client.value for call in list(_calls.values()))
        if calls == 1:
            library.payorder_client_cancel(client)
        return calls <= 1


def log_kept() -> None:
    """Logs the events that were kept until now."""
    while True:
        try:
            text = _kept.get_nowait().decode()
        except queue.Empty:
            return
        event = json.loads(text)
        level = _level(event["event"])
        if not _log.isEnabledFor(level):
            continue
        # One attribute, since keys of its own such as "name" would collide with the record's.
        record = _log.makeRecord(
            _log.name, level, __file__, 0, text, (), None, extra={"payorder": event}
        )
        try:
            _log.handle(record)
        except Exception:
            # What became of the order is what the caller must get, whatever a handler does.
            logging.Handler().handleError(record)


def _level(event: str) -> int:
    if event.endswith("_failed"):
        return logging.WARNING
    return logging.INFO if event == "call_finished" else logging.DEBUG


def _end_calls() -> None:
    """At exit, ends the calls of daemon threads.

    From then on Python ends every thread that comes back to it. In a callback that would unwind the stack of the
    library's own functions, which aborts the process.
    """
    global _exiting
    _exiting = True
    give_up = time.monotonic() + _EXIT_SECONDS
    while _calls and time.monotonic() < give_up:
        for call in list(_calls.values()):
            if call.end is not None:
                call.end()
            library.payorder_client_cancel(call.client)
        time.sleep(0.01)


def _forget_calls() -> None:
    """The calls of the parent's other threads do not go on in a child, nor do they give back what they hold."""
    global _gate
    _calls.clear()
    _gate = threading.RLock()


atexit.register(_end_calls)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_calls)

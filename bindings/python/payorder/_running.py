"""Threads for calls, and the list of running calls. At exit, those of other threads are ended."""

from __future__ import annotations

import _thread
import atexit
import os
import threading
import time
import weakref
from typing import TYPE_CHECKING, Callable, Dict, Set

from . import _events
from ._handles import ClientHandle

if TYPE_CHECKING:
    from .started import Queue

#: What ends each call.
_calls: Dict[object, Callable[[], object]] = {}
#: Those of the clients.
queues: "weakref.WeakSet[Queue]" = weakref.WeakSet()
#: Those of closed clients that have calls: they finish, also if nothing else refers to the client.
closed: "Set[Queue]" = set()
_exiting = False

# How long the exit of the interpreter waits for the calls of daemon threads.
_EXIT_SECONDS = 5.0


def begin(client: ClientHandle, key: object, stop: Callable[[], object]) -> None:
    """Registers a call that begins in this thread. `stop` ends it when the interpreter exits."""
    # The main thread is not inside a call then.
    if not in_main_thread():
        _calls[key] = stop
    _events.listen(client, not _exiting)


def end(key: object) -> None:
    """Logs the events of a call that has ended, and removes it: the exit waits for both."""
    try:
        _events.log_pending_events()
    finally:
        # A call in the main thread has no entry, and one of the parent has none in a forked child.
        _calls.pop(key, None)


def in_main_thread() -> bool:
    """Whether this is the thread that runs signal handlers."""
    return threading.get_ident() == threading.main_thread().ident


def start_thread(name: str, target: Callable[..., None], *arguments: object) -> None:
    """Runs a function in a new daemon thread. Raises `RuntimeError` if there can be none.

    `Thread.start` waits for the new thread. If a signal handler raises an exception then,
    `Thread.start` may replace it with a `RuntimeError`, or end the new thread before it does
    anything. Signal handlers run only in the main thread, so another thread makes this call.
    """

    def start() -> None:
        try:
            threading.Thread(target=target, args=arguments, name=name, daemon=True).start()
        except RuntimeError:
            # There was one last thread, which is this one.
            target(*arguments)

    _thread.start_new_thread(start, ())


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
    waits = False
    while _end_some() and time.monotonic() < give_up:
        waits = True
        time.sleep(0.01)
    if waits:
        # Their threads tell the program how the calls ended.
        time.sleep(0.1)


def _end_some() -> bool:
    """Whether there were calls to end."""
    stops = list(_calls.values())
    for stop in stops:
        stop()
    left = [queue.end() for queue in list(queues)]
    return bool(stops) or any(left)


atexit.register(_end_calls)


def _after_fork_in_child() -> None:
    # The calls of the parent's other threads do not continue.
    _calls.clear()
    _events.forget_pending_events()
    for queue in list(queues):
        queue.forget()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork_in_child)

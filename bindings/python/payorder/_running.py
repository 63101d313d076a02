"""The calls that are inside the library."""

from __future__ import annotations

import atexit
import contextlib
import os
import threading
import time
from typing import Any, Callable, Dict, Iterator, NamedTuple, Optional

from . import _events
from ._calls import answer
from ._handles import ClientHandle
from ._library import library


class _Call(NamedTuple):
    client: ClientHandle
    #: What must be done at exit, in addition to cancelling, so that the call ends.
    end: Optional[Callable[[], None]]


_calls: Dict[object, _Call] = {}
# Held where a call begins. Reentrant, since a signal handler may begin one on the same thread.
_gate = threading.RLock()
_exiting = False

# How long the exit of the interpreter waits for the calls of daemon threads.
_EXIT_SECONDS = 5.0


@contextlib.contextmanager
def running(
    client: ClientHandle, end: Optional[Callable[[], None]] = None
) -> Iterator[None]:
    """One call of the client. Its events are logged at its end at the latest."""
    call = object()
    with _gate:
        _calls[call] = _Call(client, end)
    try:
        _events.listen(client, allowed=not _exiting)
        yield
    finally:
        # Not there in the child of a fork.
        _calls.pop(call, None)
        _events.log_kept()


def call(client: ClientHandle, function: Any, *arguments: object) -> str:
    """Makes one call of the client, and logs its events."""
    with running(client):
        return answer(function, client.pointer, *arguments)


def exiting() -> bool:
    """Whether the exit of the interpreter has begun: then no call with a callback may begin."""
    return _exiting


def cancel_if_alone(client: ClientHandle) -> bool:
    """Cancels the client's call in flight, if there is only one; otherwise it returns False."""
    with _gate:
        calls = sum(call.client is client for call in list(_calls.values()))
        if calls == 1:
            library.payorder_client_cancel(client.pointer)
        return calls <= 1


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
            if call.end is not None:
                call.end()
            library.payorder_client_cancel(call.client.pointer)
        time.sleep(0.01)


def _forget_calls() -> None:
    """In the child of a fork: the calls of the parent's other threads do not continue here."""
    global _gate
    _calls.clear()
    _gate = threading.RLock()


atexit.register(_end_calls)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_calls)

"""The library's log events, passed to `logging` under the name "payorder"."""

from __future__ import annotations

import contextlib
import ctypes
import json
import logging
import queue

from ._handles import ClientHandle
from ._library import LOG_FN, library

_log = logging.getLogger("payorder")

# Events are kept while a call runs, and logged after it. So a slow handler delays no order, and no
# Python code runs inside the call: there, an exception that a signal raises (Ctrl-C) would be lost,
# because ctypes cannot pass it on. `put` is not Python code, so the signal waits for the end of the
# call.
_kept: "queue.SimpleQueue[bytes]" = queue.SimpleQueue()
_KEEP = LOG_FN(_kept.put)
# Never freed: a call keeps the callback that it started with, and the call of a daemon thread may
# outlast this module.
ctypes.pythonapi.Py_IncRef(ctypes.py_object(_KEEP))
_IGNORE = LOG_FN()


def listen(client: ClientHandle, allowed: bool = True) -> None:
    """Asks the library for the events of the next call, if a handler would get them.

    This is checked before every call, because `logging` may be set up after the client is made.
    """
    listening = allowed and _log.isEnabledFor(logging.WARNING) and _log.hasHandlers()
    if listening is not client.listening:
        # Without a lock: Ctrl-C could leave it locked.
        callback = _KEEP if listening else _IGNORE
        library.payorder_client_set_log(client.pointer, callback, None)
        client.listening = listening


def log_kept() -> None:
    """Logs the events that were kept until now."""
    while not _kept.empty():
        try:
            text = _kept.get_nowait()
        except queue.Empty:
            return
        # The caller must get the result of the call, whatever `logging` raises.
        with contextlib.suppress(Exception):
            _log_event(text.decode())


def _log_event(text: str) -> None:
    event = json.loads(text)
    level = _level(event["event"])
    if not _log.isEnabledFor(level):
        return
    # One attribute, because keys such as "name" would collide with the record's own.
    record = _log.makeRecord(
        _log.name, level, __file__, 0, text, (), None, extra={"payorder": event}
    )
    try:
        _log.handle(record)
    except Exception:
        logging.Handler().handleError(record)


def _level(event: str) -> int:
    if event.endswith("_failed"):
        return logging.WARNING
    return logging.INFO if event == "call_finished" else logging.DEBUG

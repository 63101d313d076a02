"""The library's log events, passed to `logging` under the name "payorder"."""

from __future__ import annotations

import _queue
import contextlib
import ctypes
import json
import sys
from typing import TYPE_CHECKING, Optional

from ._handles import ClientHandle
from ._library import LOG_FN, library

if TYPE_CHECKING:
    import logging

#: The levels of `logging`.
_DEBUG, _INFO, _WARNING = 10, 20, 30
_log: Optional[logging.Logger] = None

# Events are queued while a call runs, and logged after it. So a slow handler delays no order. And
# no Python code runs inside the call, where an exception of a signal handler (Ctrl-C) would be
# lost, because ctypes cannot pass it on. `put` is not Python code: signal handlers run later. And
# it may run in a thread of the library, so it is not that of gevent, which replaces it in `queue`.
_pending: "_queue.SimpleQueue[bytes]" = _queue.SimpleQueue()
_STORE = LOG_FN(_pending.put)
# Never freed: a call keeps the callback that it started with, and a call in a daemon thread may
# still run when this module is gone.
ctypes.pythonapi.Py_IncRef(ctypes.py_object(_STORE))
_IGNORE = LOG_FN()


def _logger() -> Optional[logging.Logger]:
    """The logger, if the program has imported `logging`: without it, there is no handler."""
    global _log
    if _log is None and "logging" in sys.modules:
        # Not above, because it takes long.
        import logging

        _log = logging.getLogger("payorder")
    return _log


def listen(client: ClientHandle, allowed: bool = True) -> None:
    """Switches the library's events on if a logging handler would get them, otherwise off.

    Checked before every call, because `logging` may be configured after the client is created.
    """
    log = _logger() if allowed else None
    listening = log is not None and log.isEnabledFor(_WARNING) and log.hasHandlers()
    if listening is not client.listening:
        # Without a lock: Ctrl-C could leave it locked.
        callback = _STORE if listening else _IGNORE
        library.payorder_client_set_log(client.pointer, callback, None)
        client.listening = listening


def log_pending_events() -> None:
    """Logs the events in the queue."""
    while not _pending.empty():
        try:
            text = _pending.get_nowait()
        except _queue.Empty:
            return
        # The caller must get the result of the call even if `logging` raises an exception.
        with contextlib.suppress(Exception):
            _log_event(text.decode())


def forget_pending_events() -> None:
    """For a forked child: the parent logs these."""
    while not _pending.empty():
        _pending.get_nowait()


def _log_event(text: str) -> None:
    event = json.loads(text)
    import logging

    log, level = logging.getLogger("payorder"), _level(event["event"])
    if not log.isEnabledFor(level):
        return
    # One attribute, because keys such as "name" would collide with the record's own.
    extra = {"payorder": event}
    record = log.makeRecord(log.name, level, __file__, 0, text, (), None, extra=extra)
    try:
        log.handle(record)
    except Exception:
        logging.Handler().handleError(record)


def _level(event: str) -> int:
    if event.endswith("_failed"):
        return _WARNING
    return _INFO if event == "call_finished" else _DEBUG

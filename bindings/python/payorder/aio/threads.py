"""Threads for the calls. They belong to one client: other programs' work cannot fill them.

A thread ends when no call waits for it. All are daemons: at exit, `_running` ends their calls.
"""

from __future__ import annotations

import collections
import os
import threading
from typing import TYPE_CHECKING, Any, Deque, Optional

from .._running import exiting, start_thread
from ..causes import Action, Cause
from ..results import Result

if TYPE_CHECKING:
    from .calls import Call


class Threads:
    """At most `limit` threads. Further calls wait, and begin in the order in which they came."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._begin()

    def _begin(self) -> None:
        self._process = os.getpid()
        self._lock = threading.Lock()
        self._waiting: Deque[Call[Any]] = collections.deque()
        self._running = 0

    def start(self, call: Call[Any]) -> None:
        """Runs a call in a thread, now or when one is free. If there is none, the call fails."""
        if os.getpid() != self._process:
            # A forked child has none of its parent's threads.
            self._begin()
        with self._lock:
            self._waiting.append(call)
            if self._running >= self._limit:
                return
            self._running += 1
        try:
            start_thread("payorder-aio", self._work)
        except RuntimeError:
            with self._lock:
                self._running -= 1
            # If another thread was just free, it makes the call.
            if self.remove(call):
                call.refuse(
                    Result.INTERNAL,
                    Cause.NO_RESOURCES,
                    Action.RETRY_LATER,
                    "the system gave this process no thread; nothing was sent",
                )

    def remove(self, call: Call[Any]) -> bool:
        """Whether the call had not begun. Then it never begins."""
        with self._lock:
            if call not in self._waiting:
                return False
            self._waiting.remove(call)
            return True

    def _work(self) -> None:
        while True:
            with self._lock:
                if not self._waiting:
                    self._running -= 1
                    return
                call = self._waiting.popleft()
            if exiting():
                call.cancel()
            else:
                call.run()

"""Event loops that wait for the answers of a client's started calls."""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
import time
import weakref
from typing import Any, Dict, Optional, TypeVar

from .._operations import Operation
from .._running import exiting, no_thread, start_thread
from ..started import Queue, StartedCall
from .calls import result_of

Value = TypeVar("Value")

# How long the thread waits for an answer at once, and where no call is started yet.
_WAIT_SECONDS = 1.0
_PAUSE_SECONDS = 0.005


class Loops:
    """The event loops in which tasks wait for answers of one client.

    Each watches the descriptor of the answers, and hands over what it takes, also to tasks of other
    loops. For loops that cannot watch it, one thread takes. Both only while tasks wait.
    """

    def __init__(self, queue: Queue) -> None:
        self._queue = queue
        self._process = os.getpid()
        self._lock = threading.Lock()
        #: How many tasks of each loop wait.
        self._tasks: Dict[asyncio.AbstractEventLoop, int] = {}
        #: What those loops watch that can.
        self._watched: Dict[asyncio.AbstractEventLoop, int] = {}
        self._has_thread = False

    @classmethod
    def of(cls, queue: Queue) -> Loops:
        """Those of this client, in this process."""
        found: Optional[Loops] = queue.loops()
        if found is None:
            found = cls(queue)
            queue.loops = weakref.ref(found)
        return found

    async def result(
        self, call: StartedCall[Value], operation: Operation[Any]
    ) -> Value:
        """Starts a call, and returns or raises its result."""
        loop = asyncio.get_running_loop()
        self._enter(loop)
        try:
            start = self._queue.start
            return await result_of(call, lambda end: start(call, operation, end))
        finally:
            # A forked child leaves the loops of its parent alone: they share what they watch.
            if self._process == os.getpid():
                self._leave(loop)

    def take(self) -> None:
        """Takes what nobody watches."""
        with self._lock:
            self._forget_closed()
        self._queue.settle()

    def _enter(self, loop: asyncio.AbstractEventLoop) -> None:
        with self._lock:
            self._forget_closed()
            if loop not in self._tasks:
                self._watch(loop)
            self._tasks[loop] = self._tasks.get(loop, 0) + 1
            self._queue.watched = len(self._tasks)
            if loop in self._watched or self._has_thread:
                return
            self._has_thread = True
        try:
            start_thread("payorder-aio", self._take)
        except RuntimeError:
            self._has_thread = False
            self._leave(loop)
            raise no_thread() from None

    def _watch(self, loop: asyncio.AbstractEventLoop) -> None:
        # What Windows has is not a socket.
        if os.name != "nt":
            with contextlib.suppress(NotImplementedError, OSError):
                descriptor = self._queue.fileno()
                loop.add_reader(descriptor, self._queue.settle)
                self._watched[loop] = descriptor

    def _leave(self, loop: asyncio.AbstractEventLoop) -> None:
        with self._lock:
            self._forget_closed()
            if loop in self._tasks:
                self._tasks[loop] -= 1
                if self._tasks[loop] == 0:
                    del self._tasks[loop]
                    if loop in self._watched:
                        loop.remove_reader(self._watched.pop(loop))
            self._queue.watched = len(self._tasks)
        self._queue.free_if_done()

    def _forget_closed(self) -> None:
        for loop in [one for one in self._tasks if one.is_closed()]:
            del self._tasks[loop]
            self._watched.pop(loop, None)
        self._queue.watched = len(self._tasks)

    def _take(self) -> None:
        """Takes for the loops that cannot. In the thread."""
        while True:
            if self._queue.has_calls():
                self._queue.settle(_WAIT_SECONDS)
            else:
                time.sleep(_PAUSE_SECONDS)
            with self._lock:
                self._forget_closed()
                if exiting() or self._tasks.keys() <= self._watched.keys():
                    self._has_thread = False
                    return

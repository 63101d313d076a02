"""Event loops that wait for the answers of a client's started calls."""

from __future__ import annotations

import asyncio
import os
import threading
import time
import weakref
from typing import Dict, Optional

from .._calls import made_error
from .._running import exiting, start_thread
from ..causes import Action, Cause
from ..client import Client
from ..results import Result
from ..started import Queue

# How long the thread waits for an answer at once, and where no call is started yet.
_WAIT_SECONDS = 1.0
_PAUSE_SECONDS = 0.005


class Loops:
    """The event loops in which tasks wait for answers of one client.

    Each watches the descriptor of the answers, and hands over what it takes, also to tasks of other
    loops. For loops that cannot watch it, one thread takes. Both only while tasks wait.
    """

    def __init__(self, queue: Queue) -> None:
        self.queue = queue
        self._process = os.getpid()
        self._lock = threading.Lock()
        self._watches: Dict[asyncio.AbstractEventLoop, _Watch] = {}
        self._has_thread = False

    @classmethod
    def of(cls, client: Client) -> Loops:
        """Those of this client, in this process."""
        found: Optional[Loops] = client._queue.loops()
        if found is None:
            found = cls(client._queue)
            client._queue.loops = weakref.ref(found)
        return found

    def enter(self, loop: asyncio.AbstractEventLoop) -> None:
        """A task of this loop is about to start a call."""
        with self._lock:
            self._forget_closed()
            watch = self._watches.get(loop)
            if watch is None:
                watch = _Watch(self.queue, loop)
                self._watches[loop] = watch
            watch.tasks += 1
            self.queue.watched = len(self._watches)
            if watch.descriptor is not None or self._has_thread:
                return
            self._has_thread = True
        try:
            start_thread("payorder-aio", self._take)
        except RuntimeError:
            self._has_thread = False
            self.leave(loop)
            raise no_thread() from None

    def leave(self, loop: asyncio.AbstractEventLoop) -> None:
        """A task waits no more."""
        # A forked child leaves the loops of its parent alone: they share what they watch.
        if self._process != os.getpid():
            return
        with self._lock:
            watch = self._watches.get(loop)
            if watch is not None:
                watch.tasks -= 1
                if watch.tasks == 0:
                    # First, because a signal handler may raise an exception in between.
                    del self._watches[loop]
                    watch.end(loop)
            self._forget_closed()
            self.queue.watched = len(self._watches)
        self.queue.free_if_done()

    def take(self) -> None:
        """Takes what nobody watches."""
        with self._lock:
            self._forget_closed()
            self.queue.watched = len(self._watches)
        self.queue.settle()

    def _forget_closed(self) -> None:
        for loop in [one for one in self._watches if one.is_closed()]:
            del self._watches[loop]

    def _take(self) -> None:
        """Takes for the loops that cannot. In the thread."""
        while True:
            if self.queue.has_calls():
                self.queue.settle(_WAIT_SECONDS)
            else:
                time.sleep(_PAUSE_SECONDS)
            with self._lock:
                self._forget_closed()
                watches = self._watches.values()
                if exiting() or all(one.descriptor is not None for one in watches):
                    self._has_thread = False
                    return


class _Watch:
    """One event loop, and the descriptor that it watches, if it can."""

    def __init__(self, queue: Queue, loop: asyncio.AbstractEventLoop) -> None:
        self.tasks = 0
        self.descriptor: Optional[int] = None
        # What Windows has is not a socket.
        if os.name != "nt":
            try:
                descriptor = queue.fileno()
                loop.add_reader(descriptor, _settle, loop, queue)
                self.descriptor = descriptor
            except (NotImplementedError, OSError):
                pass

    def end(self, loop: asyncio.AbstractEventLoop) -> None:
        if self.descriptor is not None and not loop.is_closed():
            loop.remove_reader(self.descriptor)


def _settle(loop: asyncio.AbstractEventLoop, queue: Queue) -> None:
    try:
        queue.settle()
    except BaseException:
        # A signal handler raised it. An answer may be taken, so that nothing can be read, and not
        # have reached its call.
        loop.call_soon(_settle, loop, queue)
        raise


def no_thread() -> Exception:
    """The library's error if the system gives no thread."""
    return made_error(
        *(Result.INTERNAL, Cause.NO_THREAD, Action.RETRY_LATER),
        "the system gave this process no thread; nothing was sent",
    )

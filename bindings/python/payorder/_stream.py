"""The library's call for many statuses, in a thread of its own."""

from __future__ import annotations

import collections
import ctypes
import queue
from typing import Deque, List, Optional, Tuple

from ._calls import call_library
from ._handles import ClientHandle
from ._library import IDLE_FN, QUERY_FN, STATUS_FN, library
from ._results import member
from ._running import begin, end, exiting
from .errors import PayorderError

# When so many bytes of results wait for the program, no more queries are taken.
_MOST_BYTES = 4 << 20


class Stream:
    """The call. The program's thread gives it the queries.

    The program's thread waits only for `arrived`, which is written in C: an exception of a signal
    handler can interrupt that at any moment.
    """

    def __init__(self, client: ClientHandle, options: bytes) -> None:
        #: The results: index, number and text. Or None: the thread waits for `given`, or has ended.
        self.arrived: queue.SimpleQueue[Optional[Tuple[int, int, bytes]]] = queue.SimpleQueue()
        #: The next queries, if the thread needs some; none after the last one.
        self.given: queue.SimpleQueue[List[bytes]] = queue.SimpleQueue()
        #: How many results were put into `arrived`.
        self.count = 0
        #: Whether the thread needs queries.
        self.needs = True
        self.ended = self.stopped = self.cancelled = False
        self.failure: Optional[PayorderError] = None
        self._client = client
        self._options = options
        self._texts: Deque[bytes] = collections.deque()
        self._text: Optional[ctypes.c_char_p] = None
        # How many bytes of results arrived since the program's thread gave queries.
        self._bytes = 0

    def run(self) -> None:
        """Makes the call."""
        idle = IDLE_FN(lambda _: self.stopped)
        begin(self._client, self, self.stop)
        library.payorder_set_idle(idle, None)
        try:
            if not exiting() and not self.stopped:
                raw = call_library(
                    library.payorder_stream_statuses,
                    self._client.pointer,
                    QUERY_FN(self._next),
                    STATUS_FN(self._each),
                    None,
                    self._options,
                )
                self.cancelled = member(raw, "/stopped") == "true"
        except PayorderError as error:
            self.failure = error
        finally:
            library.payorder_set_idle(IDLE_FN(), None)
            end(self)
            self.ended = True
            self.arrived.put(None)

    def stop(self) -> None:
        """Sends no more queries, and cancels those in flight."""
        self.stopped = True
        self.given.put([])

    def _next(self, _: object) -> Optional[int]:
        if not self._texts or self._bytes > _MOST_BYTES:
            self.needs = not self._texts
            self.arrived.put(None)
            self._texts.extend(self.given.get())
            self._bytes = 0
        if self.stopped or not self._texts:
            return None
        self._text = ctypes.c_char_p(self._texts.popleft())
        return ctypes.cast(self._text, ctypes.c_void_p).value

    def _each(self, index: int, result: int, text: bytes, _: object) -> int:
        self._bytes += len(text)
        self.count += 1
        self.arrived.put((index, result, text))
        return not self.stopped

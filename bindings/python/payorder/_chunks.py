"""Many statuses, a chunk of queries at a time: each chunk is one call in a thread of its own.

The library takes its queries as one array, and a chunk is as many of them as memory should hold.
When a chunk has only slow queries left, the next chunk begins with the concurrency that is free.
With a rate limit, no chunk begins before the previous one has ended: the library keeps the rate
within a call.
"""

from __future__ import annotations

import collections
import threading
import time
from typing import Any, Deque, List, Mapping, Optional, Tuple

from ._calls import answer
from ._handles import ClientHandle
from ._library import STATUS_FN, library
from ._reading import member
from ._running import begin, end, exiting
from ._text import c_json
from .errors import PayorderError, Result

# Queries that have kept all others waiting for so long are slow ones.
_SLOW_SECONDS = 0.5
# The longest `Retry-After` that the library honours.
_LONGEST_QUIET = 600.0
# Results that wait to be taken: more bytes than this stop the callbacks.
_MOST_WAITING_BYTES = 4 << 20


class Chunk:
    """The queries of one call, the index of the first among all, and how many run at once."""

    def __init__(self, first: int, queries: List[Any], concurrency: int) -> None:
        self.first = first
        self.queries = queries
        self.concurrency = concurrency
        self.open = len(queries)
        self.slow = False
        self.last = time.monotonic()  #: when a result came, or it began


class Chunks:
    """What the thread that takes the results shares with the threads inside the library."""

    #: The most bytes of queries that wait to be asked.
    MOST_BYTES = 1 << 20

    def __init__(
        self,
        client: ClientHandle,
        options: Mapping[str, object],
        concurrency: int,
        rate: Optional[float],
    ) -> None:
        self.failure: Optional[PayorderError] = None
        #: Whether the calls were cancelled.
        self.cancelled = False
        self._client = client
        self._options = options
        self._concurrency = concurrency
        # A second without queries between chunks keeps the rate in every second.
        self._pause = 0.0 if rate is None else max(1.0, 1.01 / rate)
        self._not_before = 0.0
        # Large enough that the ends of the chunks, where fewer queries run at once, take a
        # hundredth of the time.
        self.chunk_size = max(1024, 128 * concurrency)
        if rate is not None:
            self.chunk_size = max(self.chunk_size, int(min(64 * rate, 16384)))
        # While the program takes no results, no more queries are asked.
        self._most_waiting = max(64, 4 * concurrency)
        self._results: Deque[Tuple[Chunk, int, int, bytes]] = collections.deque()
        self._waiting_bytes = 0
        self._running: List[Chunk] = []
        self._stopped = False
        self._changed = threading.Condition()

    def is_over(self) -> bool:
        """Nothing is being asked, and nothing waits to be taken."""
        with self._changed:
            return not self._running and not self._results

    def take(self) -> Optional[Tuple[Chunk, int, int, bytes]]:
        """A result that has come."""
        with self._changed:
            if not self._results:
                return None
            was_full = self._is_full()
            result = self._results.popleft()
            self._waiting_bytes -= len(result[3])
            if was_full:
                self._changed.notify_all()
            return result

    def _is_full(self) -> bool:
        return (
            len(self._results) >= self._most_waiting
            or self._waiting_bytes >= _MOST_WAITING_BYTES
        )

    def wait(self, seconds: float) -> None:
        """Waits for a result, or a chunk's end."""
        with self._changed:
            if not self._results:
                pause = self._not_before - time.monotonic()
                self._changed.wait(min(seconds, pause) if pause > 0 else seconds)

    def stop(self) -> None:
        """Asks for nothing more."""
        with self._changed:
            self._stopped = True
            self._results.clear()
            self._waiting_bytes = 0
            self._changed.notify_all()

    def free(self) -> int:
        """How many queries another chunk may run at once now: 0 for none yet."""
        now = time.monotonic()
        with self._changed:
            free = self._concurrency
            for chunk in self._running:
                if not chunk.open:
                    continue
                slow = (
                    chunk.open <= chunk.concurrency // 2
                    and now - chunk.last > _SLOW_SECONDS
                )
                chunk.slow = chunk.slow or slow
                if self._pause or not chunk.slow:
                    return 0
                free -= chunk.open
            return (
                0
                if free < (self._concurrency + 1) // 2 or now < self._not_before
                else free
            )

    def chunk_limit(self, free: int) -> int:
        """The size of a chunk: short while slow queries run, so that the next has all concurrency."""
        return self.chunk_size if free == self._concurrency else 16 * free

    def begin(self, chunk: Chunk, queries: bytes) -> None:
        """Asks for a chunk, in a new thread."""
        with self._changed:
            self._running.append(chunk)
        # A daemon, so that the exit of the program does not wait for it. `running` ends it then.
        threading.Thread(
            target=self._ask,
            args=(chunk, queries),
            name="payorder-statuses",
            daemon=True,
        ).start()

    def _ask(self, chunk: Chunk, queries: bytes) -> None:
        def each(place: int, result: int, text: bytes, _: object) -> int:
            return self._came(chunk, place, result, text)

        options = c_json({**self._options, "concurrency": chunk.concurrency}, "options")
        cancelled, failure = False, None
        key = begin(self._client, self.stop)
        try:
            if not exiting() and not self._stopped:
                raw = answer(
                    library.payorder_get_statuses,
                    self._client.pointer,
                    queries,
                    options,
                    STATUS_FN(each),
                    None,
                )
                stopped = member(raw.encode(), "/stopped") == "true"
                cancelled = stopped and not self._stopped
        except PayorderError as error:
            failure = error
        finally:
            end(key)
        with self._changed:
            self._running.remove(chunk)
            self.cancelled = self.cancelled or cancelled
            self.failure = self.failure or failure
            self._changed.notify_all()

    def _came(self, chunk: Chunk, place: int, result: int, text: bytes) -> int:
        with self._changed:
            while self._is_full() and not self._stopped:
                self._changed.wait()
            now = time.monotonic()
            chunk.open -= 1
            chunk.last = now
            self._not_before = max(self._not_before, now + self._quiet(result, text))
            if self._stopped:
                return 0
            self._results.append((chunk, place, result, text))
            self._waiting_bytes += len(text)
            self._changed.notify_all()
            return 1

    def _quiet(self, result: int, text: bytes) -> float:
        """For how long after this result no other chunk may begin."""
        if result != Result.RATE_LIMITED:
            return self._pause
        asked_for = int(member(text, "/error/retryAfterMs") or 0) / 1000
        return max(self._pause, min(asked_for, _LONGEST_QUIET))

"""Many statuses, a chunk of queries at a time: one call of the library each, in a thread of its own.

The library takes its queries as one array; a chunk is as much of them as the memory should hold. Where a chunk has only
stragglers left, the next one begins beside it with the concurrency that is free. Where a rate is to be kept,
none begins before the one before it has ended: the library keeps the rate within a call.
"""

from __future__ import annotations

import collections
import json
import threading
import time
from ctypes import c_void_p
from typing import Any, Deque, List, Mapping, Optional, Tuple

from ._events import exiting, logged
from ._library import STATUS_FN, answer, library
from ._text import c_json
from .errors import PayorderError, Result

# Questions that have kept all others waiting for so long are stragglers.
_STRAGGLING_SECONDS = 0.5
# How long the library leaves a service alone that asks for it.
_LONGEST_QUIET = 600.0


class Chunk:
    """Queries of one call, the place of the first among all, and how many are asked at once."""

    def __init__(self, first: int, queries: List[Any], concurrency: int) -> None:
        self.first = first
        self.queries = queries
        self.concurrency = concurrency
        self.open = len(queries)
        self.straggles = False
        self.last = time.monotonic()  #: when a result came, or it began


class Asking:
    """What the thread that takes the results shares with those that are inside the library."""

    #: The texts of the queries that wait to be asked.
    MOST_BYTES = 1 << 20

    def __init__(
        self,
        client: c_void_p,
        options: Mapping[str, object],
        concurrency: int,
        rate: Optional[float],
    ) -> None:
        self.failure: Optional[PayorderError] = None
        #: Somebody has cancelled the client's calls.
        self.cancelled = False
        self._client = client
        self._options = options
        self._concurrency = concurrency
        # Between chunks, the rate of any second is kept by a second without questions.
        self._pause = 0.0 if rate is None else max(1.0, 1.01 / rate)
        self._not_before = 0.0
        # Enough for the ends of the chunks, where fewer questions are under way, to be a hundredth of the time.
        self.chunk_size = max(1024, 128 * concurrency)
        if rate is not None:
            self.chunk_size = max(self.chunk_size, int(min(64 * rate, 16384)))
        # Who takes no results, for a while, is not asked for more of them.
        self._most_waiting = max(64, 4 * concurrency)
        self._results: Deque[Tuple[Chunk, int, int, bytes]] = collections.deque()
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
            if len(self._results) == self._most_waiting:
                self._changed.notify_all()
            return self._results.popleft()

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
            self._changed.notify_all()

    def free(self) -> int:
        """How many questions a further chunk may have under way now: 0 for none yet."""
        now = time.monotonic()
        with self._changed:
            free = self._concurrency
            for chunk in self._running:
                if not chunk.open:
                    continue
                straggles = (
                    chunk.open <= chunk.concurrency // 2
                    and now - chunk.last > _STRAGGLING_SECONDS
                )
                chunk.straggles = chunk.straggles or straggles
                if self._pause or not chunk.straggles:
                    return 0
                free -= chunk.open
            return (
                0
                if free < (self._concurrency + 1) // 2 or now < self._not_before
                else free
            )

    def most_beside(self, free: int) -> int:
        """The size of a chunk. A short one beside stragglers: when they have ended, the next has all the concurrency."""
        return self.chunk_size if free == self._concurrency else 16 * free

    def begin(self, chunk: Chunk, queries: bytes) -> None:
        """Asks for a chunk, in a new thread."""
        with self._changed:
            self._running.append(chunk)
        # A daemon: who ends the program does not wait for it. What then must be done is done at exit, by `logged`.
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
        try:
            with logged(self._client, self.stop):
                if not exiting() and not self._stopped:
                    raw = answer(
                        library.payorder_get_statuses,
                        self._client,
                        queries,
                        options,
                        STATUS_FN(each),
                        None,
                    )
                    cancelled = json.loads(raw)["stopped"] and not self._stopped
        except PayorderError as error:
            failure = error
        with self._changed:
            self._running.remove(chunk)
            self.cancelled = self.cancelled or cancelled
            self.failure = self.failure or failure
            self._changed.notify_all()

    def _came(self, chunk: Chunk, place: int, result: int, text: bytes) -> int:
        with self._changed:
            while len(self._results) >= self._most_waiting and not self._stopped:
                self._changed.wait()
            now = time.monotonic()
            chunk.open -= 1
            chunk.last = now
            self._not_before = max(self._not_before, now + self._quiet(result, text))
            if self._stopped:
                return 0
            self._results.append((chunk, place, result, text))
            self._changed.notify_all()
            return 1

    def _quiet(self, result: int, text: bytes) -> float:
        """For how long after this result no other chunk may begin."""
        if result != Result.RATE_LIMITED:
            return self._pause
        asked_for: float = json.loads(text)["error"].get("retryAfterMs", 0) / 1000
        return max(self._pause, min(asked_for, _LONGEST_QUIET))

"""Many status queries, in chunks: each chunk is one call of the library, in its own thread.

The library takes queries as one array. Chunks limit how many of them are in memory at once. When a
chunk has only slow queries left, the next chunk starts with the concurrency that is free. With a
rate limit, a chunk starts only after the previous one has ended, because the library keeps the rate
within one call.
"""

from __future__ import annotations

import collections
import functools
import threading
import time
from typing import Any, Deque, List, Mapping, Optional, Tuple

from ._calls import call_library
from ._handles import ClientHandle
from ._library import STATUS_FN, library
from ._lazy_results import member
from ._running import begin, end, exiting, start_thread
from ._text import c_json
from .cancellation import Cancellation, Token
from .errors import PayorderError
from .results import Result

# As a number, which is compared faster.
_RATE_LIMITED = int(Result.RATE_LIMITED)
# The queries left in a chunk are slow if none of them had a result for this long.
_SLOW_QUERY_SECONDS = 0.5
# The longest `Retry-After` that the library honours.
_MAX_RETRY_AFTER_SECONDS = 600.0
# When so many bytes of results wait for the program, the callbacks block.
_MAX_WAITING_BYTES = 4 << 20


class Chunk:
    """The queries of one call, the index of the first one, and how many run at once."""

    def __init__(self, first: int, queries: List[Any], concurrency: int) -> None:
        self.first = first
        self.queries = queries
        self.concurrency = concurrency
        self.remaining = len(queries)
        self.slow = False
        #: When the last result arrived; at first, when the chunk was created.
        self.last_result_at = time.monotonic()


class Chunks:
    """The state that the program's thread shares with the threads inside the library."""

    #: The most bytes of queries that are read ahead.
    MAX_QUEUED_BYTES = 1 << 20

    def __init__(
        self,
        client: ClientHandle,
        options: Mapping[str, object],
        cancellation: Optional[Cancellation],
        concurrency: int,
        rate: Optional[float],
    ) -> None:
        self.failure: Optional[PayorderError] = None
        #: Whether the calls were cancelled.
        self.cancelled = False
        self._client = client
        self._cancellation = cancellation
        # Its own token, so that `stop` ends the calls at once, also while they pause for the rate.
        self._token = Token()
        linked = cancellation._link(self._token) if cancellation else self._token
        self._options = {**options, "cancellation": linked.name}
        self._concurrency = concurrency
        # A pause of a second between chunks keeps the rate in any second.
        self._pause = 0.0 if rate is None else max(1.0, 1.01 / rate)
        self._not_before = 0.0
        # At the end of a chunk fewer queries run at once. Chunks are so large that this takes about
        # a hundredth of the time.
        self.chunk_size = max(1024, 128 * concurrency)
        if rate is not None:
            self.chunk_size = max(self.chunk_size, int(min(64 * rate, 16384)))
        # While the program takes no results, no more queries are sent.
        self._max_waiting = max(64, 4 * concurrency)
        self._results: Deque[Tuple[Chunk, int, int, bytes]] = collections.deque()
        self._waiting_bytes = 0
        self._running: List[Chunk] = []
        self._stopped = False
        # Taken for each result, so without the methods of `Condition`, which are not C. A thread
        # may take it again, because a signal handler may call `stop`.
        self._lock = threading.RLock()
        # What the callbacks wait for, and how many of them do.
        self._has_room = threading.Condition(self._lock)
        self._full_count = 0
        # What the program waits for: it is locked until something changes. In the main thread,
        # `Condition.wait` would turn an exception of a signal handler into a `RuntimeError`.
        self._unchanged = threading.Lock()
        #: Whether a chunk may have to start although results are waiting.
        self.chunk_ended = False

    def is_over(self) -> bool:
        """Whether no query is running and no result is waiting."""
        with self._lock:
            return not self._running and not self._results

    def has_results(self) -> bool:
        """Whether a result is waiting."""
        return bool(self._results)

    def take(self) -> Optional[Tuple[Chunk, int, int, bytes]]:
        """The next result, or None if none is waiting."""
        with self._lock:
            if not self._results:
                return None
            result = self._results.popleft()
            self._waiting_bytes -= len(result[3])
            if self._full_count:
                self._has_room.notify_all()
            return result

    def _is_full(self) -> bool:
        return (
            len(self._results) >= self._max_waiting
            or self._waiting_bytes >= _MAX_WAITING_BYTES
        )

    def wait(self, seconds: float) -> None:
        """Waits for a result or the end of a chunk."""
        with self._lock:
            if self._results:
                return
            pause = self._not_before - time.monotonic()
            self._unchanged.acquire(blocking=False)
        self._unchanged.acquire(timeout=min(seconds, pause) if pause > 0 else seconds)

    def _wake_program(self) -> None:
        if self._unchanged.locked():
            self._unchanged.release()

    def stop(self) -> None:
        """Sends no more queries, and cancels those in flight."""
        with self._lock:
            self._stopped = True
            self._results.clear()
            self._waiting_bytes = 0
            self._has_room.notify_all()
            self._wake_program()
        self._token.cancel()
        if self._cancellation is not None:
            self._cancellation._unlink(self._token)

    def _stop_at_exit(self) -> None:
        # A callback that waits for the program must end first: cancelling does not end it.
        self.stop()
        self._client.cancel()

    def free_concurrency(self) -> int:
        """How many queries another chunk may run at once now; 0 if it must not start yet."""
        now = time.monotonic()
        with self._lock:
            self.chunk_ended = False
            free = self._concurrency
            for chunk in self._running:
                if not chunk.remaining:
                    continue
                slow = (
                    chunk.remaining <= chunk.concurrency // 2
                    and now - chunk.last_result_at > _SLOW_QUERY_SECONDS
                )
                chunk.slow = chunk.slow or slow
                if self._pause or not chunk.slow:
                    return 0
                free -= chunk.remaining
            return (
                0
                if free < (self._concurrency + 1) // 2 or now < self._not_before
                else free
            )

    def chunk_limit(self, free: int) -> int:
        """The size of the next chunk: small while slow queries of another one still run."""
        return self.chunk_size if free == self._concurrency else 16 * free

    def start(self, chunk: Chunk, queries: bytes) -> None:
        """Runs a chunk in a new thread."""
        with self._lock:
            self._running.append(chunk)
        start_thread("payorder-statuses", self._run, chunk, queries)

    def _run(self, chunk: Chunk, queries: bytes) -> None:
        options = c_json({**self._options, "concurrency": chunk.concurrency}, "options")
        cancelled, failure = False, None
        begin(self._client, chunk, self._stop_at_exit)
        try:
            if not exiting() and not self._stopped:
                raw = call_library(
                    library.payorder_get_statuses,
                    self._client.pointer,
                    queries,
                    options,
                    STATUS_FN(functools.partial(self._receive, chunk)),
                    None,
                )
                stopped = member(raw.encode(), "/stopped") == "true"
                cancelled = stopped and not self._stopped
        except PayorderError as error:
            failure = error
        finally:
            end(chunk)
        with self._lock:
            self._running.remove(chunk)
            self.cancelled = self.cancelled or cancelled
            self.failure = self.failure or failure
            self._wake_program()

    def _receive(
        self, chunk: Chunk, index: int, result: int, text: bytes, _: object
    ) -> int:
        with self._lock:
            while self._is_full() and not self._stopped:
                self._full_count += 1
                try:
                    self._has_room.wait()
                finally:
                    self._full_count -= 1
            chunk.remaining -= 1
            chunk.last_result_at = now = time.monotonic()
            if self._pause or result == _RATE_LIMITED:
                pause = self._pause_after(result, text)
                self._not_before = max(self._not_before, now + pause)
            if self._stopped:
                return 0
            self._results.append((chunk, index, result, text))
            self._waiting_bytes += len(text)
            if not chunk.remaining:
                self.chunk_ended = True
            self._wake_program()
            return 1

    def _pause_after(self, result: int, text: bytes) -> float:
        """How many seconds after this result no other chunk may start."""
        if result != _RATE_LIMITED:
            return self._pause
        retry_after = int(member(text, "/error/retryAfterMs") or 0) / 1000
        return max(self._pause, min(retry_after, _MAX_RETRY_AFTER_SECONDS))

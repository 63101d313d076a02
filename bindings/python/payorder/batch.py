"""Many status queries: any iterable of queries in, results out as the responses arrive."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from types import TracebackType
from typing import (
    TYPE_CHECKING,
    Dict,
    Generic,
    Iterable,
    Iterator,
    List,
    Mapping,
    NoReturn,
    Optional,
    Type,
    TypeVar,
    Union,
)

from ._chunks import Chunk, Chunks
from ._events import log_pending_events
from ._handles import ClientHandle
from ._interrupts import TICK, options_json
from ._library import STATUS_FN, library
from ._requests import one_query_json
from ._running import call
from .cancellation import Cancellation
from .errors import PayorderError, error_class
from .statuses import Status
from .summaries import Summary

if TYPE_CHECKING:
    from typing_extensions import Protocol

    class HasStatusQuery(Protocol):
        """`ReturnUrl`, `JournalEntry`, `OutcomeUnknownError`, or the program's own class."""

        @property
        def status_query(self) -> Optional[Mapping[str, object]]: ...


#: A query: an order id, a mapping with the wire's names, or an object with a `status_query`.
Query = TypeVar("Query", bound="Union[str, Mapping[str, object], HasStatusQuery]")

# How long queries that were already read wait for more from a slow iterable.
_READ_AHEAD_SECONDS = 0.1
# An iterable is slow if it takes this long for one query. It is then read only while no query runs.
_SLOW_SOURCE_SECONDS = 0.02
# The limits of the library's own summary: how many different texts, and how many bytes each.
_MAX_STATUS_TEXTS = 1000
_MAX_STATUS_BYTES = 64
_OTHER = "(other)"


@dataclass(frozen=True)
class StatusResult(Generic[Query]):
    """The result of one query: a `status`, or the `error` that `get_status` would have raised.

    The other one is None.

    Attributes:
        index: The query's index, from 0.
        query: The query as it was given.
        status: The status, or None.
        error: The error, or None.
    """

    index: int
    query: Query
    status: Optional[Status]
    error: Optional[PayorderError]

    def __bool__(self) -> NoReturn:
        raise TypeError(
            "a StatusResult is not true or false; check error is None,"
            " and use verify_payment(expected, result.status).paid"
        )


class Statuses(Iterator[StatusResult[Query]]):
    """The results of `Client.get_statuses`, one per query, in the order in which they arrive.

    The queries are read while you iterate, in the same thread, and only a limited number ahead.
    No more queries are sent after `close`, after the end of the `with` block, after an exception,
    or when this object is deleted. If the iterable of queries raises an exception, it is raised
    here, after the results of the queries before it. `summary` counts the results so far.
    """

    _closed = True

    def __init__(
        self,
        client: ClientHandle,
        queries: Iterable[Query],
        options: Dict[str, object],
        cancellation: Optional[Cancellation],
    ) -> None:
        # Sends nothing, but raises the error of an invalid option or a closed client.
        call(
            client,
            library.payorder_get_statuses,
            (
                b"[]",
                options_json(dict(options), cancellation),
                STATUS_FN(lambda *_: 0),
                None,
            ),
        )
        concurrency, rate = options.get("concurrency", 8), options.get("ratePerSecond")
        assert isinstance(concurrency, int) and (
            rate is None or isinstance(rate, (int, float))
        )
        self._source: Iterator[Query] = iter(queries)
        self._chunks = Chunks(client, options, cancellation, concurrency, rate)
        self._process = os.getpid()
        self._read: List[Query] = []
        self._texts: List[str] = []
        self._bytes = 0
        self._first_read_at = 0.0
        self._asked_count = 0
        self._exhausted = False
        self._slow = False
        self._failure: Optional[Exception] = None
        self._started = time.monotonic()
        self._elapsed: Optional[float] = None
        self._counts = {"ok": 0, "rejected": 0, "unknown": 0, "not_sent": 0}
        self._transaction_status: Dict[str, int] = {}
        self._stopped = False
        self._closed = False

    @property
    def summary(self) -> Summary:
        """The counts of the results so far."""
        elapsed = (
            time.monotonic() - self._started if self._elapsed is None else self._elapsed
        )
        return Summary(
            sum(self._counts.values()),
            self._counts["ok"],
            self._counts["rejected"],
            self._counts["unknown"],
            self._counts["not_sent"],
            self._stopped,
            int(elapsed * 1000),
            dict(self._transaction_status),
        )

    def __iter__(self) -> Statuses[Query]:
        return self

    def __next__(self) -> StatusResult[Query]:
        if self._closed:
            raise StopIteration
        if os.getpid() != self._process:
            raise RuntimeError(
                "these results belong to the parent process: call get_statuses in this process"
            )
        try:
            return self._next()
        except BaseException:
            # As with a generator, there are no results after an exception.
            self.close()
            raise

    def _next_ready(self, limit: int) -> List[StatusResult[Query]]:
        """The next result, and those that are there already. Empty if there are no more."""
        ready: List[StatusResult[Query]] = []
        for result in self:
            ready.append(result)
            if len(ready) >= limit or not self._chunks.has_results():
                break
        return ready

    def close(self) -> None:
        """Sends no more queries, and cancels those in flight. Their results are dropped."""
        if self._closed or os.getpid() != self._process:
            return
        self._closed = True
        self._elapsed = time.monotonic() - self._started
        complete = self._exhausted and not self._read and self._chunks.is_over()
        self._stopped = self._chunks.cancelled or not complete
        self._chunks.stop()
        self._source = iter(())
        self._read, self._texts = [], []

    def _next(self) -> StatusResult[Query]:
        chunks = self._chunks
        while True:
            # While results are waiting, only the end of a chunk makes room for another one.
            if chunks.chunk_ended or not chunks.has_results():
                self._start_chunk()
            arrived = chunks.take()
            if arrived is not None:
                return self._result(*arrived)
            log_pending_events()
            if self._may_read():
                self._read_one()
                continue
            if self._chunks.failure is not None:
                raise self._chunks.failure
            if self._chunks.is_over() and (
                self._chunks.cancelled or (self._exhausted and not self._read)
            ):
                if self._failure is not None and not self._chunks.cancelled:
                    raise self._failure
                raise StopIteration
            self._chunks.wait(TICK)

    def _may_read(self) -> bool:
        if self._exhausted or self._chunks.cancelled:
            return False
        if (
            self._bytes >= Chunks.MAX_QUEUED_BYTES
            or len(self._read) >= self._chunks.chunk_size
        ):
            return False
        return not self._slow or self._chunks.is_over()

    def _read_one(self) -> None:
        began = time.monotonic()
        try:
            query = next(self._source)
            text = one_query_json(query)
        except StopIteration:
            self._exhausted = True
            return
        except Exception as error:
            self._exhausted = True
            self._failure = error
            return
        now = time.monotonic()
        self._slow = now - began > _SLOW_SOURCE_SECONDS
        if not self._read:
            self._first_read_at = now
        self._read.append(query)
        self._texts.append(text)
        self._bytes += len(text)

    def _start_chunk(self) -> None:
        """Starts a chunk with the queries that were read, unless it should still wait."""
        if not self._read or self._chunks.cancelled:
            return
        # Reads more queries first, as long as this delays none.
        if (
            self._may_read()
            and time.monotonic() - self._first_read_at < _READ_AHEAD_SECONDS
        ):
            return
        free = self._chunks.free_concurrency()
        if free == 0:
            return
        most = self._chunks.chunk_limit(free)
        chunk = Chunk(self._asked_count, self._read[:most], free)
        text = "[" + ",".join(self._texts[:most]) + "]"
        del self._read[:most], self._texts[:most]
        self._bytes = sum(map(len, self._texts))
        self._asked_count += len(chunk.queries)
        self._chunks.start(chunk, text.encode())

    def _result(
        self, chunk: Chunk, index: int, result: int, text: bytes
    ) -> StatusResult[Query]:
        query: Query = chunk.queries[index]
        chunk.queries[index] = None
        status: Optional[Status] = None
        error: Optional[PayorderError] = None
        if result == 0:
            status = Status(text.decode())
            outcome = "ok"
            self._count(status.transaction_status)
        else:
            error = error_class(result)(text.decode())
            outcome = error.outcome
        self._counts[outcome] = self._counts.get(outcome, 0) + 1
        return StatusResult(chunk.first + index, query, status, error)

    def _count(self, text: Optional[str]) -> None:
        counts = self._transaction_status
        if text not in counts:
            # None: a text with U+0000, which the library cannot return.
            if text is None or len(text.encode("utf-8", "replace")) > _MAX_STATUS_BYTES:
                text = _OTHER
            elif len(counts) >= _MAX_STATUS_TEXTS and text != _OTHER:
                return
        counts[text] = counts.get(text, 0) + 1

    def __enter__(self) -> Statuses[Query]:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()

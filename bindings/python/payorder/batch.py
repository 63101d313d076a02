"""Many status queries: any iterable of queries in, results out as the responses arrive."""

from __future__ import annotations

import contextvars
import json
import os
import queue
import time
from dataclasses import dataclass
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
    Tuple,
    TypeVar,
    Union,
)

from ._calls import call_library
from ._events import log_pending_events
from ._handles import ClientHandle
from ._library import STATUS_FN, library
from ._requests import one_query_json
from ._running import start_thread
from ._stream import Stream
from .errors import PayorderError, error_class
from .statuses import Status
from .summaries import Counts, Summary

if TYPE_CHECKING:
    from typing_extensions import Protocol

    class HasStatusQuery(Protocol):
        """`ReturnUrl`, `JournalEntry`, `OutcomeUnknownError`, or the program's own class."""

        @property
        def status_query(self) -> Optional[Mapping[str, object]]: ...


#: A query: an order id, a mapping with the wire's names, or an object with a `status_query`.
Query = TypeVar("Query", bound="Union[str, Mapping[str, object], HasStatusQuery]")

# How often a thread that waits for results logs events, and runs signal handlers on Windows.
_TICK = 0.1
# How many queries are read at once, and for how long, so that the threads switch less often.
_MOST_AT_ONCE = 32
_READING_SECONDS = 0.001


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
        options: bytes,
    ) -> None:
        if isinstance(queries, (str, bytes, Mapping)):
            raise TypeError(
                "queries must be an iterable of queries,"
                f" not one {type(queries).__name__}: put it into a list"
            )
        # Sends nothing, but raises the error of an invalid option or a closed client.
        call_library(
            library.payorder_get_statuses,
            client.pointer,
            b"[]",
            options,
            STATUS_FN(lambda *_: 0),
            None,
        )
        self._source: Iterator[Query] = iter(queries)
        self._stream = Stream(client, options)
        self._has_begun = False
        self._process = os.getpid()
        # The queries without a result, by their index, and what was asked.
        self._asked: Dict[int, Tuple[Query, bytes]] = {}
        self._asked_count = self._taken_count = 0
        self._exhausted = False
        self._failure: Optional[Exception] = None
        self._started = time.monotonic()
        self._elapsed: Optional[float] = None
        self._counts = Counts()
        self._stopped = False
        self._closed = False

    @property
    def summary(self) -> Summary:
        """The counts of the results so far."""
        elapsed = time.monotonic() - self._started if self._elapsed is None else self._elapsed
        return self._counts.summary(self._stopped, int(elapsed * 1000))

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
            if len(ready) >= limit or self._taken_count == self._stream.count:
                break
        return ready

    def close(self) -> None:
        """Sends no more queries, and cancels those in flight. Their results are dropped."""
        if self._closed:
            return
        self._closed = True
        self._elapsed = time.monotonic() - self._started
        stream = self._stream
        complete = self._exhausted and not self._asked
        self._stopped = stream.cancelled or not complete
        stream.stop()
        self._source = iter(())
        self._asked = {}

    def _next(self) -> StatusResult[Query]:
        stream = self._stream
        if not self._has_begun:
            run = contextvars.copy_context().run
            start_thread("payorder-statuses", run, stream.run)
            self._has_begun = True
        while True:
            log_pending_events()
            try:
                arrived = stream.arrived.get(timeout=_TICK)
            except queue.Empty:
                continue
            if arrived is not None:
                return self._result(*arrived)
            if not stream.ended:
                stream.given.put(self._read() if stream.needs else [])
                continue
            failure = stream.failure or self._failure
            if failure is not None and not stream.cancelled:
                raise failure
            raise StopIteration

    def _read(self) -> List[bytes]:
        """The next queries, and none after the last one."""
        texts: List[bytes] = []
        enough = time.monotonic() + _READING_SECONDS
        try:
            while not self._exhausted and len(texts) < _MOST_AT_ONCE:
                try:
                    query = next(self._source)
                except StopIteration:
                    self._exhausted = True
                    break
                texts.append(one_query_json(query).encode())
                self._asked[self._asked_count] = query, texts[-1]
                self._asked_count += 1
                if time.monotonic() > enough:
                    break
        except Exception as error:
            self._exhausted = True
            self._failure = error
            if isinstance(error, StopIteration):
                # It would end the results as if these were all. A generator does the same.
                self._failure = RuntimeError("the status_query of a query raised StopIteration")
                self._failure.__cause__ = error
        return texts

    def _result(self, index: int, result: int, text: bytes) -> StatusResult[Query]:
        query, asked = self._asked.pop(index)
        self._taken_count += 1
        status: Optional[Status] = None
        error: Optional[PayorderError] = None
        if result == 0:
            status = Status(text.decode())
            self._counts.answered(status.transaction_status)
        else:
            error = error_class(result)(text.decode())
            error._asked = json.loads(asked)
            self._counts.failed(error.outcome)
        return StatusResult(index, query, status, error)

    def __enter__(self) -> Statuses[Query]:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()

"""Asking for many statuses: any number of queries in, results out as the answers come."""

from __future__ import annotations

import os
import threading
import time
from ctypes import c_void_p
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
    Optional,
    Type,
    TypeVar,
    Union,
)

from ._events import log_kept, logged
from ._library import STATUS_FN, answer, library
from ._text import c_json
from .chunks import Asking, Chunk
from .errors import PayorderError, error_class
from .statuses import Status, question_json
from .summaries import Summary
from .waiting import TICK

if TYPE_CHECKING:
    from typing_extensions import Protocol

    from .client import Client

    class HasStatusQuery(Protocol):
        """`ReturnUrl`, `JournalEntry`, `OutcomeUnknownError`, or an object of the program's own."""

        @property
        def status_query(self) -> Optional[Mapping[str, object]]: ...


#: What a status can be asked by: an order id, a mapping with the wire's names, an object with a `status_query`.
Query = TypeVar("Query", bound="Union[str, Mapping[str, object], HasStatusQuery]")

# A slow source of queries does not hold up those that it gave already for longer than this.
_PATIENCE = 0.1
# A source is slow when one query takes it this long. Then it is read only while nothing else is to be waited for.
_SLOW = 0.02
# As many different ones as the library counts.
_MOST_STATUSES = 1000


@dataclass(frozen=True)
class StatusResult(Generic[Query]):
    """What became of one query: a `status`, or the `error` that `get_status` would have raised. The other is None."""

    index: int  #: the query's place, from 0
    query: Query  #: the query as it was given
    status: Optional[Status]
    error: Optional[PayorderError]


class Statuses(Iterator[StatusResult[Query]]):
    """The results of `Client.get_statuses`, as the answers come: one a query, in any order.

    The queries are read while this is iterated over, in the same thread, some ahead of the answers. Nothing more is asked
    once nobody iterates any more: after `close`, the end of the `with` block, an exception, or when it is let go. What
    reading the queries raises is raised here, after the results of those that came before. `summary` counts the
    results so far.
    """

    _closed = True

    def __init__(
        self, client: Client, queries: Iterable[Query], options: Mapping[str, object]
    ) -> None:
        text = c_json(options, "options")
        # Asks for nothing: what is wrong with the options, or the client, is raised here.
        with logged(client._handle):
            answer(
                library.payorder_get_statuses,
                client._handle,
                b"[]",
                text,
                STATUS_FN(lambda *_: 0),
                None,
            )
        concurrency, rate = options.get("concurrency", 8), options.get("ratePerSecond")
        assert isinstance(concurrency, int) and (
            rate is None or isinstance(rate, (int, float))
        )
        # Kept, since a client that nobody holds is freed.
        self._client = client
        self._source: Iterator[Query] = iter(queries)
        self._asking = Asking(
            c_void_p(client._handle.value), options, concurrency, rate
        )
        self._process = os.getpid()
        self._read: List[Query] = []
        self._texts: List[str] = []
        self._bytes = 0
        self._began = 0.0
        self._given = 0
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
        """The figures of the results so far; at the end, of all."""
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
                "this asking for statuses goes on in the process that was forked; begin another one here"
            )
        try:
            return self._next()
        except BaseException:
            # As with a generator, nothing comes after an exception.
            self.close()
            raise

    def close(self) -> None:
        """Stops asking. Questions under way end on their own; their results are dropped."""
        if self._closed or os.getpid() != self._process:
            return
        self._closed = True
        self._elapsed = time.monotonic() - self._started
        all_came = self._exhausted and not self._read and self._asking.is_over()
        self._stopped = self._asking.cancelled or not all_came
        self._asking.stop()
        self._source = iter(())
        self._read, self._texts = [], []

    def _next(self) -> StatusResult[Query]:
        while True:
            self._ask()
            came = self._asking.take()
            if came is not None:
                return self._result(*came)
            log_kept()
            if self._may_read():
                self._read_one()
                continue
            if self._asking.failure is not None:
                raise self._asking.failure
            if self._asking.is_over() and (
                self._asking.cancelled or (self._exhausted and not self._read)
            ):
                if self._failure is not None and not self._asking.cancelled:
                    raise self._failure
                raise StopIteration
            self._asking.wait(TICK)

    def _may_read(self) -> bool:
        if self._exhausted or self._asking.cancelled:
            return False
        if (
            self._bytes >= Asking.MOST_BYTES
            or len(self._read) >= self._asking.chunk_size
        ):
            return False
        return not self._slow or self._asking.is_over()

    def _read_one(self) -> None:
        began = time.monotonic()
        try:
            query = next(self._source)
            text = question_json(query)
        except StopIteration:
            self._exhausted = True
            return
        except Exception as error:
            self._exhausted = True
            self._failure = error
            return
        now = time.monotonic()
        self._slow = now - began > _SLOW
        if not self._read:
            self._began = now
        self._read.append(query)
        self._texts.append(text)
        self._bytes += len(text)

    def _ask(self) -> None:
        """Begins with what was read, where it is time to."""
        if not self._read or self._asking.cancelled:
            return
        # It is read on while that costs nobody any time.
        if self._may_read() and time.monotonic() - self._began < _PATIENCE:
            return
        free = self._asking.free()
        if free == 0:
            return
        most = self._asking.most_beside(free)
        chunk = Chunk(self._given, self._read[:most], free)
        text = "[" + ",".join(self._texts[:most]) + "]"
        del self._read[:most], self._texts[:most]
        self._bytes = sum(map(len, self._texts))
        self._given += len(chunk.queries)
        self._asking.begin(chunk, text.encode())

    def _result(
        self, chunk: Chunk, place: int, result: int, text: bytes
    ) -> StatusResult[Query]:
        query: Query = chunk.queries[place]
        chunk.queries[place] = None
        status: Optional[Status] = None
        error: Optional[PayorderError] = None
        if result == 0:
            status = Status.from_json(text.decode())
            outcome = "ok"
            said = status.transaction_status
            if (
                said in self._transaction_status
                or len(self._transaction_status) < _MOST_STATUSES
            ):
                self._transaction_status[said] = (
                    self._transaction_status.get(said, 0) + 1
                )
        else:
            error = error_class(result)(text.decode())
            outcome = error.outcome
        self._counts[outcome] = self._counts.get(outcome, 0) + 1
        return StatusResult(chunk.first + place, query, status, error)

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

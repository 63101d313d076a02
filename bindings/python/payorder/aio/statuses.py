"""Many status queries, as an asynchronous iterator."""

from __future__ import annotations

import collections
from typing import AsyncIterator, Callable, Deque, Generic, List, Optional

from ..batch import Query, Statuses, StatusResult
from ..cancellation import Cancellation
from ..summaries import Summary
from .calls import ThreadCall

# How many results that have arrived are fetched at once. A thread starts for each fetch.
_MOST_AT_ONCE = 64
# How long a cancelled task waits for queries in flight. The program's iterable may block.
_ENDING_SECONDS = 1.0


class AsyncStatuses(AsyncIterator[StatusResult[Query]], Generic[Query]):
    """The results of `AsyncClient.get_statuses`, in the order in which they arrive.

    Results are fetched when you ask for them. While you do not, only a limited number of queries is
    sent ahead. Use it in one task at a time.

    No more queries are sent after `aclose`, after the end of the `async with` block, after an
    exception, or if a step is cancelled, also by a time limit for one step. The iteration then
    ends, and `summary.stopped` is true.
    """

    def __init__(
        self,
        start: Callable[[Cancellation], Statuses[Query]],
        cancellation: Optional[Cancellation],
    ) -> None:
        self._start = start
        self._given = cancellation
        self._own = Cancellation()
        self._statuses: Optional[Statuses[Query]] = None
        self._ready: Deque[StatusResult[Query]] = collections.deque()
        self._fetching = False
        self._closed = False

    @property
    def summary(self) -> Summary:
        """The counts of the results so far."""
        if self._statuses is None:
            return Summary(0, 0, 0, 0, 0, self._closed, 0, {})
        return self._statuses.summary

    def __aiter__(self) -> AsyncStatuses[Query]:
        return self

    async def __anext__(self) -> StatusResult[Query]:
        if not self._ready and not self._closed:
            if self._fetching:
                raise RuntimeError("another task is waiting for these results")
            self._fetching = True
            try:
                call = ThreadCall(self._next_ready, own=self._own)
                self._ready.extend(await call.result(patience=_ENDING_SECONDS))
            except BaseException:
                await self.aclose()
                raise
            finally:
                self._fetching = False
        if not self._ready:
            await self.aclose()
            raise StopAsyncIteration
        return self._ready.popleft()

    def _next_ready(self, own: Cancellation) -> List[StatusResult[Query]]:
        """The results that are there. In a thread."""
        if self._statuses is None:
            given = self._given
            self._statuses = self._start(own if given is None else given._join(own))
        return self._statuses._next_ready(_MOST_AT_ONCE)

    async def aclose(self) -> None:
        """Sends no more queries, and cancels those in flight. Their results are dropped."""
        self._closed = True
        self._ready.clear()
        if self._given is not None:
            self._given._unlink(self._own)
        if self._statuses is not None:
            self._statuses.close()

    async def __aenter__(self) -> AsyncStatuses[Query]:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

"""The journal for asyncio."""

from __future__ import annotations

import functools
import itertools
from typing import AsyncIterator, Callable, Iterator, List, Optional, TypeVar

from ..cancellation import Cancellation
from ..journals import Journal, JournalEntry, Resolved
from .calls import Call
from .threads import Threads

Value = TypeVar("Value")

# How many entries are fetched at once: a page of the library.
_PAGE = 1000


class AsyncJournal:
    """The journal of a client that has one: `client.journal`."""

    def __init__(self, journal: Journal, calls: Threads, waits: Threads) -> None:
        self._journal = journal
        self._calls = calls
        self._waits = waits

    def list(
        self,
        *,
        state: Optional[str] = None,
        after: Optional[int] = None,
        limit: Optional[int] = None,
        cancellation: Optional[Cancellation] = None,
    ) -> AsyncIterator[JournalEntry]:
        """Returns the entries, oldest first. They are read page by page while you iterate.

        Args:
            state: One of the states, or "unresolved" for "sending" and "unknown". Default: all.
            after: The number of an entry: start after this one. Default: the oldest one.
            limit: The largest number of entries to return. Default: all.
            cancellation: A `Cancellation`, with which other code can end this. Default: none.

        Returns:
            An asynchronous iterator over the entries.

        Raises:
            NotSentError: The journal cannot be read, or an argument is invalid.
        """
        read = functools.partial(
            self._journal.list,
            state=state,
            after=after,
            limit=limit,
        )
        return self._pages(read, cancellation)

    async def resolve(
        self,
        *,
        concurrency: Optional[int] = None,
        rate_per_second: Optional[float] = None,
        timeout: Optional[float] = None,
        timeout_ms: Optional[int] = None,
        cancellation: Optional[Cancellation] = None,
        access_token: Optional[str] = None,
        client_key: Optional[str] = None,
        client_id: Optional[str] = None,
        secret_key: Optional[str] = None,
    ) -> Resolved:
        """Asks for the status of every order that is unresolved, or "created" but not "Completed".

        The statuses are recorded in the journal. If the service does not know an order, its entry
        stays unresolved, because the service may still learn of it. If the task is cancelled, the
        queries are cancelled too.

        Args:
            concurrency: How many queries run at once; 1 to 64. Default: 8.
            rate_per_second: The most queries per second, evenly spaced; above 0. Default: no limit.
            timeout: The time limit of each query in seconds; 0.001 to 600. Default: the client's.
            timeout_ms: The same in milliseconds; 1 to 600000. Default: the client's.
            cancellation: A `Cancellation`, with which other code can end this. Default: none.
            access_token: Accepted and not used by the queries. Default: the client's.
            client_key: A credential of each query. Default: the client's.
            client_id: A credential of each query. Default: the client's.
            secret_key: A credential of each query. Default: the client's.

        Returns:
            The counts, and the entries that are still unresolved.

        Raises:
            NotSentError: The journal cannot be used, or an argument is invalid.
        """
        call = functools.partial(
            self._journal.resolve,
            concurrency=concurrency,
            rate_per_second=rate_per_second,
            timeout=timeout,
            timeout_ms=timeout_ms,
            access_token=access_token,
            client_key=client_key,
            client_id=client_id,
            secret_key=secret_key,
        )
        return await self._call(self._waits, call, cancellation)

    async def settle(
        self,
        entry: int,
        *,
        note: Optional[str] = None,
        cancellation: Optional[Cancellation] = None,
    ) -> JournalEntry:
        """Closes an entry because a person decided so.

        The entry must be unresolved, or "created" and not "Completed". `resolve` no longer asks
        about it, and its identifiers still count as used. If the task is cancelled, the entry may
        be settled or not: read it again.

        Args:
            entry: The number of the entry. Required.
            note: Why; at most 200 characters, no personal data. Default: none.
            cancellation: A `Cancellation`, with which other code can end this. Default: none.

        Returns:
            The entry, now "settled".

        Raises:
            NotSentError: The journal cannot be used, or the entry cannot be settled.
        """
        call = functools.partial(
            self._journal.settle,
            entry,
            note=note,
        )
        return await self._call(self._calls, call, cancellation)

    async def prune(
        self,
        *,
        older_than_days: Optional[int] = None,
        cancellation: Optional[Cancellation] = None,
    ) -> int:
        """Removes closed entries.

        Closed entries are "rejected", "not_sent", "settled", and "created" with the status
        "Completed".

        Args:
            older_than_days: Only entries that are older, in days; 1 to 3650. Default: 90.
            cancellation: A `Cancellation`, with which other code can end this. Default: none.

        Returns:
            The number of entries that were removed.

        Raises:
            NotSentError: The journal cannot be used, or an argument is invalid.
        """
        call = functools.partial(
            self._journal.prune,
            older_than_days=older_than_days,
        )
        return await self._call(self._calls, call, cancellation)

    async def _pages(
        self,
        read: Callable[..., Iterator[JournalEntry]],
        cancellation: Optional[Cancellation],
    ) -> AsyncIterator[JournalEntry]:
        entries: List[Iterator[JournalEntry]] = []

        def page(own: Cancellation) -> List[JournalEntry]:
            if not entries:
                entries.append(read(cancellation=own))
            return list(itertools.islice(entries[0], _PAGE))

        own = Cancellation()
        while True:
            found = await Call(self._calls, page, cancellation, own).result()
            for entry in found:
                yield entry
            if not found:
                return

    async def _call(
        self,
        threads: Threads,
        function: Callable[..., Value],
        cancellation: Optional[Cancellation],
    ) -> Value:
        call = Call(threads, lambda own: function(cancellation=own), cancellation)
        return await call.result()

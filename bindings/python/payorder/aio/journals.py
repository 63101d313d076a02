"""The journal for asyncio."""

from __future__ import annotations

import functools
import itertools
from typing import Any, AsyncIterator, Callable, Iterator, List, Optional

from ..cancellation import Cancellation
from ..journal_entries import JournalEntry
from ..journals import Journal, Resolved
from .calls import Call, in_thread
from .methods import like
from .threads import Threads

# How many entries are fetched at once: a page of the library.
_PAGE = 1000


class AsyncJournal:
    """The journal of a client that has one: `client.journal`."""

    def __init__(self, journal: Journal, calls: Threads, waits: Threads) -> None:
        self._journal = journal
        self._calls = calls
        self._waits = waits

    @like(Journal.list)
    def list(self, **given: Any) -> AsyncIterator[JournalEntry]:
        """Returns the entries, oldest first. They are read page by page while you iterate."""
        cancellation = given.pop("cancellation", None)
        return self._pages(functools.partial(self._journal.list, **given), cancellation)

    @like(Journal.resolve)
    async def resolve(self, **given: Any) -> Resolved:
        """Asks for the status of every order that is unresolved, or "created" but not "Completed".

        The statuses are recorded in the journal. If the service does not know an order, its entry
        stays unresolved, because the service may still learn of it. If the task is cancelled, the
        queries are cancelled too.
        """
        return await in_thread(self._waits, self._journal.resolve, (), given)

    @like(Journal.settle)
    async def settle(self, *args: Any, **given: Any) -> JournalEntry:
        """Closes an entry because a person decided so.

        The entry must be unresolved, or "created" and not "Completed". `resolve` no longer asks
        about it, and its identifiers still count as used. If the task is cancelled, the entry may
        be settled or not: read it again.
        """
        return await in_thread(self._calls, self._journal.settle, args, given)

    @like(Journal.prune)
    async def prune(self, **given: Any) -> int:
        """Removes closed entries.

        Closed entries are "rejected", "not_sent", "settled", and "created" with the status
        "Completed".
        """
        return await in_thread(self._calls, self._journal.prune, (), given)

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

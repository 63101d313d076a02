"""The journal of a client for asyncio."""

from __future__ import annotations

import functools
import itertools
from typing import (
    TYPE_CHECKING,
    Any,
    AsyncIterator,
    Callable,
    Iterator,
    List,
    Optional,
)

from ..cancellation import Cancellation
from ..journal_entries import JournalEntry
from ..journals import Journal
from .calls import ThreadCall, described, in_thread, queued
from .loops import Loops

if TYPE_CHECKING:
    from .client import AsyncClient

# How many entries are fetched at once: a page of the library.
_PAGE = 1000


class AsyncJournal:
    """The journal of a client that has one: `client.journal`."""

    def __init__(self, client: AsyncClient) -> None:
        self._client = client
        self._ordinary: Journal = client._ordinary.journal
        self._prepares: Journal = client._prepares.journal

    @property
    def _loops(self) -> Loops:
        return self._client._loops

    @queued(Journal.resolve)
    def resolve(self) -> None:
        """If the task is cancelled, the queries are cancelled too."""

    @in_thread(Journal.settle)
    def settle(self) -> None:
        """If the task is cancelled, the entry may be settled or not: read it again."""

    @in_thread(Journal.prune)
    def prune(self) -> None: ...

    @described(Journal.list)
    def list(self, **given: Any) -> AsyncIterator[JournalEntry]:
        """Returns the entries, oldest first. They are read page by page while you iterate."""
        cancellation = given.pop("cancellation", None)
        read = functools.partial(self._ordinary.list, **given)
        return self._pages(read, cancellation)

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
            found = await ThreadCall(page, cancellation, own).result()
            for entry in found:
                yield entry
            if not found:
                return

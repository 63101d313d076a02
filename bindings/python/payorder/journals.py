"""The journal: the record of each order that a client sends."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Iterator, List, Mapping, Optional

from ._arguments import (
    BatchOptions,
    ListOptions,
    PruneOptions,
    SettleOptions,
    StatusOptions,
)
from ._interrupts import call
from ._library import library
from ._objects import many
from ._operations import Operation
from ._options import call_options, takes, wire_values
from .cancellation import Cancellation
from .journal_entries import JournalEntry
from .journal_entries import Resolved as Resolved

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .client import Client

_PAGE = 1000
# An entry can have a thousand events.
_PAGE_WITH_EVENTS = 50


class Journal:
    """The journal of a client that has one: `client.journal` after `Client(..., journal=path)`."""

    def __init__(self, client: Client) -> None:
        self._owner = client
        self._client = client._handle

    @takes(ListOptions)
    def list(
        self,
        *,
        after: Optional[int] = None,
        limit: Optional[int] = None,
        **options: Unpack[ListOptions],
    ) -> Iterator[JournalEntry]:
        """The entries, oldest first. They are read page by page while you iterate.

        Args:
            after: The number of an entry: start after this one. Default: the oldest one.
            limit: The largest number of entries to return. Default: all.
            options: See `ListOptions`.

        Returns:
            An iterator over the entries.

        Raises:
            NotSentError: The journal cannot be read, or an argument is invalid.
        """
        # The first page is read now, so that an invalid argument is raised here.
        which = call_options("journal_list", options, ListOptions)
        stop = options.get("cancellation")
        first = self._page(which, after, limit, stop)
        return self._pages(first, which, limit, stop)

    @takes(StatusOptions, BatchOptions)
    def resolve(self, **options: Unpack[BatchOptions]) -> Resolved:
        """Asks for the status of every order that is unresolved, or "created" but not "Completed".

        The statuses are recorded in the journal. If the service does not know an order, its entry
        stays unresolved, because the service may still learn of it. Ctrl-C ends the call at once.

        Args:
            options: See `BatchOptions`.

        Returns:
            The counts, and the entries that are still unresolved.

        Raises:
            NotSentError: The journal cannot be used, or an argument is invalid.
        """
        asked = Operation("journal_resolve", Resolved.from_raw, BatchOptions, options, logs=True)
        return self._owner._make(asked)

    @takes(SettleOptions)
    def settle(self, entry: int, **options: Unpack[SettleOptions]) -> JournalEntry:
        """Closes an entry because a person decided so.

        The entry must be unresolved, or "created" and not "Completed". `resolve` no longer asks
        about it, and its identifiers still count as used.

        Args:
            entry: The number of the entry. Required.
            options: See `SettleOptions`.

        Returns:
            The entry, now "settled".

        Raises:
            NotSentError: The journal cannot be used, or the entry cannot be settled.
        """
        given = call_options("journal_settle", options, SettleOptions)
        given["entry"] = entry
        function = library.payorder_journal_settle
        raw = call(self._client, function, (), given, options.get("cancellation"))
        return JournalEntry.from_mapping(json.loads(raw))

    @takes(PruneOptions)
    def prune(self, **options: Unpack[PruneOptions]) -> int:
        """Removes closed entries.

        Closed entries are "rejected", "not_sent", "settled", and "created" with the status
        "Completed".

        Args:
            options: See `PruneOptions`.

        Returns:
            The number of entries that were removed.

        Raises:
            NotSentError: The journal cannot be used, or an argument is invalid.
        """
        given = call_options("journal_prune", options, PruneOptions)
        function = library.payorder_journal_prune
        raw = call(self._client, function, (), given, options.get("cancellation"))
        removed: int = json.loads(raw)["removed"]
        return removed

    def _page(
        self,
        which: Mapping[str, Any],
        after: Optional[int],
        left: Optional[int],
        cancellation: Optional[Cancellation],
    ) -> List[JournalEntry]:
        page = _PAGE_WITH_EVENTS if which.get("events") else _PAGE
        limit = page if left is None else min(left, page)
        options = {**which, **wire_values(dict(after=after, limit=limit))}
        function = library.payorder_journal_list
        raw = call(self._client, function, (), options, cancellation)
        return list(many(JournalEntry)(json.loads(raw)["entries"]))

    def _pages(
        self,
        page: List[JournalEntry],
        which: Mapping[str, Any],
        left: Optional[int],
        cancellation: Optional[Cancellation],
    ) -> Iterator[JournalEntry]:
        while page:
            yield from page
            if left is not None:
                left -= len(page)
                if left <= 0:
                    return
            page = self._page(which, page[-1].entry, left, cancellation)

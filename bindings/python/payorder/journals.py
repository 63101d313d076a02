"""The journal: the record of each order that a client sends."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Iterator, List, Literal, Mapping, Optional, Tuple, Union

from ._handles import ClientHandle
from ._interrupts import call
from ._library import library
from ._objects import JsonObject, many
from ._options import call_options, wire_values
from .cancellation import Cancellation
from .journal_entries import JournalEntry, JournalState
from .summaries import Summary

_PAGE = 1000
# An entry can have a thousand events.
_PAGE_WITH_EVENTS = 50


@dataclass(frozen=True)
class Resolved(JsonObject):
    """The result of `Journal.resolve`.

    Attributes:
        summary: The counts of the queries.
        entries: The entries that are still unresolved.
        other_services: How many entries of other services are unresolved. They were not asked
            about.
    """

    summary: Summary
    entries: Tuple[JournalEntry, ...]
    other_services: int = 0

    _readers = {
        "summary": Summary.from_mapping,
        "entries": many(JournalEntry),
    }


class Journal:
    """The journal of a client that has one: `client.journal` after `Client(..., journal=path)`."""

    def __init__(self, client: ClientHandle) -> None:
        self._client = client

    def list(
        self,
        *,
        state: Optional[Union[JournalState, Literal["unresolved", "open"]]] = None,
        order_id: Optional[str] = None,
        after: Optional[int] = None,
        limit: Optional[int] = None,
        events: bool = False,
        cancellation: Optional[Cancellation] = None,
    ) -> Iterator[JournalEntry]:
        """The entries, oldest first. They are read page by page while you iterate.

        Args:
            state: One of the states, "unresolved" for "sending" and "unknown", or "open" for these
                and every "created" entry that is not "Completed". Default: all.
            order_id: Only the entries of the order with this identifier. Default: all.
            after: The number of an entry: start after this one. Default: the oldest one.
            limit: The largest number of entries to return. Default: all.
            events: Also return what happened to each entry. Default: False.
            cancellation: A `Cancellation`, with which another thread can end this. Default: none.

        Returns:
            An iterator over the entries.

        Raises:
            NotSentError: The journal cannot be read, or an argument is invalid.
        """
        # The first page is read now, so that an invalid argument is raised here.
        which = wire_values(dict(state=state, order_id=order_id, events=events or None))
        first = self._page(which, after, limit, cancellation)
        return self._pages(first, which, limit, cancellation)

    def resolve(
        self,
        *,
        concurrency: Optional[int] = None,
        rate_per_second: Optional[float] = None,
        timeout: Optional[float] = None,
        cancellation: Optional[Cancellation] = None,
        client_key: Optional[str] = None,
        client_id: Optional[str] = None,
        secret_key: Optional[str] = None,
    ) -> Resolved:
        """Asks for the status of every order that is unresolved, or "created" but not "Completed".

        The statuses are recorded in the journal. If the service does not know an order, its entry
        stays unresolved, because the service may still learn of it. Ctrl-C ends the call at once.

        Args:
            concurrency: How many queries run at once; 1 to 64. Default: 8.
            rate_per_second: The most queries per second, evenly spaced; above 0. Default: no limit.
            timeout: The time limit of each query in seconds; 0.001 to 600. Default: the client's.
            cancellation: A `Cancellation`, with which another thread can end this. Default: none.
            client_key: A credential of each query. Default: the client's.
            client_id: A credential of each query. Default: the client's.
            secret_key: A credential of each query. Default: the client's.

        Returns:
            The counts, and the entries that are still unresolved.

        Raises:
            NotSentError: The journal cannot be used, or an argument is invalid.
        """
        options = call_options("journal_resolve", locals())
        function = library.payorder_journal_resolve
        raw = call(self._client, function, (), options, cancellation, logs=True)
        return Resolved.from_mapping(json.loads(raw))

    def settle(
        self,
        entry: int,
        *,
        note: Optional[str] = None,
        cancellation: Optional[Cancellation] = None,
    ) -> JournalEntry:
        """Closes an entry because a person decided so.

        The entry must be unresolved, or "created" and not "Completed". `resolve` no longer asks
        about it, and its identifiers still count as used.

        Args:
            entry: The number of the entry. Required.
            note: Why; at most 200 characters, no personal data. Default: none.
            cancellation: A `Cancellation`, with which another thread can end this. Default: none.

        Returns:
            The entry, now "settled".

        Raises:
            NotSentError: The journal cannot be used, or the entry cannot be settled.
        """
        options = wire_values(dict(entry=entry, note=note))
        function = library.payorder_journal_settle
        raw = call(self._client, function, (), options, cancellation)
        return JournalEntry.from_mapping(json.loads(raw))

    def prune(
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
            cancellation: A `Cancellation`, with which another thread can end this. Default: none.

        Returns:
            The number of entries that were removed.

        Raises:
            NotSentError: The journal cannot be used, or an argument is invalid.
        """
        options = wire_values(dict(older_than_days=older_than_days))
        function = library.payorder_journal_prune
        raw = call(self._client, function, (), options, cancellation)
        removed: int = json.loads(raw)["removed"]
        return removed

    def _page(
        self,
        which: Mapping[str, Any],
        after: Optional[int],
        left: Optional[int],
        cancellation: Optional[Cancellation],
    ) -> List[JournalEntry]:
        page = _PAGE_WITH_EVENTS if "events" in which else _PAGE
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

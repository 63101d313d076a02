"""The journal: the record of each order that a client sends."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Dict, Iterator, List, Mapping, Optional, Tuple

from ._handles import ClientHandle
from ._interrupts import call_long, call_short
from ._library import library
from ._text import without_none
from .cancellation import Cancellation
from .summaries import Summary

_PAGE = 1000


def _time(text: str) -> datetime:
    # Python older than 3.11 does not read the Z.
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


@dataclass(frozen=True)
class JournalEntry:
    """One attempt to create one order. A field that is not known is None.

    `state` is "sending", "created", "rejected", "not_sent", "unknown" or "settled".
    `transaction_id` and `transaction_status` are the latest ones that the service sent.
    """

    entry: int
    order_id: str
    merchant_txn_id: str
    amount: str
    currency_code: str
    state: str
    url: Optional[str]
    result: Optional[int]
    transaction_id: Optional[str]
    transaction_status: Optional[str]
    started_at: datetime  #: when the call began, in UTC
    deadline: datetime  #: the latest time at which the call ends, in UTC
    updated_at: datetime  #: when the entry was last written, in UTC
    note: Optional[str] = None  #: why it was settled

    @classmethod
    def from_mapping(cls, entry: Mapping[str, Any]) -> JournalEntry:
        """An entry of the library's result."""
        return cls(
            entry["entry"],
            entry["orderId"],
            entry["merchantTxnId"],
            entry["amount"],
            entry["currencyCode"],
            entry["state"],
            entry["url"],
            entry["result"],
            entry["transactionId"],
            entry["transactionStatus"],
            _time(entry["startedAt"]),
            _time(entry["deadline"]),
            _time(entry["updatedAt"]),
            entry.get("note"),
        )

    @property
    def status_query(self) -> Dict[str, str]:
        """The status query for this order."""
        return {"searchType": "1", "orderId": self.order_id}


@dataclass(frozen=True)
class Resolved:
    """The result of `Journal.resolve`: the counts, and the entries that are still unresolved."""

    summary: Summary
    entries: Tuple[JournalEntry, ...]


class Journal:
    """The journal of a client that has one: `client.journal` after `Client(..., journal=path)`."""

    def __init__(self, client: ClientHandle) -> None:
        self._client = client

    def list(
        self,
        *,
        state: Optional[str] = None,
        after: Optional[int] = None,
        limit: Optional[int] = None,
        cancellation: Optional[Cancellation] = None,
    ) -> Iterator[JournalEntry]:
        """The entries, oldest first. They are read page by page while you iterate.

        state: one of the states, or "unresolved" for "sending" and "unknown"; default all.
        after: the number of an entry: start after this one.
        limit: the most entries to return; default all.
        cancellation: a `Cancellation`, with which another thread can end this, as in the other
            methods.
        """
        # The first page is read now, so that an invalid argument is raised here.
        first = self._page(state, after, limit, cancellation)
        return self._pages(first, state, limit, cancellation)

    def resolve(
        self,
        *,
        concurrency: Optional[int] = None,
        rate_per_second: Optional[float] = None,
        timeout_ms: Optional[int] = None,
        cancellation: Optional[Cancellation] = None,
        access_token: Optional[str] = None,
        client_key: Optional[str] = None,
        client_id: Optional[str] = None,
        secret_key: Optional[str] = None,
    ) -> Resolved:
        """Asks for the status of every order that is unresolved, or "created" but not "Completed".

        The statuses are recorded in the journal. If the service does not know an order, its entry
        stays unresolved, because the service may still learn of it. The arguments are those of
        `Client.get_statuses`. Ctrl-C ends the call at once.
        """
        options = without_none(
            concurrency=concurrency,
            ratePerSecond=rate_per_second,
            timeoutMs=timeout_ms,
            accessToken=access_token,
            clientKey=client_key,
            clientId=client_id,
            secretKey=secret_key,
        )
        raw = call_long(
            self._client,
            library.payorder_journal_resolve,
            options=options,
            cancellation=cancellation,
        )
        read = json.loads(raw)
        return Resolved(
            Summary.from_mapping(read["summary"]),
            tuple(map(JournalEntry.from_mapping, read["entries"])),
        )

    def settle(
        self,
        entry: int,
        *,
        note: Optional[str] = None,
        cancellation: Optional[Cancellation] = None,
    ) -> JournalEntry:
        """Closes an entry because a person decided so, and returns it as "settled".

        The entry must be unresolved, or "created" and not "Completed". `resolve` no longer asks
        about it, and its identifiers still count as used.

        note: why; at most 200 characters, no personal data.
        """
        raw = call_short(
            self._client,
            library.payorder_journal_settle,
            options=without_none(entry=entry, note=note),
            cancellation=cancellation,
        )
        return JournalEntry.from_mapping(json.loads(raw))

    def prune(
        self,
        *,
        older_than_days: Optional[int] = None,
        cancellation: Optional[Cancellation] = None,
    ) -> int:
        """Removes closed entries, and returns how many.

        Closed entries are "rejected", "not_sent", "settled", and "created" with the status
        "Completed".

        older_than_days: only entries that are older; 1 to 3650, default 90.
        """
        raw = call_short(
            self._client,
            library.payorder_journal_prune,
            options=without_none(olderThanDays=older_than_days),
            cancellation=cancellation,
        )
        removed: int = json.loads(raw)["removed"]
        return removed

    def _page(
        self,
        state: Optional[str],
        after: Optional[int],
        left: Optional[int],
        cancellation: Optional[Cancellation],
    ) -> List[JournalEntry]:
        limit = _PAGE if left is None else min(left, _PAGE)
        raw = call_short(
            self._client,
            library.payorder_journal_list,
            options=without_none(state=state, after=after, limit=limit),
            cancellation=cancellation,
        )
        return [
            JournalEntry.from_mapping(entry) for entry in json.loads(raw)["entries"]
        ]

    def _pages(
        self,
        page: List[JournalEntry],
        state: Optional[str],
        left: Optional[int],
        cancellation: Optional[Cancellation],
    ) -> Iterator[JournalEntry]:
        while page:
            yield from page
            if left is not None:
                left -= len(page)
                if left <= 0:
                    return
            page = self._page(state, page[-1].entry, left, cancellation)

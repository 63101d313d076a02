"""The journal: what a client has written down of the orders that it sent."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Mapping, Optional, Tuple

from ._library import answer, library
from ._text import c_json, wire_names
from .options import StatusesOptions
from .summaries import Summary
from .waiting import interruptible

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .client import Client

_PAGE = 1000


@dataclass(frozen=True)
class JournalEntry:
    """One sending of one order. What is not known is None.

    `state` is "sending", "created", "rejected", "not_sent" or "unknown". `transaction_id` and `transaction_status` come
    from the last `Journal.resolve`.
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
    updated_at: datetime  #: in UTC

    @classmethod
    def from_mapping(cls, entry: Mapping[str, Any]) -> JournalEntry:
        """An entry as the library gives it."""
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
            # The Z is not read before Python 3.11.
            datetime.fromisoformat(entry["updatedAt"].replace("Z", "+00:00")),
        )

    @property
    def status_query(self) -> Dict[str, str]:
        """What to ask Get Status for this order."""
        return {"searchType": "1", "orderId": self.order_id}


@dataclass(frozen=True)
class Resolved:
    """What was learnt of open entries: the figures of the questions, and the entries that are still unresolved."""

    summary: Summary
    entries: Tuple[JournalEntry, ...]


class Journal:
    """The journal of a client that has one (`Client(..., journal=path)`), which is `client.journal`."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def list(
        self,
        *,
        state: Optional[str] = None,
        after: Optional[int] = None,
        limit: Optional[int] = None,
    ) -> Iterator[JournalEntry]:
        """The entries, oldest first, read page by page as they are taken.

        `state` is one of the states, or "unresolved" for those that are "sending" or "unknown"; `after` an entry's
        number, to go on from there; `limit` the most to give.
        """
        # Now, so that what is wrong is raised here and not where the entries are taken.
        first = self._page(state, after, limit)
        return self._pages(first, state, limit)

    def resolve(self, **options: Unpack[StatusesOptions]) -> Resolved:
        """Asks what became of every order that is unresolved, or "created" and not "Completed", and writes it down.

        That the service does not know an order is no proof that it never will: such an entry stays as it is.
        """
        named = c_json(wire_names("resolve", options, StatusesOptions), "options")
        handle = self._client._handle
        raw = interruptible(
            handle, lambda: answer(library.payorder_journal_resolve, handle, named)
        )
        read = json.loads(raw)
        return Resolved(
            Summary.from_mapping(read["summary"]),
            tuple(map(JournalEntry.from_mapping, read["entries"])),
        )

    def prune(self, *, older_than_days: Optional[int] = None) -> int:
        """Removes settled entries that are older than this (90 days), and gives how many.

        Settled are "rejected", "not_sent", and "created" whose payment is "Completed".
        """
        given = {} if older_than_days is None else {"olderThanDays": older_than_days}
        raw = answer(
            library.payorder_journal_prune,
            self._client._handle,
            c_json(given, "options"),
        )
        removed: int = json.loads(raw)["removed"]
        return removed

    def _page(
        self, state: Optional[str], after: Optional[int], left: Optional[int]
    ) -> List[JournalEntry]:
        limit = _PAGE if left is None else min(left, _PAGE)
        options = {"state": state, "after": after, "limit": limit}
        given = {name: value for name, value in options.items() if value is not None}
        raw = answer(
            library.payorder_journal_list,
            self._client._handle,
            c_json(given, "options"),
        )
        return [
            JournalEntry.from_mapping(entry) for entry in json.loads(raw)["entries"]
        ]

    def _pages(
        self, page: List[JournalEntry], state: Optional[str], left: Optional[int]
    ) -> Iterator[JournalEntry]:
        while page:
            yield from page
            if left is not None:
                left -= len(page)
                if left <= 0:
                    return
            page = self._page(state, page[-1].entry, left)

    def __repr__(self) -> str:
        return f"<the journal of {self._client!r}>"

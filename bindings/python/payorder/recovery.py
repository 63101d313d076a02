"""After a start: one verdict for each sale that may be open."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Mapping, Optional, Tuple

from ._objects import JsonObject, many
from .summaries import Summary
from .verification import FailedCheck


class Verdict(str, Enum):
    """What is known about a sale. It compares equal to its text, such as "paid"."""

    #: Verified, with the amounts of the sale and of the entry. The journal, if any, sent the order.
    PAID = "paid"
    #: A person decides: see `reasons`.
    CHECK = "check"
    #: The order exists and is not paid. The customer pays at `url`.
    PAYABLE = "payable"
    #: It exists and is not paid, and its URL was lost: a person decides.
    URL_LOST = "url_lost"
    #: It may exist. Ask again later. Nothing may be sold again without a person.
    UNKNOWN = "unknown"
    #: Another process is sending it right now.
    SENDING = "sending"
    #: The service refused it, and does not know it now.
    REFUSED = "refused"
    #: It never left the machine, and the service does not know it now.
    NOT_SENT = "not_sent"
    #: A person closed it.
    SETTLED = "settled"
    #: The journal has no entry, and the service, asked now, does not know it.
    NOT_IN_JOURNAL = "not_in_journal"

    def __str__(self) -> str:
        """Its text, also in an f-string."""
        return self.value


@dataclass(frozen=True)
class RecoveredSale(JsonObject):
    """What is known about one sale. An attribute that does not apply is None, or empty.

    Attributes:
        order_id: The order's identifier.
        verdict: A `Verdict`; another text from a newer library.
        amount: The amount of the sale, or of the journal's entry.
        url: Where the customer pays.
        status_query: The query to ask for the order's status.
        transaction_status: The service's own text.
        reasons: With "check": every check that failed.
        entry: The number of the journal's entry.
    """

    order_id: str
    verdict: str
    amount: Optional[str]
    url: Optional[str]
    status_query: Optional[Mapping[str, str]]
    transaction_status: Optional[str]
    reasons: Tuple[FailedCheck, ...]
    entry: Optional[int]

    _readers = {
        "verdict": lambda text: Verdict(text) if text in set(Verdict) else text,
        "reasons": lambda given: many(FailedCheck)(given or ()),
    }


@dataclass(frozen=True)
class Recovered(JsonObject):
    """The result of `Client.recover`.

    Attributes:
        summary: The counts of the queries.
        other_services: How many entries of other services are unresolved.
        sales: The given sales in their order, then those of the journal, oldest first.
        refusal: The service's words, if it refused every query of two or more; otherwise None.
    """

    summary: Summary
    other_services: int
    sales: Tuple[RecoveredSale, ...]
    refusal: Optional[str] = None

    _readers = {"summary": Summary.from_mapping, "sales": many(RecoveredSale)}

"""What is known about one scenario: the judge decides from this record alone."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from datetime import datetime, timezone
from decimal import Decimal
from typing import Any, Dict, FrozenSet, List, Mapping, Optional, Sequence, Tuple

from .protocol import (
    HANDED_OVER,
    NOT_PAID,
    NOT_SENT,
    OPEN,
    PAID,
    REJECTED,
    VERDICTS,
    Sale,
)

#: How long before its end a run need not know any more what changes, in seconds.
_NEWS = 1.0

_DECIMAL = re.compile(r"[0-9]+(\.[0-9]+)?")

#: The codes whose standard meaning is that nothing was done, as HTTP status and as responseCode.
#: The judge asks the library for nothing; a test compares the list with docs/interface.md.
REFUSALS = frozenset([*range(400, 408), *range(410, 418), 421, 422, 426, 428, 429, 431, 451])

#: The states of an order that the customer can pay, or has paid. After a failed payment the customer
#: can try again on the same page.
_OPEN = ("Pending", "Failed", "Completed")

#: A request or an order, as the sandbox's control address returns it.
Entry = Mapping[str, Any]


@dataclass(frozen=True)
class Run:
    """One run of the till."""

    number: int
    #: Seconds since 1970.
    began: float
    ended: float
    verdict: Optional[str]
    #: None if it was killed.
    exit_status: Optional[int] = None
    #: Whether the scenario killed it. Then it need not give a verdict.
    killed: bool = False
    #: Whether it had to be stopped because it took too long.
    overtime: bool = False
    #: The verdicts that are right; None for the truth: see `Record.truth`.
    allowed: Optional[Sequence[str]] = None
    #: Whether an earlier run may have left an order behind.
    later: bool = False
    #: Verdicts that are right although an order of this sale is open: another till's.
    excused: Sequence[str] = ()
    #: Verdicts that are careful and no mistake: they pass with a remark.
    careful: Sequence[str] = ()
    #: The last line of its stderr, or of its stdout.
    last_words: str = ""
    #: What it said in lines of stdout, with the time.
    statements: Sequence[Tuple[float, str]] = ()
    #: The folder of the till: two runs in one folder are one till.
    till: str = ""
    #: A line that shows a URL that no browser may open.
    unsafe_line: Optional[str] = None
    #: Whether it printed a verdict in a way that is not read.
    almost: bool = False

    def claims(self) -> List[Tuple[float, str]]:
        """Each verdict with the time when it was given. A verdict counts when it is printed."""
        said = [one for one in self.statements if one[1] in VERDICTS]
        if said or self.verdict is None:
            return said
        return [(self.ended, self.verdict)]

    def handed_over(self) -> List[float]:
        """When it said that the goods were handed over, apart from the verdict."""
        return [moment for moment, what in self.statements if what == HANDED_OVER]


@dataclass(frozen=True)
class Record:
    """A scenario that is over."""

    sale: Sale
    seconds: float
    runs: Sequence[Run]
    #: By number.
    requests: Sequence[Entry]
    #: Oldest first.
    orders: Sequence[Entry]
    #: The order ids of orders that the exam itself made.
    own: FrozenSet[str] = frozenset()
    #: Whether several runs ran at once.
    concurrent: bool = False
    #: Why no request may be sent over the connection, such as "has expired".
    certificate: Optional[str] = None
    #: Where credentials were found, as (where, name of the credential).
    leaks: Sequence[Tuple[str, str]] = field(default_factory=tuple)
    #: The order ids of the orders that were paid by somebody else than the customer.
    own_presses: Sequence[str] = ()
    #: All sales with this order id, if there was more than one customer.
    sales: Sequence[Sale] = ()
    #: Whether the service could not be used, so that a till may find that it cannot sell.
    troubled: bool = False

    def sale_orders(self) -> List[Entry]:
        """The orders that the till made."""
        return [one for one in self.orders if one["orderId"] not in self.own]

    def sale_requests(self) -> List["Request"]:
        """What the till sent."""
        # In the order in which they arrived. A number is given when a response has ended.
        requests = sorted(map(Request, self.requests), key=lambda one: one.at)
        return [one for one in requests if one.order_id not in self.own or not one.create]

    def open_orders(self, moment: float) -> List[Entry]:
        """The till's orders that a customer could pay, or had paid, at a moment."""
        return [
            one
            for one in self.sale_orders()
            if state_at(one, moment) in _OPEN and not one["refunded"]
        ]

    def truth(self, run: Run) -> Tuple[str, ...]:
        """The verdicts that are true for a run.

        What changes in the last second before its end, it need not know.
        """
        now = self._truth(run.ended)
        before = self._truth(max(run.began, run.ended - _NEWS))
        return now + tuple(one for one in before if one not in now)

    def _truth(self, moment: float) -> Tuple[str, ...]:
        orders = self.sale_orders()
        states = {state_at(one, moment) for one in orders} - {None}
        if "Completed" in states and any(map(is_paid, orders)):
            return (PAID,)
        if states & {"Pending", "Failed"}:
            return (OPEN,)
        if states:
            return (OPEN, NOT_PAID)
        creates = [one for one in self.sale_requests() if one.create]
        if all(one.refused for one in creates):
            return (OPEN, NOT_SENT, REJECTED)
        # A request that was lost could still arrive.
        return (OPEN,)


class Request:
    """A request that the sandbox received."""

    def __init__(self, entry: Entry) -> None:
        self.number: int = entry["number"]
        self.step: str = entry["step"]
        self.at = seconds_since_1970(entry["at"])
        self.sent = _json(entry.get("body"))
        #: The order that it names; None if it names none, as a query by transaction does.
        self.order_id: Optional[str] = self.sent.get("orderId") or entry.get("orderId")
        self.path: str = entry.get("path") or ""
        #: Whether it made the order that it names.
        self.created: bool = bool(entry.get("created"))
        response = entry.get("response") or {}
        self.complete: bool = response.get("ended") == "complete"
        self.status: int = response.get("status") or 0
        self.headers = {
            str(name).lower(): str(value) for name, value in (response.get("headers") or {}).items()
        }
        #: The response's envelope, if the response is complete and readable.
        body = response.get("body") or ""
        self.answer = _json(body) if self.complete else {}
        self._readable = self.complete and (not body or isinstance(_read(body), dict))

    @property
    def create(self) -> bool:
        """Whether it is Create Order, or may be."""
        if self.step == "unread":
            return not self.path.endswith("/GetStatus")
        return self.step == "create"

    @property
    def refused(self) -> bool:
        """Whether the service said clearly that it did not act."""
        data = self.answer.get("data")
        if not self._readable or (isinstance(data, dict) and data.get("url")):
            return False
        text = str(self.answer.get("responseCode") or "")
        code = int(text) if text.isdecimal() and len(text) == 3 else 0
        if self.status == 200:
            return code in REFUSALS
        return self.status in REFUSALS and (not text or code in REFUSALS)

    @property
    def answered(self) -> bool:
        """Whether Get Status said something about the order: its status, or that there is none."""
        return bool(self.told) or (self.refused and self.status != 429)

    @property
    def _data(self) -> Dict[str, Any]:
        """The data of a success; empty if it is none."""
        data = self.answer.get("data")
        success = self.status == 200 and str(self.answer.get("responseCode")) == "200"
        return data if success and isinstance(data, dict) else {}

    @property
    def made(self) -> bool:
        """Whether the till was told that the order exists, and where the customer pays."""
        return str(self._data.get("url", "")).startswith("http")

    @property
    def told(self) -> Dict[str, Any]:
        """What Get Status said about an order; empty if it said nothing."""
        return {} if self.create else self._data

    @property
    def retry_after(self) -> float:
        """The seconds that the service asked the till to wait."""
        text = self.headers.get("retry-after", "")
        return float(text) if self.status == 429 and text.isdecimal() else 0.0


def _json(text: object) -> Dict[str, Any]:
    read = _read(text)
    return read if isinstance(read, dict) else {}


def _read(text: object) -> object:
    try:
        # A till's reader of JSON may skip a byte order mark.
        return json.loads(str(text).lstrip("\ufeff"))
    except (ValueError, RecursionError):
        return None


def seconds_since_1970(text: str) -> float:
    """Reads a time such as 2026-11-22T10:20:30.123Z."""
    form = "%Y-%m-%dT%H:%M:%S.%fZ" if "." in text else "%Y-%m-%dT%H:%M:%SZ"
    return datetime.strptime(text, form).replace(tzinfo=timezone.utc).timestamp()


def is_paid(order: Entry) -> bool:
    """Whether the service has the customer's money for this order."""
    return order["state"] == "Completed" and not order["refunded"]


def state_at(order: Entry, moment: float) -> Optional[str]:
    """The state that an order had at a moment, or None if it did not exist yet."""
    if seconds_since_1970(order["createdAt"]) > moment:
        return None
    state = "Pending"
    for one in order["transactions"]:
        if seconds_since_1970(one["at"]) <= moment:
            state = one["state"]
    return state


def same_amount(one: object, other: str) -> bool:
    """Whether two decimal texts are the same amount."""
    if not isinstance(one, str) or _DECIMAL.fullmatch(one) is None:
        return False
    return Decimal(one) == Decimal(other)

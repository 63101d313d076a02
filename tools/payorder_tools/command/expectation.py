"""What a payment must be: the order id and the amount, from the caller or from the journal.

They never come from the service's response: then every payment would be the expected one.
"""

from __future__ import annotations

import argparse
from typing import Iterator, List, NamedTuple, Optional, Tuple
from urllib.parse import quote, urlsplit

from payorder.client import Client
from payorder.errors import PayorderError
from payorder.journal_entries import JournalEntry
from . import settings
from .output import warn

_USUAL_PORTS = {"http": 80, "https": 443}
_ASCII = "".join(map(chr, range(128)))


class Expectation(NamedTuple):
    """The expected payment. What neither the caller nor the journal says is None."""

    order_id: Optional[str]
    amount: Optional[str]
    #: The order's entries in the journal that the service may have. An order that was sent again
    #: has several.
    entries: Tuple[JournalEntry, ...] = ()

    @property
    def settled(self) -> bool:
        """Whether a person has closed the order, for example because it was paid in cash."""
        return any(entry.state == "settled" for entry in self.entries)

    @property
    def checkout_url(self) -> Optional[str]:
        """Where the customer can pay the order, if the journal knows it."""
        urls = [entry.url for entry in self.entries if entry.url]
        return urls[-1] if urls and all(map(is_open, self.entries)) else None


def expectation(client: Client, args: argparse.Namespace) -> Expectation:
    """What is expected of the order that the arguments name.

    If they name no order id, the only open order in the journal is the expected one.
    """
    order_id = args.order_id
    found: List[JournalEntry] = []
    try:
        found = list(_entries(client, args))
    except PayorderError as error:
        warn(f"the journal cannot be read: {error.message}")
    if order_id is None:
        open_orders = {one.order_id for one in found if is_open(one)}
        if len(open_orders) != 1:
            return Expectation(None, args.amount)
        [order_id] = open_orders
    entries = tuple(
        one
        for one in found
        if one.order_id == order_id and one.state not in ("rejected", "not_sent")
    )
    amount = entries[-1].amount if entries else None
    return Expectation(order_id, args.amount or amount, entries)


def is_open(entry: JournalEntry) -> bool:
    """Whether the customer may still pay the order, as far as the journal knows."""
    return entry.state in ("sending", "unknown") or (
        entry.state == "created" and entry.transaction_status != "Completed"
    )


def is_of(entry: JournalEntry, base_url: str) -> bool:
    """Whether an entry belongs to the service at this address."""
    return entry.service == service_name(base_url)


def service_name(base_url: str) -> str:
    """A service's address in the form in which the journal has it."""
    url = urlsplit(base_url)
    scheme, host = url.scheme.lower(), url.netloc.rpartition("@")[2].lower()
    if url.port is not None:
        host = host.rpartition(":")[0]
        if url.port != _USUAL_PORTS.get(scheme):
            host += f":{url.port}"
    return f"{scheme}://{host}{quote(url.path.rstrip('/'), safe=_ASCII)}"


def _entries(client: Client, args: argparse.Namespace) -> Iterator[JournalEntry]:
    config = settings.settings(args)
    if "journal" in config:
        for entry in client.journal.list(order_id=args.order_id):
            if is_of(entry, str(config["baseUrl"])):
                yield entry

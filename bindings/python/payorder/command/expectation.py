"""What a payment must be: the order id and the amount, from the caller or from the journal.

They never come from the service's response: then every payment would be the expected one.
"""

from __future__ import annotations

import argparse
from typing import Iterator, NamedTuple, Optional
from urllib.parse import urlsplit

from ..client import Client
from ..errors import PayorderError
from ..journals import JournalEntry
from . import settings
from .output import warn

_USUAL_PORTS = {"http": ":80", "https": ":443"}


class Expectation(NamedTuple):
    """The expected payment. What neither the caller nor the journal says is None."""

    order_id: Optional[str]
    amount: Optional[str]
    #: The order's entry in the journal.
    entry: Optional[JournalEntry] = None

    @property
    def settled(self) -> bool:
        """Whether a person has closed the order, for example because it was paid in cash."""
        return self.entry is not None and self.entry.state == "settled"

    @property
    def checkout_url(self) -> Optional[str]:
        """Where the customer can pay the order, if the journal knows it."""
        entry = self.entry
        return entry.url if entry is not None and is_open(entry) else None


def expectation(client: Client, args: argparse.Namespace) -> Expectation:
    """What is expected of the order that the arguments name.

    If they name no order id, the only open order in the journal is the expected one.
    """
    entry = None
    try:
        found = _entries(client, args)
        if args.order_id is not None:
            for one in found:
                # The last one that the service may have.
                if one.state not in ("rejected", "not_sent"):
                    entry = one
        else:
            open_orders = [one for one in found if is_open(one)]
            if len(open_orders) == 1:
                entry = open_orders[0]
    except PayorderError as error:
        warn(f"the journal cannot be read: {error.message}")
    if entry is None:
        return Expectation(args.order_id, args.amount)
    return Expectation(entry.order_id, args.amount or entry.amount, entry)


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
    host = url.netloc.rpartition("@")[2].lower()
    usual = _USUAL_PORTS.get(url.scheme.lower(), "")
    if usual and host.endswith(usual):
        host = host[: -len(usual)]
    return f"{url.scheme.lower()}://{host}{url.path.rstrip('/')}"


def _entries(client: Client, args: argparse.Namespace) -> Iterator[JournalEntry]:
    config = settings.settings(args)
    if "journal" in config:
        for entry in client.journal.list(order_id=args.order_id):
            if is_of(entry, str(config["baseUrl"])):
                yield entry

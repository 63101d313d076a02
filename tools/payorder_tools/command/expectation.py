"""What a payment must be: the order id and the amount, from the caller or from the journal.

They never come from the service's response: then every payment would be the expected one.
"""

from __future__ import annotations

import argparse
import contextlib
import logging
import os
from datetime import datetime
from decimal import Decimal
from typing import List, NamedTuple, Optional, Tuple

from payorder._text import wire_name
from payorder.client import Client
from payorder.errors import (
    ConnectError,
    NotSentError,
    PayorderError,
    RejectedError,
    error_class,
)
from payorder.journal_entries import JournalEntry
from payorder.orders import OrderFields
from . import settings
from .exits import UsageError
from .output import warn

_SETTLED = "a person had settled this order in the journal"
_EXISTS = "the service had this order already when it was sent, so it may be another sale's"
_REFUSED = "the journal says that it was never created: it may have been sold again"
_ABSENT = "this journal does not have the order, so it may be another till's or another sale's"
_OTHER_AMOUNT = "the journal has another amount for this order"

#: An order that is never sent.
_NO_ORDER = {
    **dict.fromkeys(map(wire_name, OrderFields.__annotations__), "none"),
    **{"amount": "1", "payMode": "all", "redirectionURL": "https://example.com/"},
}


class Doubt(NamedTuple):
    """Why a payment of this order is not called paid, although its status is as expected."""

    check: str
    expected: Optional[str]
    actual: Optional[str]
    words: str


class Expectation(NamedTuple):
    """The expected payment. What neither the caller nor the journal says is None."""

    order_id: Optional[str]
    amount: Optional[str]
    #: The order's entries in the journal that the service may have. An order that was sent again
    #: has several.
    entries: Tuple[JournalEntry, ...] = ()
    #: When this process began to send the order.
    began: Optional[str] = None
    #: The journal cannot be read. A person may have settled the order.
    journal_unread: bool = False
    #: Each time that it was sent, it was refused or not sent: it may have been sold again.
    refused: bool = False
    #: The journal has no entry of it at this service.
    absent: bool = False

    @property
    def not_before(self) -> Optional[str]:
        """The earliest moment at which it can have been paid."""
        began = self.entries[0].started_at if self.entries else self.began
        return began.isoformat() if isinstance(began, datetime) else began

    @property
    def doubts(self) -> List[Doubt]:
        """What the journal says against the sale. The customer may have paid twice, or somebody
        else has paid."""
        amounts = [entry.amount for entry in self.entries]
        other = [one for one in amounts if Decimal(one) != Decimal(self.amount or one)]
        # A person has closed the order, for example because it was paid in cash.
        settled = any(entry.state == "settled" for entry in self.entries)
        # If the only answers to Create Order were 409, an order with these identifiers was there
        # already, and nothing shows that this journal sent it.
        events = [event for entry in self.entries for event in entry.events or ()]
        answers = [event for event in events if event.http_status is not None]
        others = bool(answers) and all(
            "409" in (str(event.http_status), event.response_code) for event in answers
        )
        found = (
            (settled, Doubt("journal", "open", "settled", _SETTLED)),
            (others, Doubt("orderExists", "no", "yes", _EXISTS)),
            (self.absent, Doubt("journal", "created", None, _ABSENT)),
            (self.refused, Doubt("journal", "created", "refused", _REFUSED)),
            (
                bool(other),
                Doubt("entryAmount", self.amount, next(iter(other), None), _OTHER_AMOUNT),
            ),
        )
        return [doubt for is_so, doubt in found if is_so]

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
    found, unread = _entries(client, args, order_id)
    if order_id is None:
        open_orders = {one.order_id for one in found or () if is_open(one)}
        if len(open_orders) != 1:
            return Expectation(None, args.amount, journal_unread=unread)
        [order_id] = open_orders
    return _by_journal(order_id, args.amount, found, unread)


def read_again(expected: Expectation, client: Client, args: argparse.Namespace) -> Expectation:
    """The expectation with what the journal has now."""
    if expected.order_id is None or expected.journal_unread:
        return expected
    found, unread = _entries(client, args, expected.order_id)
    again = _by_journal(expected.order_id, expected.amount, found, unread)
    return again._replace(began=expected.began)


def _by_journal(
    order_id: str, amount: Optional[str], found: Optional[List[JournalEntry]], unread: bool
) -> Expectation:
    """What is expected of an order, with the result of `_entries`."""
    own = [one for one in found or () if one.order_id == order_id]
    absent = found is not None and not own
    return by_entries(order_id, amount, own)._replace(journal_unread=unread, absent=absent)


def by_entries(order_id: str, amount: Optional[str], own: List[JournalEntry]) -> Expectation:
    """What is expected of an order with these entries, which are all that the journal has of it.

    Without an amount, that of the last entry is expected.
    """
    entries = tuple(one for one in own if one.state not in ("rejected", "not_sent"))
    recorded = entries[-1].amount if entries else None
    refused = bool(own) and all(map(_was_refused, own))
    return Expectation(order_id, amount or recorded, entries, refused=refused)


def _was_refused(entry: JournalEntry) -> bool:
    """Whether its call ended so. A status that names it changes its state, but not its result."""
    failed = error_class(entry.result) if entry.result else PayorderError
    return issubclass(failed, (NotSentError, RejectedError))


def is_open(entry: JournalEntry) -> bool:
    """Whether the customer may still pay the order, as far as the journal knows."""
    return entry.state in ("sending", "unknown") or (
        entry.state == "created" and entry.transaction_status != "Completed"
    )


def own_service(args: argparse.Namespace) -> Optional[str]:
    """The service of the settings, as its entries in the journal name it; None without a journal."""
    config = settings.settings(args)
    if "journal" not in config:
        return None
    journal = str(config["journal"])
    # A container that is read-only may have no other folder that can be written.
    last = None if settings.in_database(journal) else os.path.dirname(os.path.abspath(journal))
    for folder in (None,) if last is None else (None, last):
        with contextlib.suppress(OSError):
            return service_name(str(config["baseUrl"]), folder)
    raise UsageError("no folder for temporary files can be written: name one in TMPDIR")


def service_name(base_url: str, parent: Optional[str] = None) -> str:
    """A service's address in the library's own form, which is in each entry of a journal: also in
    that of an order that cannot leave this machine, because its proxy does not listen.

    `parent` is the folder for temporary files, by default the system's."""
    import socket
    import tempfile

    with tempfile.TemporaryDirectory(dir=parent) as folder, socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        client = Client(
            base_url,
            journal=os.path.join(folder, "journal"),
            proxy="http://%s:%d" % nobody.getsockname(),
            create_retries=0,
            allow_insecure_http=True,
        )
        # An order that nobody sells is not in the log either.
        logger = logging.getLogger("payorder")
        logger.disabled = True
        try:
            with client:
                with contextlib.suppress(ConnectError):
                    client.create_order(_NO_ORDER, access_token="-")
                [entry] = client.journal.list()
        finally:
            logger.disabled = False
    return str(entry.service)


def _entries(
    client: Client, args: argparse.Namespace, order_id: Optional[str]
) -> Tuple[Optional[List[JournalEntry]], bool]:
    """The entries at this service, None without a journal; and whether it cannot be read."""
    try:
        service = own_service(args)
        if service is None:
            return None, False
        found = client.journal.list(order_id=order_id, events=True)
        return [entry for entry in found if entry.service == service], False
    except (PayorderError, UsageError) as error:
        warn(f"the journal cannot be read: {getattr(error, 'message', error)}")
        return None, True

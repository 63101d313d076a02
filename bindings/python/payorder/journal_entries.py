"""The entries of the journal, and what happened to them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Dict, Literal, Optional, Tuple

from ._objects import JsonObject, many
from ._times import time_of

#: The states of an entry.
JournalState = Literal[
    "sending", "created", "rejected", "not_sent", "unknown", "settled"
]


@dataclass(frozen=True)
class JournalEvent(JsonObject):
    """Something that happened to an entry of the journal. A field that does not apply is None.

    Attributes:
        number: The number of the event in its entry, from 1. Where numbers are missing, old
            statuses were dropped.
        at: When it happened, in UTC.
        event: "sending", "attempt", "status" or "settled".
        body_sha256: Of "sending": the SHA-256 of the request's body, in hexadecimal digits.
        body_bytes: Of "sending": the length of the request's body in bytes.
        attempt: Of "attempt": the number of the attempt in its call, from 1.
        duration_ms: Of "attempt": how long it took, in milliseconds.
        bytes_sent: Of "attempt": bytes of the request that were sent; with TLS, of the records
            that carry it.
        http_status: Of "attempt": the HTTP status of the response.
        response_code: Of "attempt": the service's own code.
        result: Of "attempt": the library's result number; see `Result`.
        cause: Of "attempt": why it failed.
        transaction_id: Of "status": as the service sent it.
        transaction_status: Of "status": as the service sent it.
        amount: Of "status": as the service sent it.
        refund_status: Of "status": as the service sent it.
        refund_type: Of "status": as the service sent it.
        settlement_status: Of "status": as the service sent it.
        settlement_date: Of "status": as the service sent it.
        note: Of "settled": why.
        host: Of "attempt" and "status": the service's host and port.
        proxy: Of "attempt" and "status": whether the request went through a proxy.
        tls: Of "attempt" and "status": whether the connection to the service used TLS.
        certificate_sha256: Of "attempt" and "status": the SHA-256 of the service's certificate
            (its DER form), in hexadecimal digits.
    """

    number: int
    at: datetime
    event: str
    body_sha256: Optional[str] = None
    body_bytes: Optional[int] = None
    attempt: Optional[int] = None
    duration_ms: Optional[int] = None
    bytes_sent: Optional[int] = None
    http_status: Optional[int] = None
    response_code: Optional[str] = None
    result: Optional[int] = None
    cause: Optional[str] = None
    transaction_id: Optional[str] = None
    transaction_status: Optional[str] = None
    amount: Optional[str] = None
    refund_status: Optional[str] = None
    refund_type: Optional[str] = None
    settlement_status: Optional[str] = None
    settlement_date: Optional[str] = None
    note: Optional[str] = None
    host: Optional[str] = None
    proxy: Optional[bool] = None
    tls: Optional[bool] = None
    certificate_sha256: Optional[str] = None

    _readers = {"at": time_of}


@dataclass(frozen=True)
class JournalEntry(JsonObject):
    """One attempt to create one order. A field that is not known is None.

    Attributes:
        entry: The entry's number; later entries have higher ones.
        order_id: The order's identifier.
        merchant_txn_id: The identifier of the transaction.
        amount: The amount as it was sent.
        currency_code: The currency as it was sent.
        state: "sending", "created", "rejected", "not_sent", "unknown" or "settled".
        url: The checkout URL.
        service: The base URL of the service that it was sent to.
        result: The library's result number; see `Result`.
        transaction_id: The latest one that the service sent.
        transaction_status: The latest one that the service sent.
        started_at: When the call began, in UTC.
        deadline: The latest time at which the call ends, in UTC.
        updated_at: When the entry was last written, in UTC.
        note: Why it was settled.
        events: What happened to it, oldest first. Only with `events=True`.
    """

    entry: int
    order_id: str
    merchant_txn_id: str
    amount: str
    currency_code: str
    state: JournalState
    url: Optional[str]
    service: str
    result: Optional[int]
    transaction_id: Optional[str]
    transaction_status: Optional[str]
    started_at: datetime
    deadline: datetime
    updated_at: datetime
    note: Optional[str] = None
    events: Optional[Tuple[JournalEvent, ...]] = None

    _readers = {
        "started_at": time_of,
        "deadline": time_of,
        "updated_at": time_of,
        "events": many(JournalEvent),
    }

    @property
    def status_query(self) -> Dict[str, str]:
        """The status query for this order."""
        return {"searchType": "1", "orderId": self.order_id}

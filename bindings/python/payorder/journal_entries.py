# Generated from include/payorder-abi.json by bindings/generate.
"""The entries of the journal, and what happened to them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Dict, Literal, Optional, Tuple

from ._objects import JsonObject, many
from ._times import time_of

#: The states of an entry.
JournalState = Literal["sending", "created", "rejected", "not_sent", "unknown", "settled"]


@dataclass(frozen=True)
class JournalEvent(JsonObject):
    """Something that happened to an entry of the journal. A field that does not apply is None.

    Attributes:
        number: Its number in the entry, from 1; missing numbers are old statuses that were
            dropped.
        at: When it happened, in UTC: "2026-11-21T14:05:06.789Z".
        event: Sending, attempt, status or settled.
        body_sha256: Sending: the SHA-256 of the request's body, in hexadecimal digits.
        body_bytes: Sending: the length of the request's body in bytes.
        attempt: Attempt: its number in the call, from 1.
        duration_ms: Attempt: how long it took, in milliseconds.
        bytes_sent: Attempt: bytes of the request that were sent; with TLS, of the records that
            carry it.
        http_status: Attempt: the HTTP status of the response.
        response_code: Attempt: the service's own code.
        result: Attempt: its result number.
        cause: Attempt: why it failed.
        transaction_id: Status: as the service sent it.
        transaction_status: Status: as the service sent it.
        amount: Status: as the service sent it.
        refund_status: Status: as the service sent it.
        refund_type: Status: as the service sent it.
        settlement_status: Status: as the service sent it.
        settlement_date: Status: as the service sent it.
        note: Settled: why.
        request_id: Attempt and status: what the response calls the request, for the service's
            support.
        host: Attempt and status: the service's host and port.
        proxy: Attempt and status: whether the request went through a proxy.
        tls: Attempt and status: whether the connection to the service used TLS.
        certificate_sha256: Attempt and status: the SHA-256 of the service's certificate (its
            DER form), in hexadecimal digits.
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
    request_id: Optional[str] = None
    host: Optional[str] = None
    proxy: Optional[bool] = None
    tls: Optional[bool] = None
    certificate_sha256: Optional[str] = None

    _readers = {"at": time_of}


@dataclass(frozen=True)
class JournalEntry(JsonObject):
    """One attempt to create one order. A field that is not known is None.

    Attributes:
        entry: A whole number; later entries have higher ones.
        order_id: The order's identifier.
        merchant_txn_id: The identifier of the transaction.
        amount: The amount as it was sent.
        currency_code: The currency as it was sent.
        state: Sending, created, rejected, not_sent, unknown or settled.
        url: The checkout URL, or null if it is not known.
        service: The base URL of the service that it was sent to.
        result: The result number of the call, or null if it is not known.
        transaction_id: The service's identifier of the transaction, or null if no status was
            seen.
        transaction_status: The status that was last seen, or null.
        started_at: When the call started, in UTC: "2026-11-21T14:05:06.789Z".
        deadline: When the call ends at the latest, in the same form.
        updated_at: When the entry was last written, in the same form.
        note: Why a person closed it, if they gave a note.
        events: What happened to it, oldest first; only with the option `events`.
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

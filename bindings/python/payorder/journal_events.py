"""What happened to an entry of the journal."""

from __future__ import annotations

from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any, Dict, Mapping, Optional

from ._text import wire_name
from ._times import time_of, time_text


@dataclass(frozen=True)
class JournalEvent:
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
    note: Optional[str] = None
    host: Optional[str] = None
    proxy: Optional[bool] = None
    tls: Optional[bool] = None
    certificate_sha256: Optional[str] = None

    @classmethod
    def from_mapping(cls, event: Mapping[str, Any]) -> JournalEvent:
        """Reads an event of the library's result.

        Args:
            event: The event, with the keys of the library's JSON.

        Returns:
            The event.
        """
        given: Dict[str, Any] = {
            field.name: event.get(wire_name(field.name)) for field in fields(cls)
        }
        given["at"] = time_of(event["at"])
        return cls(**given)

    def to_dict(self) -> Dict[str, Any]:
        """This event as a dict for `json.dumps`, with the keys of the library's JSON.

        Returns:
            A new dict.
        """
        named = {field.name: getattr(self, field.name) for field in fields(self)}
        named["at"] = time_text(self.at)
        return {
            wire_name(key): value for key, value in named.items() if value is not None
        }

"""What one call may set for itself."""

from __future__ import annotations

from typing import Mapping, Optional, Sequence, TypedDict


class CallOptions(TypedDict, total=False):
    """What one call may set for itself."""

    access_token: Optional[str]
    client_key: Optional[str]
    client_id: Optional[str]
    secret_key: Optional[str]
    timeout_ms: Optional[int]


class CreateOptions(CallOptions, total=False):
    """What one Create Order may set for itself."""

    extra_fields: Optional[
        Mapping[str, str]
    ]  #: further fields, put on the wire after the eleven
    resend: Optional[bool]  #: send again an order that the journal has as unknown


class WaitOptions(CallOptions, total=False):
    """What one wait for a payment may set for itself; `timeout_ms` bounds each question."""

    wait_ms: Optional[int]  #: the whole wait; 300000
    interval_ms: Optional[
        int
    ]  #: between the first two questions; widens by half each time; 3000
    max_interval_ms: Optional[int]  #: the widest; 15000
    final: Optional[Sequence[str]]  #: statuses that end the wait, beside "Completed"


class StatusesOptions(CallOptions, total=False):
    """What one asking for many statuses may set for itself; the others are each question's."""

    concurrency: Optional[int]  #: how many questions are under way at once, 1 to 64; 8
    rate_per_second: Optional[
        float
    ]  #: the most questions in any second, evenly spaced; no limit by default

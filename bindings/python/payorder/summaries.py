"""The counts of many status queries."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Dict

from ._objects import JsonObject


@dataclass(frozen=True)
class Summary(JsonObject):
    """How many queries have a result, by outcome and by status.

    Attributes:
        asked: The number of results: the sum of the next four.
        ok: The number of queries with a status.
        rejected: The number of queries that the service refused.
        unknown: The number of queries without a usable response.
        not_sent: The number of queries of which nothing was sent.
        stopped: Whether it was stopped or cancelled.
        elapsed_ms: How long it took, in milliseconds.
        transaction_status: The number of statuses for each `transaction_status`: the first 1000
            different texts of at most 64 bytes; longer ones are counted together as "(other)".
    """

    asked: int
    ok: int
    rejected: int
    unknown: int
    not_sent: int
    stopped: bool
    elapsed_ms: int
    transaction_status: Dict[str, int] = field(hash=False)

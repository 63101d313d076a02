"""The counts of many status queries."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, Mapping


@dataclass(frozen=True)
class Summary:
    """How many queries have a result, by outcome and by status.

    `asked` is the number of results: the sum of `ok`, `rejected`, `unknown` and `not_sent`.
    `stopped` means that it was stopped or cancelled. `transaction_status` counts the
    statuses by their `transaction_status`: the first 1000 different texts of at most 64 bytes;
    longer ones are counted together as "(other)".
    """

    asked: int
    ok: int
    rejected: int
    unknown: int
    not_sent: int
    stopped: bool
    elapsed_ms: int
    transaction_status: Dict[str, int] = field(hash=False)

    @classmethod
    def from_mapping(cls, summary: Mapping[str, Any]) -> Summary:
        """Reads the library's summary."""
        return cls(
            summary["asked"],
            summary["ok"],
            summary["rejected"],
            summary["unknown"],
            summary["notSent"],
            summary["stopped"],
            summary["elapsedMs"],
            dict(summary["transactionStatus"]),
        )

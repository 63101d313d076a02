"""The results of many status queries, in figures."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, Mapping


@dataclass(frozen=True)
class Summary:
    """How many queries have a result, and which.

    `asked` is the number of results: the sum of `ok`, `rejected`, `unknown` and `not_sent`.
    `stopped` means that it ended before every query was asked. `transaction_status` counts the
    statuses by their `transaction_status`: the first 1000 different texts of at most 64 bytes;
    longer ones count together under "(other)".
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
        """A summary as the library gives it."""
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

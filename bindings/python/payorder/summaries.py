"""What became of many questions, in figures."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, Mapping


@dataclass(frozen=True)
class Summary:
    """How many questions were answered, and how.

    `asked` counts results: it is the sum of the next four. `stopped` says that it ended before every question was
    asked. `transaction_status` counts the texts of the statuses that came, the first 1000 different ones.
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

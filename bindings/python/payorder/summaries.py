"""The counts of many status queries."""

from __future__ import annotations

from typing import Dict, Optional

from ._values import Summary as Summary

# The limits of the library's own summary: how many different texts, and how many bytes each.
_MAX_STATUS_TEXTS = 1000
_MAX_STATUS_BYTES = 64
_OTHER = "(other)"


class Counts:
    """Counts the results that have arrived, as the library does."""

    def __init__(self) -> None:
        self._outcomes = {"ok": 0, "rejected": 0, "unknown": 0, "not_sent": 0}
        self._texts: Dict[str, int] = {}

    def failed(self, outcome: str) -> None:
        self._outcomes[outcome] = self._outcomes.get(outcome, 0) + 1

    def answered(self, text: Optional[str]) -> None:
        """Counts a status by its text; None: one with U+0000, which the library cannot return."""
        self._outcomes["ok"] += 1
        counts = self._texts
        if text not in counts:
            if text is None or len(text.encode("utf-8", "replace")) > _MAX_STATUS_BYTES:
                text = _OTHER
            elif len(counts) >= _MAX_STATUS_TEXTS and text != _OTHER:
                return
        counts[text] = counts.get(text, 0) + 1

    def summary(self, stopped: bool, elapsed_ms: int) -> Summary:
        counts = self._outcomes
        return Summary(
            sum(counts.values()),
            counts["ok"],
            counts["rejected"],
            counts["unknown"],
            counts["not_sent"],
            stopped,
            elapsed_ms,
            dict(self._texts),
        )

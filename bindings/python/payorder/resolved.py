"""What `Journal.resolve` found out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Tuple

from ._objects import JsonObject, many
from .journal_entries import JournalEntry
from .summaries import Summary


@dataclass(frozen=True)
class Resolved(JsonObject):
    """The result of `Journal.resolve`.

    Attributes:
        summary: The counts of the queries.
        entries: The entries that are still unresolved.
        other_services: How many entries of other services are unresolved. They were not asked
            about.
    """

    summary: Summary
    entries: Tuple[JournalEntry, ...]
    other_services: int = 0

    _readers = {
        "summary": Summary.from_mapping,
        "entries": many(JournalEntry),
    }

"""Converts the times of the journal."""

from __future__ import annotations

from datetime import datetime, timezone


def time_of(text: str) -> datetime:
    """A time of the library's JSON."""
    # Python older than 3.11 does not read the Z.
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def time_text(time: datetime) -> str:
    """A time as the library's JSON has it."""
    utc = time.astimezone(timezone.utc).replace(tzinfo=None)
    return utc.isoformat(timespec="milliseconds") + "Z"

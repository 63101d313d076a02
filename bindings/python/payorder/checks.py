"""Does everything work?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Mapping, Optional, Tuple

from ._objects import JsonObject, many


@dataclass(frozen=True)
class CheckStep(JsonObject):
    """One thing that `Client.check` looked at.

    Attributes:
        step: "proxy", "name", "connect", "tls", "clock", "service", "credentials" or "journal".
        ok: Whether it works.
        elapsed_ms: How long it took, in milliseconds.
        message: For people; may change.
        details: What was found, with the names of the library, such as `validUntil`.
        cause: Why it failed, for programs: compare with `Cause`. None if it did not.
        action: What to do if it failed: compare with `Action`.
    """

    step: str
    ok: bool
    elapsed_ms: int
    message: str
    details: Mapping[str, Any]
    cause: Optional[str] = None
    action: Optional[str] = None


@dataclass(frozen=True)
class Checked(JsonObject):
    """The result of `Client.check`.

    Attributes:
        ok: Whether no step failed.
        steps: In the order in which they were made. After a failed one, those that need it are
            left out.
    """

    ok: bool
    steps: Tuple[CheckStep, ...]

    _readers = {"steps": many(CheckStep)}

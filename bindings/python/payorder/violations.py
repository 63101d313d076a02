"""What is wrong with a request."""

from __future__ import annotations

from dataclasses import dataclass

from ._objects import JsonObject


@dataclass(frozen=True)
class Violation(JsonObject):
    """A field that breaks a rule of the service's interface.

    Attributes:
        field: The field's wire name.
        rule: The rule, for programs: "required", "type", "blank", "characters", "decimal",
            "minimum", "allowed", "url", "unknown_field" or "conflict".
        message: For people; may change.
    """

    field: str
    rule: str
    message: str

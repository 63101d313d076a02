"""The report for other programs."""

from __future__ import annotations

import json

from ..results import ExamResult


def render(result: ExamResult) -> str:
    """The whole result as one JSON object."""
    return json.dumps(result.to_dict(), indent=2) + "\n"

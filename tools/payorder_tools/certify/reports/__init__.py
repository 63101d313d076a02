"""Reports of an exam, as text."""

from __future__ import annotations

import json
from typing import Callable, Dict

from ..results import ExamResult
from . import html, junit

#: The reports that are written to a file, by the name of their option.
FILES: Dict[str, Callable[[ExamResult], str]] = {
    "html": html.render,
    "junit": junit.render,
    "json": lambda result: json.dumps(result.to_dict(), indent=2) + "\n",
}

"""Reports of an exam. Each module has `render`, which returns the report as text."""

from __future__ import annotations

from typing import Callable, Dict

from ..results import ExamResult
from . import html, json, junit

#: The reports that are written to a file, by the name of their option.
FILES: Dict[str, Callable[[ExamResult], str]] = {
    "html": html.render,
    "junit": junit.render,
    "json": json.render,
}

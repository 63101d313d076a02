"""What a person gives: numbers, amounts, JSON files. What cannot be used is said before anything is sent."""

from __future__ import annotations

import argparse
import json
import re
from typing import IO, Any, Dict, List, Tuple

from .output import Unusable


def seconds(text: str) -> float:
    """An argument that says how long."""
    value = float(text)
    if not 0 <= value <= 86_400:
        raise argparse.ArgumentTypeError("from 0 to 86400 seconds")
    return value


def rate(text: str) -> float:
    """An argument that says how many a second."""
    value = float(text)
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError("above 0")
    return value


def amount(text: str) -> str:
    """An argument that is an amount."""
    if re.fullmatch(r"[0-9]+(\.[0-9]+)?", text, re.ASCII) is None:
        raise argparse.ArgumentTypeError("decimal text, such as 249.50")
    return text


def json_object(file: IO[str], name: str) -> Dict[str, Any]:
    """The one object in a file; `name` is what the file is called."""
    try:
        found = json.load(file, object_pairs_hook=_only_once)
    except ValueError as error:
        # Its own words are about places and keys, and show no value.
        kind = "is not JSON" if isinstance(error, json.JSONDecodeError) else "cannot be used"
        raise Unusable(f"{name} {kind}: {error}") from None
    if not isinstance(found, dict):
        raise Unusable(f"{name} must be one JSON object")
    return found


def _only_once(pairs: List[Tuple[str, Any]]) -> Dict[str, Any]:
    """An object that has no key twice, since nobody can know which was meant."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"it has the key {next(name for name in names if names.count(name) > 1)} twice")
    return found

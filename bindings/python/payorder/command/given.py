"""What a person gives: numbers, amounts, JSON files. What cannot be used is said before anything is sent."""

from __future__ import annotations

import argparse
import contextlib
import json
import re
import sys
from typing import IO, Any, Dict, Iterator, List, Tuple

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


@contextlib.contextmanager
def opened(path: str, name: str) -> Iterator[IO[str]]:
    """A text file, or stdin for "-"; `name` is what it is called. Bytes that are no text are left to whoever uses that text."""
    if path == "-" and sys.stdin is None:
        raise Unusable(f"{name} cannot be read: stdin is closed")
    try:
        # Programs of Windows put a mark before the first character.
        file = open(
            0 if path == "-" else path,
            encoding="utf-8-sig",
            errors="surrogateescape",
            newline="",
            closefd=path != "-",
        )
    except OSError as error:
        raise Unusable(f"{name} cannot be read: {error.strerror}") from None
    with file:
        yield file


def json_object(file: IO[str], name: str) -> Dict[str, Any]:
    """The one object in a file; `name` is what the file is called."""
    try:
        found = json.load(file, object_pairs_hook=_only_once)
    except OSError as error:
        raise Unusable(f"{name} cannot be read: {error.strerror}") from None
    except ValueError as error:
        # Its own words are about places and keys, and show no value.
        kind = (
            "is not JSON"
            if isinstance(error, json.JSONDecodeError)
            else "cannot be used"
        )
        raise Unusable(f"{name} {kind}: {error}") from None
    if not isinstance(found, dict):
        raise Unusable(f"{name} must be one JSON object")
    return found


def _only_once(pairs: List[Tuple[str, Any]]) -> Dict[str, Any]:
    """An object that has no key twice, since nobody can know which was meant."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(
            f"it has the key {next(name for name in names if names.count(name) > 1)} twice"
        )
    return found

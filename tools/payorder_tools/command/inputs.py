"""Parses arguments and input files. They are checked before anything is sent."""

from __future__ import annotations

import argparse
import contextlib
import json
import re
import sys
from typing import IO, Any, Callable, Dict, Iterator, List, Tuple, TypeVar

from .arguments import Parser
from .exits import UsageError

_Number = TypeVar("_Number", int, float)


def number(
    kind: Callable[[str], _Number], low: float, high: float, words: str
) -> Callable[[str], _Number]:
    """The type of an argument that is a number from `low` to `high`. `words` say so."""

    def count(text: str) -> _Number:
        value = kind(text)
        if not low <= value <= high:
            raise argparse.ArgumentTypeError(f"must be {words}")
        return value

    count.__name__ = "count" if kind is int else kind.__name__
    return count


seconds = number(float, 0, 86_400, "0 to 86400 seconds")
#: A time whose limits the library knows.
finite_seconds = number(float, -1e12, 1e12, "a number of seconds")
#: A number per second.
rate = number(float, sys.float_info.min, sys.float_info.max, "above 0")
#: A whole number.
count = number(int, 0, float("inf"), "0 or above")


def amount(text: str) -> str:
    """An argument that is an amount."""
    if re.fullmatch(r"[0-9]+(\.[0-9]+)?", text, re.ASCII) is None:
        raise argparse.ArgumentTypeError("must be decimal text, such as 249.50")
    return text


def _delimiter(text: str) -> str:
    character = "\t" if text.lower() in ("tab", r"\t") else text
    if len(character) != 1 or character in '"\r\n':
        raise argparse.ArgumentTypeError("must be one character, or tab")
    return character


def add_columns(command: Parser) -> None:
    """Adds the names of the columns of a CSV file of orders."""
    command.option(
        "--order-column NAME",
        "the column of order ids (default: orderId, order_id, order or id)",
    )
    command.option(
        "--amount-column NAME",
        "the column of amounts (default: amount, expectedAmount or total)",
    )
    command.option(
        "--delimiter C",
        "the separator of the columns (default: comma, semicolon or tab, the one that gives them)",
        type=_delimiter,
    )


def add_pace(command: Parser) -> None:
    """Adds how many queries run at once and how fast."""
    command.option("--concurrency N", "how many queries run at once: 1 to 64 (default 8)", type=int)
    command.option("--rate N", "at most this many queries per second", type=rate)


@contextlib.contextmanager
def open_text(path: str, name: str) -> Iterator[IO[str]]:
    """Opens a text file, or stdin for "-". `name` is its name in messages.

    Bytes that are not UTF-8 are kept, and reported by the code that uses the text.
    """
    if path == "-" and sys.stdin is None:
        raise UsageError(f"{name} cannot be read: stdin is closed", "unreadable_file")
    try:
        file = open(
            0 if path == "-" else path,
            # Some Windows programs write a byte order mark before the first character.
            encoding="utf-8-sig",
            errors="surrogateescape",
            newline="",
            closefd=path != "-",
        )
    except (OSError, ValueError) as error:
        raise unreadable(name, error) from None
    with file:
        yield file


def unreadable(name: str, error: Exception) -> UsageError:
    """The error for a file that cannot be read."""
    reason = getattr(error, "strerror", None) or error
    return UsageError(f"{name} cannot be read: {reason}", "unreadable_file")


def json_object(file: IO[str], name: str) -> Dict[str, Any]:
    """Reads the JSON object in a file. `name` is the file's name in messages."""

    def only_once(pairs: List[Tuple[str, Any]]) -> Dict[str, Any]:
        # Of a repeated key, it is not clear which value is meant.
        found = dict(pairs)
        if len(found) < len(pairs):
            keys = [key for key, _ in pairs]
            twice = next(key for key in keys if keys.count(key) > 1)
            message = f"{name} cannot be used: it has the key {twice} twice"
            raise UsageError(message, "duplicate_key")
        return found

    try:
        found = json.load(file, object_pairs_hook=only_once)
    except OSError as error:
        raise unreadable(name, error) from None
    except RecursionError:
        raise UsageError(f"{name} is nested too deeply", "not_json") from None
    except ValueError as error:
        # The parser's message names a position and shows no value.
        raise UsageError(f"{name} is not JSON: {error}", "not_json") from None
    if not isinstance(found, dict):
        raise UsageError(f"{name} must be one JSON object", "not_json")
    return found

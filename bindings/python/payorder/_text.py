"""Converts Python values to strings for the C interface: UTF-8, JSON, camelCase names."""

from __future__ import annotations

import functools
import json
import os
from typing import Mapping, Union


class NotText(ValueError):
    """A text that cannot be a C string."""


class Hidden(bytes):
    """A text that may have credentials or a customer's data.

    Trackers of errors show the `repr` of local variables.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<{len(self)} bytes>"


def c_string(text: str, what: str) -> bytes:
    """`text` as a `const char *`. `what` names it in errors."""
    if not isinstance(text, str):
        raise TypeError(f"{what} must be str, not {type(text).__name__}")
    if "\0" in text:
        raise NotText(f"{what} contains a NUL character, which would end a C string")
    try:
        return Hidden(text.encode("utf-8"))
    except UnicodeEncodeError:
        raise NotText(
            f"{what} is not UTF-8 text: it contains half of a surrogate pair,"
            " or a byte that could not be decoded"
        ) from None


def c_json(value: Mapping[str, object], what: str) -> bytes:
    """`value` as JSON text in a `const char *`. A NUL in it becomes an escape."""
    if not isinstance(value, Mapping):
        raise TypeError(f"{what} must be a mapping, not {type(value).__name__}")
    try:
        return c_string(_encode(value), what)
    except (TypeError, ValueError):
        # Names the field that caused the error, if it can be found.
        for key, item in value.items():
            _check(item, python_name(key) if isinstance(key, str) else key)
        raise


def json_text(value: Union[str, Mapping[str, object]], what: str) -> str:
    """JSON text as it is, or a mapping as JSON text."""
    return value if isinstance(value, str) else c_json(value, what).decode()


def _check(item: object, key: str) -> None:
    """Raises if a field cannot be written as JSON."""
    try:
        c_string(_encode(item), key)
    except NotText:
        raise
    except (TypeError, ValueError) as error:
        raise type(error)(f"{key}: {error}") from None


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    raise TypeError(f"a value of type {type(value).__name__} cannot be written as JSON")


# Created once: json.dumps would create an encoder for every call.
_encode = json.JSONEncoder(default=_plain, ensure_ascii=False, allow_nan=False).encode

#: The same with escapes for every character beyond ASCII. So any Python text can be encoded, also
#: half of a surrogate pair.
ascii_json = json.JSONEncoder(default=_plain, allow_nan=False).encode


@functools.lru_cache(maxsize=256)
def wire_name(name: str) -> str:
    """The wire name of a Python name: `max_idle_ms` becomes `maxIdleMs`. One is irregular."""
    if name == "redirection_url":
        return "redirectionURL"
    first, *others = name.split("_")
    return first + "".join(other.capitalize() for other in others)


@functools.lru_cache(maxsize=256)
def python_name(name: str) -> str:
    """The Python name of a wire name: `maxIdleMs` becomes `max_idle_ms`."""
    if name == "redirectionURL":
        return "redirection_url"
    return "".join("_" + one.lower() if one.isupper() else one for one in name)

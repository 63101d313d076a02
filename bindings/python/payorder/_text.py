"""Python values as the strings of the C ABI: UTF-8, JSON, camelCase names."""

from __future__ import annotations

import functools
import json
import os
from typing import Dict, Mapping


class NotText(ValueError):
    """A text that a C string cannot hold."""


def c_string(text: str, what: str) -> bytes:
    """`text` for a `const char *`; `what` names it in the error."""
    if not isinstance(text, str):
        raise TypeError(f"{what} must be str, not {type(text).__name__}")
    if "\0" in text:
        raise NotText(f"{what} contains a NUL character, which would end a C string")
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        raise NotText(
            f"{what} is not UTF-8 text: it contains half of a surrogate pair,"
            " or a byte that could not be decoded"
        ) from None


def c_json(value: Mapping[str, object], what: str) -> bytes:
    """`value` as JSON text for a `const char *`; a NUL in it becomes an escape."""
    if not isinstance(value, Mapping):
        raise TypeError(f"{what} must be a mapping, not {type(value).__name__}")
    if not value:
        return b"{}"
    try:
        return c_string(_encode(value), what)
    except (TypeError, ValueError):
        # Name the field that caused it, where that can be found.
        for key, item in value.items():
            _check(item, python_name(key) if isinstance(key, str) else key)
        raise


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


# Made once: json.dumps would make an encoder for every call.
_encode = json.JSONEncoder(default=_plain, ensure_ascii=False, allow_nan=False).encode

#: The same, with every character beyond ASCII as an escape, so that any Python text can be
#: encoded, also half of a surrogate pair.
ascii_json = json.JSONEncoder(default=_plain, allow_nan=False).encode


def given(**values: object) -> Dict[str, object]:
    """The keyword arguments that are not None."""
    return {name: value for name, value in values.items() if value is not None}


@functools.lru_cache(maxsize=256)
def wire_name(name: str) -> str:
    """`max_idle_ms` is `maxIdleMs` on the wire. One field is an exception to the rule."""
    if name == "redirection_url":
        return "redirectionURL"
    first, *others = name.split("_")
    return first + "".join(other.capitalize() for other in others)


@functools.lru_cache(maxsize=256)
def python_name(name: str) -> str:
    """`maxIdleMs` is `max_idle_ms` in Python."""
    if name == "redirectionURL":
        return "redirection_url"
    return "".join("_" + one.lower() if one.isupper() else one for one in name)

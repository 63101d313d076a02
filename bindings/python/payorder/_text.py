"""Python values as the strings of the C ABI: UTF-8, JSON, camelCase names."""

from __future__ import annotations

import difflib
import functools
import json
import os
from typing import Any, Dict, Mapping


class NotText(ValueError):
    """A text that a C string cannot hold."""


def c_string(text: str, what: str) -> bytes:
    """`text` for a `const char *`; `what` names it in the error."""
    if not isinstance(text, str):
        raise TypeError(f"{what} must be str, not {type(text).__name__}")
    if "\0" in text:
        raise NotText(f"{what} holds a NUL character, where a C string would end")
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        raise NotText(
            f"{what} is not UTF-8 text: it holds half of a surrogate pair, or a byte that could not be read"
        ) from None


def c_json(value: Mapping[str, object], what: str) -> bytes:
    """`value` as JSON text for a `const char *`; a NUL in it leaves as an escape."""
    if not isinstance(value, Mapping):
        raise TypeError(f"{what} must be a mapping, not {type(value).__name__}")
    if not value:
        return b"{}"
    try:
        return c_string(_encode(value), what)
    except (TypeError, ValueError):
        # Said of the field that it is in, where that can be told.
        for key, item in value.items():
            _check(item, key)
        raise


def _check(item: object, key: str) -> None:
    """Raises where a field cannot be written as JSON."""
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
    raise TypeError(f"a value of type {type(value).__name__} has no JSON")


# Made once: json.dumps would make an encoder for every call.
_encode = json.JSONEncoder(default=_plain, ensure_ascii=False, allow_nan=False).encode

#: The same with every character beyond ASCII as an escape: any text of Python's goes out, half a surrogate pair too.
ascii_json = json.JSONEncoder(default=_plain, allow_nan=False).encode


@functools.lru_cache(maxsize=256)
def wire_name(name: str) -> str:
    """`max_idle_ms` is `maxIdleMs` on the wire; one field breaks the rule."""
    if name == "redirection_url":
        return "redirectionURL"
    first, *others = name.split("_")
    return first + "".join(other.capitalize() for other in others)


def wire_names(
    function: str, given: Mapping[str, object], known: Any
) -> Dict[str, object]:
    """Keyword arguments under their wire names, without those that are None.

    `known` is the TypedDict that lists them: a name that it lacks is a TypeError, as it is for any Python function.
    """
    for name in given:
        if name not in known.__annotations__:
            near = difflib.get_close_matches(name, known.__annotations__, 1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise TypeError(
                f"{function}() got an unexpected keyword argument {name!r}{hint}"
            )
    return {
        wire_name(name): value for name, value in given.items() if value is not None
    }

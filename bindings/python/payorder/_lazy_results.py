"""Results that read the library's JSON when a field is used. No response makes this fail.

`json.loads` refuses some JSON that the library accepts, such as a number of 5,000 digits or 3,000
nested arrays. The library passes such fields on if it does not know them. So a result keeps its
text, and reads it with `json.loads` when a field is first used. If `json.loads` fails, the library
reads each field.
"""

from __future__ import annotations

import ctypes
import json
from typing import Any, ClassVar, Dict, NoReturn, Optional, Tuple

from ._library import library, string_free


def member(raw: bytes, pointer: str) -> Optional[str]:
    """The value at a JSON pointer: a string's own text, or the JSON text of any other value.

    None if there is no value, or if it is null.
    """
    out = ctypes.c_char_p()
    try:
        found = library.payorder_json_get(raw, pointer.encode(), ctypes.byref(out)) == 0
        return out.value.decode() if found and out.value is not None else None
    finally:
        string_free(out)


# What `json.loads` uses, without its search for spaces before and after the text.
_decode = json.JSONDecoder().raw_decode


def parsed(raw: str) -> Optional[Any]:
    """The whole text as Python values, or None if `json` cannot read it."""
    try:
        document, end = _decode(raw)
    except (ValueError, RecursionError):
        return None
    return document if end == len(raw) else None


def plain(raw: str) -> Optional[Dict[str, Any]]:
    """The whole text as a dict that `json.dumps` writes as JSON, or None if it cannot be read."""
    try:
        read: Dict[str, Any] = json.loads(raw, parse_float=_number)
        return read
    except (ValueError, RecursionError):
        return None


def _number(text: str) -> object:
    # JSON has no infinity, so a number that no float can hold stays a text.
    number = float(text)
    return number if abs(number) != float("inf") else text


class _Field:
    """A field of a result. Python calls `__get__` until the instance itself has the value."""

    def __init__(self, name: str, path: Tuple[str, ...]) -> None:
        self._name = name
        self._path = path

    def __get__(self, result: Optional[LazyResult], kind: object = None) -> Any:
        if result is None:
            return self
        fields = result.__dict__
        value = fields.get("_document")
        if value is None:
            value = fields["_document"] = parsed(result.raw)
        if value is None:
            value = member(result.raw.encode(), "/" + "/".join(self._path))
        else:
            for key in self._path:
                value = value.get(key) if type(value) is dict else None
        fields[self._name] = value
        return value


class LazyResult:
    """An immutable result with its JSON text in `raw`. The other fields are read when used."""

    #: The path of each field in the JSON text.
    _paths: ClassVar[Dict[str, Tuple[str, ...]]] = {}

    raw: str  #: the library's whole result as JSON text

    def __init__(self, raw: str) -> None:
        self.__dict__["raw"] = raw

    def __init_subclass__(cls) -> None:
        for name, path in cls._paths.items():
            setattr(cls, name, _Field(name, path))

    def to_dict(self) -> Dict[str, Any]:
        """This result as a dict for `json.dumps`, with the keys of the library's JSON.

        It has all fields of the response, also those that this version does not know, and also
        the customer's data.

        Returns:
            A new dict.
        """
        read = plain(self.raw)
        return self._known_fields() if read is None else read

    def _known_fields(self) -> Dict[str, Any]:
        """The fields that this version knows, for a text that `json.loads` cannot read."""
        known: Dict[str, Any] = {}
        for name, path in self._paths.items():
            inner = known
            for key in path[:-1]:
                inner = inner.setdefault(key, {})
            inner[path[-1]] = getattr(self, name)
        return known

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"cannot delete field {name!r}")

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self.raw == other.raw

    def __hash__(self) -> int:
        return hash((type(self), self.raw))

    def __reduce__(self) -> Tuple[Any, ...]:
        return type(self), (self.raw,)

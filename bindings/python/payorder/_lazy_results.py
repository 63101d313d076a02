"""Results that read the library's JSON when a field is used. No response makes this fail.

`json.loads` refuses some JSON that the library accepts, such as a number of 5,000 digits or 3,000
nested arrays. The library passes such fields on if it does not know them. So a result keeps its
text, and reads it with `json.loads` when a field is first used. If `json.loads` fails, the library
reads each field.
"""

from __future__ import annotations

import ctypes
import json
from typing import TYPE_CHECKING, Any, ClassVar, Dict, NoReturn, Optional, Tuple

from ._library import library


def member(raw: bytes, pointer: str) -> Optional[str]:
    """The value at a JSON pointer: a string's own text, or the JSON text of any other value.

    None if there is no value, or if it is null.
    """
    out = ctypes.c_void_p()
    try:
        found = library.payorder_json_get(raw, pointer.encode(), ctypes.byref(out)) == 0
        return ctypes.string_at(out.value).decode() if found and out.value else None
    finally:
        library.payorder_string_free(out)


def parsed(raw: str) -> Optional[Any]:
    """The whole text as Python values, or None if `json.loads` cannot read it."""
    try:
        return json.loads(raw)
    except (ValueError, RecursionError):
        return None


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


class LazyResult:
    """An immutable result with its JSON text in `raw`. The other fields are read when used."""

    #: The path of each field in the JSON text.
    _paths: ClassVar[Dict[str, Tuple[str, ...]]] = {}

    raw: str  #: the library's whole result as JSON text

    def __init__(self, raw: str) -> None:
        self.__dict__["raw"] = raw

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            # Called for fields that were not read yet and for names that do not exist.
            if name not in self._paths:
                kind = type(self).__name__
                raise AttributeError(f"{kind!r} object has no attribute {name!r}")
            read = self._read(name)
            self.__dict__.update(read)
            return read[name]

    def _read(self, name: str) -> Dict[str, Any]:
        """All fields, or only this one if `json.loads` cannot read the text."""
        document = parsed(self.raw)
        if document is None:
            pointer = "".join(f"/{key}" for key in self._paths[name])
            return {name: member(self.raw.encode(), pointer)}
        read: Dict[str, Any] = {}
        for field, path in self._paths.items():
            value = document
            for key in path:
                value = value.get(key) if type(value) is dict else None
            read[field] = value
        return read

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

"""Results are read from the library's JSON text. No response makes this fail.

`json.loads` refuses some JSON that the library accepts, such as a number of 5,000 digits or 3,000
nested arrays. The library passes such fields on if it does not know them. If `json.loads` fails, the
library reads each field.
"""

from __future__ import annotations

import ctypes
import json
from typing import (
    Any,
    ClassVar,
    Dict,
    Mapping,
    NoReturn,
    Optional,
    Tuple,
    Type,
    TypeVar,
    Union,
)

from ._library import library, string_free
from ._text import json_text

Own = TypeVar("Own", bound="JsonResult")


def member(raw: str, pointer: str) -> Optional[str]:
    """The value at a JSON pointer: a string's own text, or the JSON text of any other value.

    None if there is no value, or if it is null.
    """
    return _called(library.payorder_json_get, raw, pointer)


def without_value(raw: str, pointer: str) -> str:
    """The text with null at a JSON pointer."""
    return _called(library.payorder_json_set, raw, pointer, "null") or raw


def _called(function: Any, *texts: str) -> Optional[str]:
    """What one of the library's functions for JSON returns, or None."""
    out = ctypes.c_char_p()
    try:
        found = function(*(text.encode() for text in texts), ctypes.byref(out))
        return out.value.decode() if found == 0 and out.value is not None else None
    finally:
        string_free(out)


def parsed(raw: str) -> Optional[Dict[str, Any]]:
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


class JsonResult:
    """An immutable result with its JSON text in `raw`, and some of its fields as attributes.

    It has no `__dict__`, which frameworks would show: a status has the customer's data.
    """

    #: The path of each attribute in the JSON text.
    _paths: ClassVar[Mapping[str, Tuple[str, ...]]] = {}
    #: What `repr` shows.
    _shown: ClassVar[Tuple[str, ...]] = ()
    __slots__ = ("raw",)

    raw: str  #: the library's whole result as JSON text

    def __init__(self, raw: str) -> None:
        object.__setattr__(self, "raw", raw)
        document = parsed(raw)
        for name, path in self._paths.items():
            value: Any = document
            if document is None:
                value = member(raw, "/" + "/".join(path))
            for key in path if document is not None else ():
                value = value.get(key) if isinstance(value, dict) else None
            object.__setattr__(self, name, value)

    @classmethod
    def from_json(cls: Type[Own], text: Union[str, Mapping[str, object]]) -> Own:
        """Makes a result without a service, for tests.

        Args:
            text: The `raw` of a result, as JSON text or as a mapping. For a checkout or a status,
                the service's response will do; then the `transaction_date` is not known. For a
                `Waited`: `final`, `timedOut`, `polls`, and `status` or `error`.

        Returns:
            The result.
        """
        return cls(json_text(text, f"the {cls.__name__.lower()}"))

    def to_dict(self) -> Dict[str, Any]:
        """This result as a dict for `json.dumps`, with the keys of the library's JSON.

        It has all fields of the response, also those that this version does not know, and also
        the customer's data.

        Returns:
            A new dict.
        """
        return parsed(self.raw) or self._known_fields()

    def _known_fields(self) -> Dict[str, Any]:
        """The fields that this version knows, for a text that `json.loads` cannot read."""
        known: Dict[str, Any] = {}
        for name, path in self._paths.items():
            inner = known
            for key in path[:-1]:
                inner = inner.setdefault(key, {})
            inner[path[-1]] = getattr(self, name)
        return known

    def __repr__(self) -> str:
        fields = (f"{name}={getattr(self, name)!r}" for name in self._shown)
        return f"{type(self).__name__}({', '.join(fields)})"

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"cannot delete field {name!r}")

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return bool(self.raw == other.raw)

    def __hash__(self) -> int:
        return hash((type(self), self.raw))

    def __reduce__(self) -> Tuple[Any, ...]:
        return type(self), (self.raw,)

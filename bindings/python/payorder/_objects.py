"""Dataclasses that are read from the library's JSON, and written as such."""

from __future__ import annotations

import json
from dataclasses import MISSING, fields
from datetime import datetime
from decimal import Decimal
from enum import Enum
from typing import (
    Any,
    Callable,
    ClassVar,
    Dict,
    Iterable,
    Mapping,
    Tuple,
    Type,
    TypeVar,
)

from ._text import wire_name
from ._times import time_text
from .amounts import amount_text

Read = TypeVar("Read", bound="JsonObject")


class JsonObject:
    """The base class of these dataclasses. In `raw`, some have the library's whole result."""

    #: What reads the values that are more than a text, a number or a boolean.
    _readers: ClassVar[Mapping[str, Callable[[Any], Any]]] = {}

    @classmethod
    def from_raw(cls: Type[Read], raw: str) -> Read:
        """Reads the library's result, with its text as the field `raw`.

        Args:
            raw: The text.

        Returns:
            The object.
        """
        return cls.from_mapping({**json.loads(raw), "raw": raw})

    @classmethod
    def from_mapping(cls: Type[Read], given: Mapping[str, Any]) -> Read:
        """Reads an object of the library's result.

        Args:
            given: The object, with the keys of the library's JSON.

        Returns:
            The object.
        """
        values: Dict[str, Any] = {}
        for field in fields(cls):  # type: ignore[arg-type]
            key = wire_name(field.name)
            if key in given or field.default is MISSING:
                read = cls._readers.get(field.name)
                values[field.name] = read(given[key]) if read else given[key]
        return cls(**values)

    def to_dict(self) -> Dict[str, Any]:
        """This object as a dict for `json.dumps`, with the keys of the library's JSON.

        Returns:
            A new dict.
        """
        raw = getattr(self, "raw", None)
        if raw is not None:
            read: Dict[str, Any] = json.loads(raw)
            return read
        # The library leaves out what has the default None too.
        return {
            wire_name(field.name): _written(getattr(self, field.name))
            for field in fields(self)  # type: ignore[arg-type]
            if field.default is not None or getattr(self, field.name) is not None
        }


def many(kind: Type[Read]) -> Callable[[Iterable[Mapping[str, Any]]], Tuple[Read, ...]]:
    """Reads an array of objects."""
    return lambda given: tuple(map(kind.from_mapping, given))


def _written(value: Any) -> Any:
    if isinstance(value, JsonObject):
        return value.to_dict()
    if isinstance(value, tuple):
        return [_written(one) for one in value]
    if isinstance(value, dict):
        return dict(value)
    if isinstance(value, Decimal):
        return amount_text(value)
    if isinstance(value, datetime):
        return time_text(value)
    return value.value if isinstance(value, Enum) else value

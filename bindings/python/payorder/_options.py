"""Keyword arguments as the library's options and settings, with times in milliseconds."""

from __future__ import annotations

import inspect
import re
import textwrap
from typing import Any, Callable, Dict, Iterable, Mapping, TypeVar

from ._arguments import TIMES
from ._text import wire_name

Function = TypeVar("Function", bound=Callable[..., object])

# Beyond every limit of the library, and small enough for its JSON.
_LONGEST = 1e12


def takes(*kinds: Any) -> Callable[[Function], Function]:
    """Gives a function with `**options` the signature and the description of these arguments.

    Each kind is a TypedDict whose docstring describes its keys.
    """
    known: Dict[str, Any] = {}
    for kind in kinds:
        known.update(kind.__annotations__)
    keywords = [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=None,
            annotation=one.__forward_arg__,
        )
        for name, one in known.items()
    ]

    def decorate(function: Function) -> Function:
        given = inspect.signature(function)
        *own, options = given.parameters.values()
        signature = given.replace(parameters=[*own, *keywords])
        function.__signature__ = signature  # type: ignore[attr-defined]

        def described(place: "re.Match[str]") -> str:
            texts = (inspect.cleandoc(kind.__doc__).split("Attributes:\n")[1] for kind in kinds)
            lines = "".join(f"{textwrap.dedent(text).rstrip()}\n" for text in texts)
            return textwrap.indent(lines, place[1])

        if function.__doc__:  # Not with `python -OO`.
            entry = rf"^( +){options.name}: .*\n"
            function.__doc__ = re.sub(entry, described, function.__doc__, flags=re.M)
        return function

    return decorate


def check_names(function: str, given: Iterable[str], *kinds: Any) -> None:
    """Raises TypeError for a keyword argument that the function does not have."""
    for name in given:
        if not any(name in kind.__annotations__ for kind in kinds):
            raise TypeError(f"{function}() got an unexpected keyword argument {name!r}")


def call_options(operation: str, given: Any, kind: Any) -> Dict[str, object]:
    """The options of a call, as `wire_values`. A cancellation is added to them later.

    Only that is left in `given`, a local variable of the caller: error trackers would show the
    credentials in it.
    """
    check_names(operation, given, kind)
    names = [name for name in given if name != "cancellation"]
    return wire_values({name: given.pop(name) for name in names})


def wire_values(given: Mapping[str, object]) -> Dict[str, object]:
    """Keyword arguments under the names of the library, without those that are None.

    Times are in milliseconds there.
    """
    values: Dict[str, object] = {}
    for name, value in given.items():
        if value is None:
            continue
        if name in TIMES:
            name, value = f"{name}_ms", _milliseconds(name, value)
        values[wire_name(name)] = value
    return values


def _milliseconds(name: str, seconds: object) -> int:
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)):
        kind = type(seconds).__name__
        raise TypeError(f"{name} must be a number of seconds, not {kind}")
    if not abs(seconds) < _LONGEST:
        raise ValueError(f"{name} must be a number of seconds that is in its range")
    # What is negative must not become 0, which can mean something.
    return round(seconds * 1000) or -(seconds < 0)

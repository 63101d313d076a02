"""Keyword arguments as the library's options and settings, with times in milliseconds."""

from __future__ import annotations

import inspect
import re
import textwrap
from typing import Any, Callable, Dict, Iterable, Mapping, Optional, Tuple, TypeVar

from ._arguments import LIMITS_MS
from ._calls import made_error
from ._text import wire_name
from .causes import Action, Cause
from .errors import PayorderError
from .results import Result

Function = TypeVar("Function", bound=Callable[..., object])


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
            texts = (
                inspect.cleandoc(kind.__doc__).split("Attributes:\n")[1]
                for kind in kinds
            )
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


def call_options(
    operation: str, given: Mapping[str, object], kind: Any
) -> Dict[str, object]:
    """The options of a call, as `wire_values`. A cancellation is added to them later."""
    check_names(operation, given, kind)

    def refused(problem: str) -> PayorderError:
        result, action = Result.INVALID_ARGUMENT, Action.FIX_REQUEST
        message = f"the option {problem}"
        return made_error(result, Cause.INVALID_VALUE, action, message, operation)

    options = {name: value for name, value in given.items() if name != "cancellation"}
    return wire_values(options, refused, operation)


def invalid_setting(problem: str, cause: Cause = Cause.INVALID_VALUE) -> PayorderError:
    """The library's error for a configuration that it cannot use."""
    message = f"the configuration cannot be used: {problem}"
    return made_error(Result.INVALID_CONFIG, cause, Action.FIX_CONFIGURATION, message)


def wire_values(
    given: Mapping[str, object],
    refused: Callable[[str], PayorderError] = invalid_setting,
    operation: str = "",
) -> Dict[str, object]:
    """Keyword arguments under the names of the library, without those that are None.

    Times are in milliseconds there.
    """
    values: Dict[str, object] = {}
    for name, value in given.items():
        if value is None:
            continue
        if name in LIMITS_MS:
            limits = LIMITS_MS.get((operation, name), LIMITS_MS[name])
            problem = _problem(name, value, limits)
            if problem:
                raise refused(problem)
            name, value = f"{name}_ms", _rounded(value)
        values[wire_name(name)] = value
    return values


def _problem(name: str, seconds: object, limits: Tuple[int, int]) -> Optional[str]:
    """What is wrong with the argument, or None."""
    least, most = limits
    if isinstance(seconds, bool):
        shown = "a boolean"
    elif not isinstance(seconds, (int, float)):
        shown = type(seconds).__name__
    elif 0 <= seconds <= most and least <= _rounded(seconds) <= most:
        return None
    else:
        short = isinstance(seconds, float) or abs(seconds) < 10**15
        shown = repr(seconds) if short else "such a large number"
    return (
        f"{name} must be a number of seconds from {least / 1000:g} to {most // 1000},"
        f" not {shown}"
    )


def _rounded(seconds: object) -> int:
    assert isinstance(seconds, (int, float))
    return round(seconds * 1000)

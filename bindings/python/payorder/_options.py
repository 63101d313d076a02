"""Keyword arguments as the library's options and settings, with times in milliseconds."""

from __future__ import annotations

from typing import Callable, Dict, Mapping, Optional, Tuple

from ._calls import made_error
from ._text import wire_name
from .causes import Action, Cause
from .errors import PayorderError
from .results import Result

#: Each argument in seconds, and the library's limits in milliseconds.
LIMITS_MS: Dict[str, Tuple[int, int]] = {
    "timeout": (1, 600_000),
    "connect_timeout": (1, 600_000),
    "max_idle": (0, 600_000),
    "wait": (1, 86_400_000),
    "interval": (10, 600_000),
    "max_interval": (10, 600_000),
}
#: Those of arguments that have the name of another one.
_OTHER_LIMITS_MS = {("recover", "wait"): (0, 600_000)}


#: The arguments that are options of a call. A cancellation is added to them later.
OPTIONS = (
    *("access_token", "client_key", "client_id", "secret_key", "timeout"),
    *("extra_fields", "resend", "wait", "interval", "max_interval", "final"),
    *("concurrency", "rate_per_second"),
)


def call_options(operation: str, arguments: Mapping[str, object]) -> Dict[str, object]:
    """The options among the arguments of a call, as `wire_values`."""
    given = {name: arguments[name] for name in OPTIONS if name in arguments}

    def refused(problem: str) -> PayorderError:
        result, action = Result.INVALID_ARGUMENT, Action.FIX_REQUEST
        message = f"the option {problem}"
        return made_error(result, Cause.INVALID_VALUE, action, message, operation)

    return wire_values(given, refused, operation)


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
            limits = _OTHER_LIMITS_MS.get((operation, name), LIMITS_MS[name])
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

"""Times in seconds, as the whole milliseconds that the library takes."""

from __future__ import annotations

from typing import Dict, Optional, Tuple

from ._calls import made_error
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


def option_ms(
    operation: str,
    name: str,
    seconds: object,
    limits: Optional[Tuple[int, int]] = None,
) -> Optional[int]:
    """The time limit of a call in milliseconds. `limits` replace the usual ones."""
    if seconds is None:
        return None
    problem = _problem(name, seconds, limits)
    if problem:
        raise made_error(
            Result.INVALID_ARGUMENT,
            Cause.INVALID_VALUE,
            Action.FIX_REQUEST,
            f"the option {problem}",
            operation,
        )
    return _rounded(seconds)


def setting_ms(name: str, seconds: object) -> int:
    """The same for a setting of a client."""
    problem = _problem(name, seconds)
    if problem:
        raise invalid_setting(problem)
    return _rounded(seconds)


def invalid_setting(problem: str, cause: Cause = Cause.INVALID_VALUE) -> PayorderError:
    """The library's error for a configuration that it cannot use."""
    message = f"the configuration cannot be used: {problem}"
    return made_error(Result.INVALID_CONFIG, cause, Action.FIX_CONFIGURATION, message)


def _problem(
    name: str, seconds: object, limits: Optional[Tuple[int, int]] = None
) -> Optional[str]:
    """What is wrong with the argument, or None."""
    least, most = limits or LIMITS_MS[name]
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

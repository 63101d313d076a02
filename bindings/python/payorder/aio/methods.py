"""The parameters of the ordinary methods, for those that are awaited."""

from __future__ import annotations

import functools
import inspect
import re
from typing import TYPE_CHECKING, Any, Callable, TypeVar

if TYPE_CHECKING:
    from typing_extensions import Concatenate, ParamSpec

    Parameters = ParamSpec("Parameters")

Result = TypeVar("Result")
Own = TypeVar("Own", bound=Callable[..., Any])


def like(
    method: Callable[Concatenate[Any, Parameters], object],
) -> Callable[[Callable[..., Result]], Callable[Concatenate[Any, Parameters], Result]]:
    """Gives a method the parameters of another one, and the descriptions of them.

    Both have the same arguments, results and errors, which are described only once. The method's
    own docstring says what is different.
    """
    return described(method)


def described(
    method: Callable[..., object],
) -> Callable[[Callable[..., Result]], Callable[..., Result]]:
    """The same for a type checker that cannot copy the parameters: the method has overloads."""

    def decorate(own: Callable[..., Result]) -> Callable[..., Result]:
        functools.update_wrapper(own, method, ("__annotations__",), ())
        return documented(method)(own)

    return decorate


def documented(method: Callable[..., object]) -> Callable[[Own], Own]:
    """Gives a method that has the parameters already the descriptions of another one's."""
    # Everything from "Args:" on.
    sections = re.search(r"^Args:.*", inspect.getdoc(method) or "", re.DOTALL | re.M)

    def decorate(own: Own) -> Own:
        about = inspect.getdoc(own)
        own.__doc__ = f"{about}\n\n{sections[0]}" if sections else about
        return own

    return decorate

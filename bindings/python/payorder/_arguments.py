"""The keyword arguments of `create_order` and `build_create_order`, for type checkers."""

from __future__ import annotations

from typing import Mapping, Optional, TypedDict

from .cancellation import Cancellation
from .orders import OrderFields


class OrderOptions(TypedDict, total=False):
    """The keyword arguments of `create_order` that are not fields of the order."""

    extra_fields: Optional[Mapping[str, str]]
    resend: Optional[bool]
    timeout: Optional[float]
    cancellation: Optional[Cancellation]
    access_token: Optional[str]


class OrderArguments(OrderFields, OrderOptions):
    """All keyword arguments of `create_order`."""


class BuildOptions(TypedDict, total=False):
    """The keyword arguments of `build_create_order` that are not fields of the order."""

    return_url_field: Optional[str]
    extra_fields: Optional[Mapping[str, str]]


class BuildArguments(OrderFields, BuildOptions):
    """All keyword arguments of `build_create_order`."""

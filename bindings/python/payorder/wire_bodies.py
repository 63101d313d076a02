"""Builds the bodies of the two requests without sending them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Mapping, Optional, overload

from ._arguments import BuildArguments, BuildOptions, OrderFields
from ._calls import call_offline
from ._library import library
from ._requests import order_json, query_json
from ._options import check_names, takes, wire_values
from ._text import c_json

if TYPE_CHECKING:
    from typing_extensions import Unpack


@overload
def build_create_order(order: Mapping[str, object], **options: Unpack[BuildOptions]) -> str: ...


@overload
def build_create_order(**order: Unpack[BuildArguments]) -> str: ...


@takes(OrderFields, BuildOptions)
def build_create_order(order: Optional[Mapping[str, object]] = None, **given: object) -> str:
    """The body of Create Order as it would be sent.

    Args:
        order: All fields as one mapping. Its keys are the keyword arguments, or the wire's names
            ("orderId"). Default: the keyword arguments.
        given: See `OrderFields` and `BuildOptions`.

    Returns:
        The body as JSON text.

    Raises:
        UnusableTextError: The order breaks the interface's rules.
    """
    check_names("build_create_order", given, OrderFields, BuildOptions)
    fields = {name: given.pop(name, None) for name in OrderFields.__annotations__}
    options = wire_values(given)
    return call_offline(
        library.payorder_build_create_order,
        order_json("build_create_order", order, fields),
        c_json(options, "options"),
    )


def build_get_status(
    query: object = None,
    *,
    order_id: Optional[str] = None,
    transaction_id: Optional[str] = None,
    search_type: Optional[str] = None,
) -> str:
    """The body of Get Status as it would be sent.

    Args:
        query: An order id, a mapping, or an object with a `status_query`. Default: the next three
            arguments.
        order_id: The order's identifier. Default: none.
        transaction_id: The transaction's identifier. Default: none.
        search_type: "1" by order, "2" by transaction. Default: by the identifier that is given.

    Returns:
        The body as JSON text.

    Raises:
        UnusableTextError: The query breaks the interface's rules.
    """
    text = query_json("build_get_status", query, order_id, transaction_id, search_type)
    return call_offline(library.payorder_build_get_status, text)

"""Builds the bodies of the two requests without sending them."""

from __future__ import annotations

from typing import Mapping, Optional

from ._calls import call_offline
from ._library import library
from ._requests import order_fields, order_json, query_json
from ._text import c_json, without_none
from .amounts import Amount


def build_create_order(
    order: Optional[Mapping[str, object]] = None,
    *,
    amount: Optional[Amount] = None,
    merchant_txn_id: Optional[str] = None,
    order_id: Optional[str] = None,
    pay_mode: Optional[str] = None,
    merchant_id: Optional[str] = None,
    product_info: Optional[str] = None,
    customer_name: Optional[str] = None,
    customer_mobile: Optional[str] = None,
    customer_email: Optional[str] = None,
    redirection_url: Optional[str] = None,
    currency_code: Optional[str] = None,
    return_url_field: Optional[str] = None,
    extra_fields: Optional[Mapping[str, str]] = None,
) -> str:
    """The body of Create Order as it would be sent. The arguments are those of the call.

    Raises `UnusableTextError` if the order breaks the interface's rules.
    """
    fields = order_fields(
        amount,
        merchant_txn_id,
        order_id,
        pay_mode,
        merchant_id,
        product_info,
        customer_name,
        customer_mobile,
        customer_email,
        redirection_url,
        currency_code,
    )
    options = without_none(returnUrlField=return_url_field, extraFields=extra_fields)
    return call_offline(
        library.payorder_build_create_order,
        order_json("build_create_order", order, fields),
        c_json(options, "options"),
    )


def build_get_status(
    query: Optional[Mapping[str, object]] = None,
    *,
    order_id: Optional[str] = None,
    transaction_id: Optional[str] = None,
    search_type: Optional[str] = None,
) -> str:
    """The body of Get Status as it would be sent. The arguments are those of the call.

    Raises `UnusableTextError` if the query breaks the interface's rules.
    """
    text = query_json("build_get_status", query, order_id, transaction_id, search_type)
    return call_offline(library.payorder_build_get_status, text)

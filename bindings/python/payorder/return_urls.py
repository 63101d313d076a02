"""Reads the transaction from a return URL."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Dict

from ._calls import call_offline
from ._library import library
from ._objects import JsonObject
from ._text import c_string


@dataclass(frozen=True)
class ReturnUrl(JsonObject):
    """The transaction that a return URL names.

    It does not prove a payment. Call `get_status(return_url.status_query)`.

    Attributes:
        transaction_id: The transaction's identifier.
        status_query: The query for `get_status`.
        raw: The library's whole result as JSON text.
    """

    transaction_id: str
    status_query: Dict[str, str] = field(hash=False)
    raw: str = field(repr=False)


def parse_return_url(url: str) -> ReturnUrl:
    """Reads the `txn` of a return URL.

    Args:
        url: The URL to which the customer returned: absolute, `/path?query`, or just `?query`.

    Returns:
        The transaction that it names.

    Raises:
        UnusableTextError: It does not name exactly one transaction.
    """
    raw = call_offline(library.payorder_parse_return_url, c_string(url, "url"))
    return ReturnUrl.from_raw(raw)

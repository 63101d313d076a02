"""Reads the transaction from a return URL."""

from __future__ import annotations

from ._calls import call_offline
from ._library import library
from ._text import c_string
from ._values import ReturnUrl as ReturnUrl


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

"""Reads the transaction from a return URL."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Dict

from ._calls import call_offline
from ._library import library
from ._text import c_string


@dataclass(frozen=True)
class ReturnUrl:
    """The transaction that a return URL names.

    It does not prove a payment. Call `get_status(return_url.status_query)`.
    """

    transaction_id: str
    status_query: Dict[str, str] = field(hash=False)
    raw: str = field(repr=False)


def parse_return_url(url: str) -> ReturnUrl:
    """Reads the `txn` of a return URL: absolute, `/path?query`, or just `?query`.

    Raises `UnusableTextError` if it does not name exactly one transaction.
    """
    raw = call_offline(library.payorder_parse_return_url, c_string(url, "url"))
    read = json.loads(raw)
    return ReturnUrl(read["transactionId"], read["statusQuery"], raw)

"""Reads the transaction from a return URL."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Dict

from ._calls import call_offline
from ._library import library
from ._text import c_string


@dataclass(frozen=True)
class ReturnUrl:
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

    def to_dict(self) -> Dict[str, Any]:
        """This result as a dict for `json.dumps`, with the keys of the library's JSON.

        Returns:
            A new dict.
        """
        read: Dict[str, Any] = json.loads(self.raw)
        return read


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
    read = json.loads(raw)
    return ReturnUrl(read["transactionId"], read["statusQuery"], raw)

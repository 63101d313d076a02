"""Create Order: the fields of an order, and the result."""

from __future__ import annotations

from ._arguments import OrderFields as OrderFields
from ._arguments import PayMode as PayMode
from ._results import JsonResult

_PATHS = {
    "url": ("data", "url"),
    "response_code": ("responseCode",),
    "response_message": ("responseMessage",),
}


class Checkout(JsonResult):
    """A created order: send the customer to `url`.

    Attributes:
        url: Where the customer pays.
        response_code: "200".
        response_message: The service's own text.
        raw: The complete response as JSON text.
    """

    url: str
    response_code: str
    response_message: str

    _paths = _PATHS
    _shown = __slots__ = tuple(_PATHS)

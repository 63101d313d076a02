"""Whether an order is paid, and if not, every reason why."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Mapping, Optional, Union

from ._calls import call_offline
from ._library import library
from ._objects import JsonObject
from ._requests import with_amount_text
from ._text import c_json, c_string
from ._values import FailedCheck as FailedCheck
from ._values import VerificationFields
from .amounts import Amount
from .statuses import Status


@dataclass(frozen=True)
class ExpectedPayment(JsonObject):
    """The payment that the merchant expects, from its own records.

    Attributes:
        order_id: The order's identifier.
        amount: The amount as decimal text or a Decimal.
        transaction_id: The transaction's identifier. Default: any.
        not_before: When the sale began, with a time zone. A payment more than 26 hours before that
            is another sale's. Default: any time.
    """

    order_id: str
    amount: Amount
    transaction_id: Optional[str] = None
    not_before: Optional[datetime] = None


class Verification(VerificationFields):
    def __bool__(self) -> bool:
        # Without this method every Verification would be true, also that of an unpaid order.
        return self.paid


def verify_payment(
    expected: Union[ExpectedPayment, Mapping[str, object]],
    status: Union[Status, str, Mapping[str, object]],
) -> Verification:
    """Compares a status with the expected payment.

    Args:
        expected: An `ExpectedPayment`, or a mapping with `orderId`, `amount` and, if they are
            known, `transactionId` and `notBefore`, such as "2026-11-21T14:05:06Z".
        status: The result of `get_status`, or the service's own response as JSON text or as a
            mapping.

    Returns:
        Whether the order is paid, and the reasons if it is not.

    Raises:
        UnusableTextError: One of the arguments cannot be used.
        TypeError: `not_before` is not a datetime.
        ValueError: `not_before` has no time zone.
    """
    if isinstance(expected, ExpectedPayment):
        _check_time(expected.not_before)
        expected = expected.to_dict()
    expected_json = c_json(with_amount_text(expected, "expected"), "expected")
    raw = call_offline(library.payorder_verify_payment, expected_json, _status_json(status))
    return Verification.from_raw(raw)


def _check_time(time: Optional[datetime]) -> None:
    if time is None:
        return
    if not isinstance(time, datetime):
        raise TypeError(f"not_before must be a datetime, not {type(time).__name__}")
    if time.utcoffset() is None:
        raise ValueError("not_before must have a time zone")


def _status_json(status: Union[Status, str, Mapping[str, object]]) -> bytes:
    if isinstance(status, Status):
        return c_string(status.raw, "status")
    if isinstance(status, str):
        return c_string(status, "status")
    text = c_json(status, "status")
    data = status.get("data")
    if isinstance(data, Mapping) and isinstance(data.get("amount"), float):
        raise TypeError(
            "the status has its amount as a float, which may have lost digits;"
            " give the service's response as JSON text"
        )
    return text

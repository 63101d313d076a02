"""Compares the merchant's records with the service's statuses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, FrozenSet, Mapping, Tuple

from ._text import NotText
from .batch import StatusResult
from .errors import (
    InvalidArgumentError,
    InvalidRequestError,
    MissingCredentialsError,
    PayorderError,
    UnauthorizedError,
    UnusableTextError,
)
from .results import Result
from .verification import verify_payment

__all__ = ["AS_EXPECTED", "VERDICTS", "Expected", "Reconciled", "does_not_know", "reconcile"]

#: Every verdict, with a description for people.
VERDICTS: Dict[str, str] = {
    "matched": "paid, as expected",
    "amount_differs": "paid, with another amount",
    "refunded": "paid, and refunded",
    "check": "a person decides: the detail says why",
    "not_completed": "not paid; the customer may still pay",
    "unknown_to_service": "the service does not know the order",
    "missing_at_service": "the journal says created, and the service does not know the order",
    "no_answer": "no usable response: ask again",
    "unusable_row": "the row cannot be used",
    "duplicate_row": "an earlier row has the same order id",
}

#: The verdicts that need nobody, if the merchant counts the orders as "paid" or as "unpaid".
AS_EXPECTED: Dict[str, FrozenSet[str]] = {
    "paid": frozenset(["matched"]),
    "unpaid": frozenset(["not_completed", "unknown_to_service"]),
}


#: Refusals that are no answer about an order, as HTTP status and as `responseCode`.
_ABOUT_NO_ORDER = ("401", "403", "407", "429", "451")


def does_not_know(error: PayorderError) -> bool:
    """Whether Get Status says that the service does not know the order.

    It is a refusal in the service's own words: its body was one readable JSON object with a
    `responseCode` or a `responseMessage`. A page of another server and the refusals that are about
    the caller say nothing about the order; see docs/abi.md.

    Args:
        error: The error of the query.

    Returns:
        Whether it says so.
    """
    codes = (str(error.http_status), error.response_code)
    return (
        error.result == Result.REJECTED
        and bool(error.response_code or error.response_message)
        and not any(code in _ABOUT_NO_ORDER for code in codes)
    )


@dataclass(frozen=True)
class Expected:
    """An order in the merchant's records. It can be a query of `Client.get_statuses`.

    Attributes:
        order_id: The order's identifier.
        amount: The amount as decimal text.
    """

    order_id: str
    amount: str

    @property
    def status_query(self) -> Mapping[str, object]:
        """The status query for this order."""
        return {"orderId": self.order_id}


@dataclass(frozen=True)
class Reconciled:
    """The verdict on one order. What the service says is empty if there was no status.

    Attributes:
        order_id: The order's identifier.
        expected_amount: The amount in the merchant's records.
        verdict: A key of `VERDICTS`.
        transaction_status: The service's own text.
        amount: The service's amount as decimal text.
        transaction_id: The transaction's identifier.
        detail: The reasons for the verdict, if any.
    """

    order_id: str
    expected_amount: str
    verdict: str
    transaction_status: str
    amount: str
    transaction_id: str
    detail: str


def reconcile(result: StatusResult[Expected]) -> Reconciled:
    """The verdict on one order, by its own answer.

    If no query of two or more got a status, "unknown_to_service" is not known: the service may
    refuse every query, for example because the client is not active.

    Args:
        result: A result of `Client.get_statuses` whose queries are `Expected`.

    Returns:
        The verdict.

    Raises:
        UnauthorizedError: The credentials are refused, so every other order would get this too.
        MissingCredentialsError: The credentials are missing.
    """
    verdict, detail = _verdict(result)
    status = result.status
    return Reconciled(
        result.query.order_id,
        result.query.amount,
        verdict,
        "" if status is None else status.transaction_status,
        "" if status is None else status.amount,
        "" if status is None else status.transaction_id,
        detail,
    )


def _verdict(result: StatusResult[Expected]) -> Tuple[str, str]:
    error = result.error
    if isinstance(error, (UnauthorizedError, MissingCredentialsError)):
        raise error
    if isinstance(error, (InvalidArgumentError, InvalidRequestError)):
        return "unusable_row", error.message
    if error is not None and not does_not_know(error):
        return "no_answer", error.message
    status = result.status
    if status and not (status.transaction_id or status.transaction_status or status.amount):
        return "no_answer", "the answer only repeats the question"
    try:
        # An amount that cannot be used is one also if the service does not know the order.
        payment = verify_payment(
            {"orderId": result.query.order_id, "amount": result.query.amount}, status or "{}"
        )
    except UnusableTextError as unusable:
        return "unusable_row", unusable.message
    except NotText as unusable:
        return "unusable_row", str(unusable)
    if error is not None:
        return "unknown_to_service", error.response_message or error.message
    failed = {
        reason.check: f"{reason.check} is {reason.actual or 'empty'}" for reason in payment.reasons
    }
    if payment.paid:
        return "matched", ""
    verdict = next(verdict for check, verdict in _BY_CHECK.items() if check in failed)
    if verdict == "not_completed" and status:
        other_amount = bool(status.amount) and "amount" in failed
        if other_amount or status.money_moved:
            verdict = "check"
    return verdict, "; ".join(failed.values())


# The first failed check in this order decides.
_BY_CHECK = {
    # It says nothing about this order.
    "responseCode": "no_answer",
    "orderId": "no_answer",
    "transactionId": "no_answer",
    # Money moved, whatever the status is now.
    "refundStatus": "refunded",
    "refundType": "refunded",
    "transactionStatus": "not_completed",
    "amount": "amount_differs",
}

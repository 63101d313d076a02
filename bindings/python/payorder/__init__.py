"""Payments through the Create Order and Get Status interface, using the C library payorder.

Every failure says what happened to the order: `NotSentError`, `RejectedError` or
`OutcomeUnknownError`.
"""

from . import reconciliation
from ._library import library_version
from .amounts import Amount
from .batch import Statuses, StatusResult
from .cancellation import Cancellation
from .causes import Action, Cause
from .client import Client
from .configuration import Config, TlsConfig
from .errors import (
    BadResponseError,
    CancelledError,
    CancelledInFlightError,
    ConnectError,
    ConnectionLostError,
    DuplicateError,
    InternalError,
    InternalInFlightError,
    InvalidArgumentError,
    InvalidConfigError,
    InvalidHandleError,
    InvalidRequestError,
    JournalError,
    MissingCredentialsError,
    NotSentError,
    OrderInterrupted,
    OutcomeUnknownError,
    PayorderError,
    RateLimitedError,
    RejectedError,
    ResponseTimeoutError,
    ServiceFailedError,
    TlsError,
    UnauthorizedError,
    UnusableTextError,
    Violation,
)
from .journal_entries import JournalEntry, JournalEvent, JournalState
from .journals import Journal, Resolved
from .orders import Checkout, OrderFields, PayMode
from .payments import PaymentClient
from .recovery import Recovered, RecoveredSale, Verdict
from .results import Result
from .return_urls import ReturnUrl, parse_return_url
from .statuses import Status
from .summaries import Summary
from .verification import ExpectedPayment, FailedCheck, Verification, verify_payment
from .waiting import Waited
from .wire_bodies import build_create_order, build_get_status

__version__ = "0.1.0"

__all__ = [
    "Action",
    "Amount",
    "BadResponseError",
    "Cancellation",
    "CancelledError",
    "CancelledInFlightError",
    "Cause",
    "Checkout",
    "Client",
    "Config",
    "ConnectError",
    "ConnectionLostError",
    "DuplicateError",
    "ExpectedPayment",
    "FailedCheck",
    "InternalError",
    "InternalInFlightError",
    "InvalidArgumentError",
    "InvalidConfigError",
    "InvalidHandleError",
    "InvalidRequestError",
    "Journal",
    "JournalEntry",
    "JournalError",
    "JournalEvent",
    "JournalState",
    "MissingCredentialsError",
    "NotSentError",
    "OrderFields",
    "OrderInterrupted",
    "OutcomeUnknownError",
    "PayMode",
    "PaymentClient",
    "PayorderError",
    "RateLimitedError",
    "Recovered",
    "RecoveredSale",
    "RejectedError",
    "Resolved",
    "ResponseTimeoutError",
    "Result",
    "ReturnUrl",
    "ServiceFailedError",
    "Status",
    "StatusResult",
    "Statuses",
    "Summary",
    "TlsConfig",
    "TlsError",
    "UnauthorizedError",
    "UnusableTextError",
    "Verdict",
    "Verification",
    "Violation",
    "Waited",
    "build_create_order",
    "build_get_status",
    "library_version",
    "parse_return_url",
    "reconciliation",
    "verify_payment",
]

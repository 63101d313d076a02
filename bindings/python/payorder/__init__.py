"""Payments through the Create Order and Get Status interface, using the C library payorder.

Every failure says what happened to the order: `NotSentError`, `RejectedError` or
`OutcomeUnknownError`.
"""

from . import errors, reconciliation
from ._library import library_version
from .amounts import Amount
from .batch import Statuses, StatusResult
from .cancellation import Cancellation
from .causes import Action, Cause
from .checks import Checked, CheckStep
from .client import Client, Startable
from .configuration import Config, TlsConfig
from .errors import *
from .journal_entries import JournalEntry, JournalEvent, JournalState
from .journals import Journal, Resolved
from .orders import Checkout, OrderFields, PayMode
from .payments import PaymentClient
from .recovery import Recovered, RecoveredSale, Verdict
from .results import Result
from .return_urls import ReturnUrl, parse_return_url
from .started import StartedCall
from .statuses import Status
from .summaries import Summary
from .verification import ExpectedPayment, FailedCheck, Verification, verify_payment
from .waiting import Waited
from .wire_bodies import build_create_order, build_get_status

__version__ = "0.1.0"

__all__ = [
    "Action",
    "Amount",
    "Cancellation",
    "Cause",
    "CheckStep",
    "Checked",
    "Checkout",
    "Client",
    "Config",
    "ExpectedPayment",
    "FailedCheck",
    "Journal",
    "JournalEntry",
    "JournalEvent",
    "JournalState",
    "OrderFields",
    "PayMode",
    "PaymentClient",
    "Recovered",
    "RecoveredSale",
    "Resolved",
    "Result",
    "ReturnUrl",
    "Startable",
    "StartedCall",
    "Status",
    "StatusResult",
    "Statuses",
    "Summary",
    "TlsConfig",
    "Verdict",
    "Verification",
    "Waited",
    "build_create_order",
    "build_get_status",
    "library_version",
    "parse_return_url",
    "reconciliation",
    "verify_payment",
]
__all__ += errors.__all__

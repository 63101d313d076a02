"""Payments through the Create Order and Get Status interface, using the C library payorder.

Every failure says what happened to the order: `NotSentError`, `RejectedError` or
`OutcomeUnknownError`.
"""

from __future__ import annotations

try:
    from ._library import library_version as library_version
except ModuleNotFoundError as _missing:
    if _missing.name != "payorder._signatures":
        raise
    raise ImportError(
        "this is the package's source, which lacks the modules that are made from the header: run"
        " bindings/generate python, or install the package: pip install ./bindings/python"
    ) from _missing

__version__ = "0.1.0"

#: The modules with public names. Each is imported when it, or a name of it, is used.
_MODULES = {
    "amounts": "Amount",
    "batch": "Statuses StatusResult",
    "cancellation": "Cancellation",
    "causes": "Action Cause",
    "checks": "Checked CheckStep",
    "client": "Client Startable",
    "configuration": "Config TlsConfig",
    "journal_entries": "JournalEntry JournalEvent JournalState",
    "journals": "Journal Resolved",
    "orders": "Checkout OrderFields PayMode",
    "payments": "PaymentClient",
    "recovery": "Recovered RecoveredSale Verdict",
    "results": "Result",
    "return_urls": "ReturnUrl parse_return_url",
    "started": "StartedCall",
    "statuses": "Status",
    "summaries": "Summary",
    "violations": "Violation",
    "verification": "ExpectedPayment FailedCheck Verification verify_payment",
    "waiting": "Waited",
    "wire_bodies": "build_create_order build_get_status",
    "reconciliation": "",
    "errors": "",  # It has a list of its own.
}

TYPE_CHECKING = False
if TYPE_CHECKING:  # Without `typing`, which takes long to import.
    from . import errors as errors, reconciliation as reconciliation
    from .errors import *
    from .amounts import Amount as Amount
    from .batch import Statuses as Statuses, StatusResult as StatusResult
    from .cancellation import Cancellation as Cancellation
    from .causes import Action as Action, Cause as Cause
    from .checks import Checked as Checked, CheckStep as CheckStep
    from .client import Client as Client, Startable as Startable
    from .configuration import Config as Config, TlsConfig as TlsConfig
    from .journal_entries import JournalEntry as JournalEntry
    from .journal_entries import JournalEvent as JournalEvent
    from .journal_entries import JournalState as JournalState
    from .journals import Journal as Journal, Resolved as Resolved
    from .orders import Checkout as Checkout, OrderFields as OrderFields, PayMode as PayMode
    from .payments import PaymentClient as PaymentClient
    from .recovery import Recovered as Recovered, RecoveredSale as RecoveredSale, Verdict as Verdict
    from .results import Result as Result
    from .return_urls import ReturnUrl as ReturnUrl, parse_return_url as parse_return_url
    from .started import StartedCall as StartedCall
    from .statuses import Status as Status
    from .summaries import Summary as Summary
    from .violations import Violation as Violation
    from .verification import ExpectedPayment as ExpectedPayment
    from .verification import FailedCheck as FailedCheck
    from .verification import Verification as Verification
    from .verification import verify_payment as verify_payment
    from .waiting import Waited as Waited
    from .wire_bodies import build_create_order as build_create_order
    from .wire_bodies import build_get_status as build_get_status
else:

    def __getattr__(name):
        if name == "__all__":
            names = " ".join(_MODULES.values()).split()
            return ["library_version", "reconciliation", *names, *__getattr__("errors").__all__]
        found = [module for module, names in _MODULES.items() if name in (module, *names.split())]
        # Python itself asks for names such as `__path__`.
        if not found and name[0] != "_" and name in __getattr__("errors").__all__:
            found = ["errors"]
        if not found:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        import importlib

        module = importlib.import_module(f".{found[0]}", __name__)
        value = globals()[name] = module if name in _MODULES else getattr(module, name)
        return value

    def __dir__():
        return sorted({*globals(), *_MODULES, *__getattr__("__all__")})

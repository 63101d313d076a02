"""The exceptions. Their three base classes say what happened to the order."""

from __future__ import annotations

import enum
import json
import re
from dataclasses import dataclass
from typing import Any, Dict, Mapping, Optional, Tuple, Type

from ._reading import member, parsed
from ._text import python_name
from .orders import Checkout
from .statuses import Status


class Result(enum.IntEnum):
    """The results that this version knows by name. The range of the number is the outcome."""

    OK = 0
    INVALID_ARGUMENT = 1
    INVALID_HANDLE = 2
    INVALID_CONFIG = 3
    INVALID_REQUEST = 4
    MISSING_CREDENTIALS = 5
    CONNECT_FAILED = 6
    TLS_FAILED = 7
    CANCELLED = 8
    JOURNAL_FAILED = 10
    INTERNAL = 11
    REJECTED = 100
    UNAUTHORIZED = 101
    RATE_LIMITED = 102
    TIMEOUT = 200
    CONNECTION_LOST = 201
    BAD_RESPONSE = 202
    SERVICE_FAILED = 203
    CANCELLED_IN_FLIGHT = 204
    INTERNAL_IN_FLIGHT = 205
    DUPLICATE = 206


@dataclass(frozen=True)
class Violation:
    """One field that breaks one rule of the interface. `field` is its name on the wire."""

    field: str
    rule: str
    message: str


class PayorderError(Exception):
    """A call that failed. Catch one of its three outcomes, or `UnusableTextError`, below.

    The attributes are those of the library's error object. One that does not apply to this failure
    is None (`violations`: empty). `raw` is the whole object as JSON text, with everything that a
    newer library may add.
    """

    result: int
    name: str
    outcome: str  #: "not_sent", "rejected" or "unknown"
    cause: str  #: what exactly happened, for programs: compare with `Cause`
    action: str  #: what to do next, for programs: compare with `Action`
    message: str  #: for people; may change
    operation: Optional[str]
    attempts: Optional[int]
    elapsed_ms: Optional[int]
    violations: Tuple[Violation, ...]
    http_status: Optional[int]
    response_code: Optional[str]
    response_message: Optional[str]
    retry_after_ms: Optional[int]
    status_query: Optional[Dict[str, str]]
    previous: Optional[Dict[str, Any]]
    status: Optional[Status]  #: the last status that a failed wait saw
    raw: str

    def __init__(self, raw: str) -> None:
        # The text is the only argument, so that pickling and copying make the same error again.
        super().__init__(raw)
        error = _fields(raw)
        self.raw = raw
        self.result = error["result"]
        self.name = error["name"]
        self.outcome = error["outcome"]
        self.cause = error.get("cause", "")
        self.action = error.get("action", "")
        self.message = _in_python_names(error["message"])
        self.operation = error.get("operation")
        self.attempts = error.get("attempts")
        self.elapsed_ms = error.get("elapsedMs")
        self.violations = tuple(
            Violation(one["field"], one["rule"], _in_python_names(one["message"]))
            for one in error.get("violations", ())
        )
        self.http_status = error.get("httpStatus")
        self.response_code = error.get("responseCode")
        self.response_message = error.get("responseMessage")
        self.retry_after_ms = error.get("retryAfterMs")
        self.status_query = error.get("statusQuery")
        self.previous = error.get("previous")
        # Its text as the library wrote it: fields that this version does not know stay unchanged.
        status = member(raw.encode(), "/error/status") if "status" in error else None
        self.status = None if status is None else Status(status)

    def __str__(self) -> str:
        return f"{self.message} ({self.name})"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"


_TEXTS = (
    "name",
    "outcome",
    "cause",
    "action",
    "message",
    "operation",
    "responseCode",
    "responseMessage",
)
_JSON = (
    "result",
    "attempts",
    "elapsedMs",
    "violations",
    "httpStatus",
    "retryAfterMs",
    "statusQuery",
    "previous",
)


def _fields(raw: str) -> Mapping[str, Any]:
    """The members of the error object."""
    document = parsed(raw)
    if document is not None:
        fields: Mapping[str, Any] = document["error"]
        return fields
    # A status inside the error has something that `json.loads` cannot read. The rest is plain.
    encoded = raw.encode()
    texts = {
        key: member(encoded, f"/error/{key}") for key in (*_TEXTS, *_JSON, "status")
    }
    return {
        key: json.loads(text) if key in _JSON else text
        for key, text in texts.items()
        if text is not None
    }


#: The library's names for what a Python program gives as keyword arguments or reads as attributes.
_WIRE_NAMES = re.compile(
    # Not within a path, a URL or a longer word.
    r"(?<![\w/\\.-])(?P<inside>tls\.)?"
    r"(?P<name>[a-z]+(?:[A-Z][a-z]+)+|redirectionURL)"
    r"(?![\w/\\-]|\.\w)"
)
_KNOWN = frozenset(
    "accessToken allowInsecureHttp baseUrl caFile certFile checkoutHosts clientId clientKey"
    " connectTimeoutMs createRetries currencyCode customerEmail customerMobile customerName"
    " extraFields intervalMs keyFile maxIdleMs maxIntervalMs maxResponseBytes merchantId"
    " merchantTxnId olderThanDays orderId payMode productInfo ratePerSecond redirectionURL"
    " responseCode responseMessage retryAfterMs returnUrlField searchType secretKey statusQuery"
    " statusRetries timeoutMs transactionId transactionStatus userAgent waitMs".split()
)


def _in_python_names(message: str) -> str:
    """A message of the library with the names that a Python program uses."""

    def name(found: "re.Match[str]") -> str:
        if found["name"] not in _KNOWN:
            return found[0]
        return (found["inside"] or "") + python_name(found["name"])

    return _WIRE_NAMES.sub(name, message)


class UnusableTextError(PayorderError, ValueError):
    """Raised by the functions that do not use the network: they cannot use what they were given.

    This is not a `NotSentError`, because it says nothing about an order. A return URL that cannot
    be read after an order was made must not look like an order that was not sent. `violations`
    lists what is wrong with a request.
    """


class NotSentError(PayorderError):
    """Nothing of the request left this machine. Fix the problem and call again."""


class InvalidArgumentError(NotSentError):
    """An argument that cannot be used: not a JSON object, an invalid option, too large."""


class InvalidHandleError(NotSentError):
    """The client is closed, or the cancellation is."""


class InvalidConfigError(NotSentError):
    """A setting that is unknown, invalid or out of range, or names a file that cannot be used."""


class InvalidRequestError(NotSentError):
    """The request breaks the interface's rules. `violations` lists every field that does."""


class MissingCredentialsError(NotSentError):
    """Neither the client nor the call has the credentials for this request."""


class ConnectError(NotSentError):
    """No connection: name lookup, TCP or proxy failed or timed out."""


class TlsError(NotSentError):
    """The certificate or the TLS handshake failed."""


class CancelledError(NotSentError):
    """Cancelled before any byte of the request was sent."""


class JournalError(NotSentError):
    """The journal cannot be used, so nothing was sent."""


class InternalError(NotSentError):
    """A bug in the library, before any byte of the request was sent."""


class RejectedError(PayorderError):
    """The service answered, and refused. `response_message` is the reason that it gave."""

    def __str__(self) -> str:
        if not self.response_message:
            return super().__str__()
        message = _SEE_REASON.sub("", self.message)
        return f"{message}; the service says: {_one_line(self.response_message)} ({self.name})"


#: What the library says of the reason, which `str` shows instead.
_SEE_REASON = re.compile("; see response_message[^;]*$")

#: As much of the service's reason as `str` shows.
_LONGEST_REASON = 300


def _one_line(text: str) -> str:
    """The service's words for a log line or a terminal: one line, without control characters."""
    shown = "".join(
        one if one.isprintable() else " " for one in text[: _LONGEST_REASON + 1]
    )
    line = " ".join(shown.split())
    return line if len(text) <= _LONGEST_REASON else line[:_LONGEST_REASON] + "..."


class UnauthorizedError(RejectedError):
    """The service refused the credentials."""


class RateLimitedError(RejectedError):
    """The service asks for fewer calls."""

    @property
    def retry_after(self) -> Optional[float]:
        """Seconds to wait, if the service said so."""
        return None if self.retry_after_ms is None else self.retry_after_ms / 1000


class OutcomeUnknownError(PayorderError):
    """The order may exist. Call `get_status(error.status_query)` before doing anything else.

    `status_query` is set after Create Order. After Get Status it is None: Get Status makes nothing,
    so just ask again.
    """


class OrderInterrupted(KeyboardInterrupt):
    """Ctrl-C was pressed during `create_order`, and the call has ended nevertheless.

    One of the two says how: `checkout` if the order was made, otherwise `error`. `raw` is the
    library's result as JSON text. A program that does not catch this ends as with any
    `KeyboardInterrupt`, and the traceback shows the checkout URL.
    """

    checkout: Optional[Checkout]
    error: Optional[PayorderError]
    raw: str

    def __init__(self, raw: str) -> None:
        super().__init__(raw)
        self.raw = raw
        self.checkout = self.error = None
        text = raw.encode()
        if member(text, "/responseCode") is not None:
            self.checkout = Checkout(raw)
        else:
            result = int(member(text, "/error/result") or 0)
            self.error = error_class(result)(raw)

    def __str__(self) -> str:
        if self.checkout is not None:
            return f"the order was made; send the customer to {self.checkout.url}"
        return f"the order failed: {self.error}"


class ResponseTimeoutError(OutcomeUnknownError):
    """The request was sent, and no answer came in time."""


class ConnectionLostError(OutcomeUnknownError):
    """The connection broke after the request, or a part of it, was sent."""


class BadResponseError(OutcomeUnknownError):
    """The answer cannot be used: not JSON, too large, no checkout URL, or about another order."""


class ServiceFailedError(OutcomeUnknownError):
    """The service says that it failed. That does not say whether it made the order."""


class CancelledInFlightError(OutcomeUnknownError):
    """Cancelled after the request, or a part of it, was sent."""


class InternalInFlightError(OutcomeUnknownError):
    """A bug in the library, after a byte of the request was sent."""


class DuplicateError(OutcomeUnknownError):
    """The journal has this order already: `previous` is its entry. This call sent nothing."""


_CLASSES: Dict[int, Type[PayorderError]] = {
    Result.INVALID_ARGUMENT: InvalidArgumentError,
    Result.INVALID_HANDLE: InvalidHandleError,
    Result.INVALID_CONFIG: InvalidConfigError,
    Result.INVALID_REQUEST: InvalidRequestError,
    Result.MISSING_CREDENTIALS: MissingCredentialsError,
    Result.CONNECT_FAILED: ConnectError,
    Result.TLS_FAILED: TlsError,
    Result.CANCELLED: CancelledError,
    Result.DUPLICATE: DuplicateError,
    Result.JOURNAL_FAILED: JournalError,
    Result.INTERNAL: InternalError,
    Result.REJECTED: RejectedError,
    Result.UNAUTHORIZED: UnauthorizedError,
    Result.RATE_LIMITED: RateLimitedError,
    Result.TIMEOUT: ResponseTimeoutError,
    Result.CONNECTION_LOST: ConnectionLostError,
    Result.BAD_RESPONSE: BadResponseError,
    Result.SERVICE_FAILED: ServiceFailedError,
    Result.CANCELLED_IN_FLIGHT: CancelledInFlightError,
    Result.INTERNAL_IN_FLIGHT: InternalInFlightError,
}


def error_class(result: int) -> Type[PayorderError]:
    """The exception for a result. An unknown number has the outcome of its range."""
    known = _CLASSES.get(result)
    if known is not None:
        return known
    if 1 <= result <= 99:
        return NotSentError
    if 100 <= result <= 199:
        return RejectedError
    return OutcomeUnknownError

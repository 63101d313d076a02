"""What a failure says: the exceptions, by what happened to the money."""

from __future__ import annotations

import enum
import json
from dataclasses import dataclass
from typing import Any, Dict, Optional, Tuple, Type


class Result(enum.IntEnum):
    """The results this version knows by name. The number's range is its outcome."""

    OK = 0
    INVALID_ARGUMENT = 1
    INVALID_HANDLE = 2
    INVALID_CONFIG = 3
    INVALID_REQUEST = 4
    MISSING_CREDENTIALS = 5
    CONNECT_FAILED = 6
    TLS_FAILED = 7
    CANCELLED = 8
    DUPLICATE = 9
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


@dataclass(frozen=True)
class Violation:
    """One field that breaks one rule of the interface."""

    field: str
    rule: str
    message: str


class PayorderError(Exception):
    """A call that did not succeed. Catch one of its three outcomes, or `UnusableTextError`, below.

    The attributes are those of the library's error object; those that mean nothing for this failure are None
    (`violations`: empty). `raw` is the whole object as JSON text, with what a newer library may have added.
    """

    result: int
    name: str
    outcome: str
    message: str
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
    raw: str

    def __init__(self, raw: str) -> None:
        # The raw text is the only argument, so that pickling and copying make the same error again.
        super().__init__(raw)
        error = json.loads(raw)["error"]
        self.raw = raw
        self.result = error["result"]
        self.name = error["name"]
        self.outcome = error["outcome"]
        self.message = error["message"]
        self.operation = error.get("operation")
        self.attempts = error.get("attempts")
        self.elapsed_ms = error.get("elapsedMs")
        self.violations = tuple(
            Violation(one["field"], one["rule"], one["message"])
            for one in error.get("violations", ())
        )
        self.http_status = error.get("httpStatus")
        self.response_code = error.get("responseCode")
        self.response_message = error.get("responseMessage")
        self.retry_after_ms = error.get("retryAfterMs")
        self.status_query = error.get("statusQuery")
        self.previous = error.get("previous")

    def __str__(self) -> str:
        return f"{self.message} ({self.name})"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"


class UnusableTextError(PayorderError, ValueError):
    """What the functions that do not go to the network raise: they cannot use what they were given.

    No `NotSentError`, since it says nothing of any order: a return URL that cannot be read after an order was made must
    not be taken for an order that was not sent. `violations` lists what is wrong with a request.
    """


class NotSentError(PayorderError):
    """Nothing of the request left this machine: mend the cause and call again."""


class InvalidArgumentError(NotSentError):
    """An argument that cannot be read: no JSON object, an unknown or broken option, too large."""


class InvalidHandleError(NotSentError):
    """The client is closed."""


class InvalidConfigError(NotSentError):
    """A setting that is unknown, broken or out of range, or a file it names that cannot be used."""


class InvalidRequestError(NotSentError):
    """The request breaks the interface's rules: `violations` lists every field that does."""


class MissingCredentialsError(NotSentError):
    """Neither the client nor the call has the credentials of this endpoint."""


class ConnectError(NotSentError):
    """No connection: name lookup, TCP or proxy, refused or timed out."""


class TlsError(NotSentError):
    """The certificate or the handshake failed."""


class CancelledError(NotSentError):
    """Cancelled before a byte of the request was sent."""


class DuplicateError(NotSentError):
    """The journal already has this order: `previous` is its entry."""


class JournalError(NotSentError):
    """The journal cannot be written."""


class InternalError(NotSentError):
    """A defect of the library, met before a byte of the request was sent."""


class RejectedError(PayorderError):
    """The service answered, and refused."""


class UnauthorizedError(RejectedError):
    """The service refused the credentials."""


class RateLimitedError(RejectedError):
    """The service asks to be called less often."""

    @property
    def retry_after(self) -> Optional[float]:
        """Seconds to wait, where the service said so."""
        return None if self.retry_after_ms is None else self.retry_after_ms / 1000


class OutcomeUnknownError(PayorderError):
    """The service may have acted: ask `get_status(error.status_query)` before doing anything else.

    `status_query` is there after Create Order; after Get Status it is None: nothing was made, so just ask again.
    """


class ResponseTimeoutError(OutcomeUnknownError):
    """The request was sent, and no answer came in time."""


class ConnectionLostError(OutcomeUnknownError):
    """The connection broke after the request, or a part of it, was sent."""


class BadResponseError(OutcomeUnknownError):
    """The answer cannot be used: not JSON, too large, without an address, about another order."""


class ServiceFailedError(OutcomeUnknownError):
    """The service says that it failed, which does not say whether it acted."""


class CancelledInFlightError(OutcomeUnknownError):
    """Cancelled after the request, or a part of it, was sent."""


class InternalInFlightError(OutcomeUnknownError):
    """A defect of the library, met after a byte of the request was sent."""


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
    """The exception of a result. A number from a newer library is still of its range's outcome."""
    known = _CLASSES.get(result)
    if known is not None:
        return known
    if 1 <= result <= 99:
        return NotSentError
    if 100 <= result <= 199:
        return RejectedError
    return OutcomeUnknownError

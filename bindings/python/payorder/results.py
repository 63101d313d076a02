# Generated from include/payorder-abi.json by bindings/constants.py.
"""The results of the library."""

from __future__ import annotations

import enum


class Result(enum.IntEnum):
    """The results that this version knows by name. The range of the number is the outcome."""

    #: done
    OK = 0
    #: an argument is NULL, not UTF-8, not JSON or too long, or an option is unknown or invalid
    INVALID_ARGUMENT = 1
    #: not a live client or token (NULL, freed or never created)
    INVALID_HANDLE = 2
    #: a configuration key is unknown, invalid or out of range, or a named file cannot be used
    INVALID_CONFIG = 3
    #: the request breaks the interface's rules; all violations are listed
    INVALID_REQUEST = 4
    #: the endpoint's credentials are in neither the configuration nor the options
    MISSING_CREDENTIALS = 5
    #: DNS, TCP or proxy failed, or the connection broke before a byte of the request was sent
    CONNECT_FAILED = 6
    #: the certificate or the handshake failed
    TLS_FAILED = 7
    #: cancelled before a byte of the request was sent
    CANCELLED = 8
    #: the journal cannot be used, so nothing was sent
    JOURNAL_FAILED = 10
    #: a bug in the library, or no thread or memory left, before a byte of the request was sent
    INTERNAL = 11
    #: the service refused the request for another reason
    REJECTED = 100
    #: HTTP or responseCode 401 or 403
    UNAUTHORIZED = 101
    #: HTTP or responseCode 429
    RATE_LIMITED = 102
    #: no complete response in time
    TIMEOUT = 200
    #: the connection ended before a complete response
    CONNECTION_LOST = 201
    #: a response that cannot be used
    BAD_RESPONSE = 202
    #: HTTP 5xx or a 4xx that is not a refusal code, a responseCode that is neither 200 nor a
    #: refusal code, or a refused `resend`
    SERVICE_FAILED = 203
    #: cancelled after the first byte of the request was sent
    CANCELLED_IN_FLIGHT = 204
    #: a bug in the library after the first byte of the request was sent, or a forked child inside
    #: its parent's call
    INTERNAL_IN_FLIGHT = 205
    #: the journal has this order already; this call sent nothing
    DUPLICATE = 206

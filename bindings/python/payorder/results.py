# Generated from include/payorder-abi.json by bindings/generate.
"""The results of the library. docs/abi.md says what each means."""

from __future__ import annotations

import enum


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

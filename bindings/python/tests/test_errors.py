from __future__ import annotations

import copy
import json
import pickle
import unittest
from typing import Any, Dict, Type

import payorder
from payorder import Result
from payorder._library import library
from payorder.errors import error_class

#: The exception class of every result constant.
CLASSES: Dict[Result, Type[payorder.PayorderError]] = {
    Result.INVALID_ARGUMENT: payorder.InvalidArgumentError,
    Result.INVALID_HANDLE: payorder.InvalidHandleError,
    Result.INVALID_CONFIG: payorder.InvalidConfigError,
    Result.INVALID_REQUEST: payorder.InvalidRequestError,
    Result.MISSING_CREDENTIALS: payorder.MissingCredentialsError,
    Result.CONNECT_FAILED: payorder.ConnectError,
    Result.TLS_FAILED: payorder.TlsError,
    Result.CANCELLED: payorder.CancelledError,
    Result.DUPLICATE: payorder.DuplicateError,
    Result.JOURNAL_FAILED: payorder.JournalError,
    Result.INTERNAL: payorder.InternalError,
    Result.REJECTED: payorder.RejectedError,
    Result.UNAUTHORIZED: payorder.UnauthorizedError,
    Result.RATE_LIMITED: payorder.RateLimitedError,
    Result.TIMEOUT: payorder.ResponseTimeoutError,
    Result.CONNECTION_LOST: payorder.ConnectionLostError,
    Result.BAD_RESPONSE: payorder.BadResponseError,
    Result.SERVICE_FAILED: payorder.ServiceFailedError,
    Result.CANCELLED_IN_FLIGHT: payorder.CancelledInFlightError,
    Result.INTERNAL_IN_FLIGHT: payorder.InternalInFlightError,
}

OUTCOMES: Dict[int, Type[payorder.PayorderError]] = {
    1: payorder.NotSentError,
    2: payorder.RejectedError,
    3: payorder.OutcomeUnknownError,
}


def error_json(result: int = 200, **further: Any) -> str:
    error = {
        "result": result,
        "name": "PAYORDER_TIMEOUT",
        "outcome": "unknown",
        "cause": "response_timed_out",
        "action": "ask_status",
        "message": "no answer came",
    }
    return json.dumps({"error": {**error, **further}})


ENTRY = {
    "entry": 7,
    "orderId": "ORD-1",
    "merchantTxnId": "MTX-1",
    "amount": "100.00",
    "currencyCode": "INR",
    "state": "unknown",
    "url": None,
    "service": "https://pay.example.com",
    "result": 200,
    "transactionId": None,
    "transactionStatus": None,
    "startedAt": "2026-11-21T14:05:06.000Z",
    "deadline": "2026-11-21T14:05:36.000Z",
    "updatedAt": "2026-11-21T14:05:36.000Z",
}


class Errors(unittest.TestCase):
    def test_every_result_has_its_class_and_its_name(self) -> None:
        self.assertEqual(set(CLASSES), set(Result) - {Result.OK})
        for result, kind in CLASSES.items():
            self.assertIs(error_class(int(result)), kind)
            self.assertEqual(
                library.payorder_result_name(result).decode(), f"PAYORDER_{result.name}"
            )

    def test_any_number_has_the_librarys_outcome(self) -> None:
        for result in [*range(-3, 320), 2**31 - 1, -(2**31)]:
            if result != Result.OK:
                outcome = OUTCOMES[library.payorder_result_outcome(result)]
                self.assertTrue(issubclass(error_class(result), outcome), result)

    def test_every_key_of_the_error_object_is_an_attribute(self) -> None:
        raw = error_json(
            operation="create_order",
            attempts=2,
            elapsedMs=31,
            violations=[
                {
                    "field": "amount",
                    "rule": "minimum",
                    "message": "amount must be 1 or above",
                }
            ],
            httpStatus=503,
            responseCode="503",
            responseMessage="busy",
            retryAfterMs=2500,
            statusQuery={"searchType": "1", "orderId": "ORD-1"},
            previous=ENTRY,
            addedLater=True,
        )
        error = payorder.ResponseTimeoutError(raw)
        expected = {
            "result": 200,
            "name": "PAYORDER_TIMEOUT",
            "outcome": "unknown",
            "cause": payorder.Cause.RESPONSE_TIMED_OUT,
            "action": payorder.Action.ASK_STATUS,
            "message": "no answer came",
            "operation": "create_order",
            "attempts": 2,
            "elapsed_ms": 31,
            "violations": (
                payorder.Violation("amount", "minimum", "amount must be 1 or above"),
            ),
            "http_status": 503,
            "response_code": "503",
            "response_message": "busy",
            "retry_after_ms": 2500,
            "status_query": {"searchType": "1", "orderId": "ORD-1"},
            "previous": payorder.JournalEntry.from_mapping(ENTRY),
            "checkout_url": None,
            "status": None,
            "raw": raw,
        }
        self.assertEqual(vars(error), expected)
        self.assertEqual(expected["previous"].to_dict(), ENTRY)  # type: ignore[attr-defined]
        # What it prints, or an error tracker shows, is not the whole JSON text.
        self.assertEqual(error.args, (str(error),))

    def test_keys_that_do_not_apply_are_none(self) -> None:
        known = vars(payorder.ResponseTimeoutError(error_json()))
        given = {*json.loads(error_json())["error"], "raw", "violations"}
        self.assertEqual(known["violations"], ())
        others = {name: value for name, value in known.items() if name not in given}
        self.assertEqual(others, dict.fromkeys(others))

    def test_the_wait_after_a_rate_limit_is_in_seconds(self) -> None:
        self.assertEqual(
            payorder.RateLimitedError(error_json(102, retryAfterMs=1500)).retry_after,
            1.5,
        )
        self.assertIsNone(payorder.RateLimitedError(error_json(102)).retry_after)

    def test_an_error_survives_pickling_and_copying(self) -> None:
        for result, kind in CLASSES.items():
            error = kind(
                error_json(
                    int(result), statusQuery={"searchType": "1", "orderId": "ORD-1"}
                )
            )
            for again in (
                pickle.loads(pickle.dumps(error)),
                copy.copy(error),
                copy.deepcopy(error),
            ):
                self.assertIs(type(again), kind)
                self.assertEqual(again.raw, error.raw)
                self.assertEqual(vars(again), vars(error))
                self.assertEqual(str(again), str(error))

    def test_an_entry_of_another_version_does_not_hide_that_the_order_may_exist(
        self,
    ) -> None:
        error = payorder.DuplicateError(error_json(206, previous={"entry": 7}))
        self.assertIsNone(error.previous)
        self.assertEqual(error.to_dict()["error"]["previous"], {"entry": 7})

    def test_messages_use_python_names(self) -> None:
        for wire, python in (
            ("redirectionURL is missing", "redirection_url is missing"),
            (
                "tls.caFile names /srv/clientId/caFile",
                "tls.ca_file names /srv/clientId/caFile",
            ),
            (
                "check clientKey, clientId and secretKey.",
                "check client_key, client_id and secret_key.",
            ),
            ("https://baseUrl.example/orderId", "https://baseUrl.example/orderId"),
            ("the option iPhone", "the option iPhone"),
        ):
            error = payorder.RejectedError(
                error_json(
                    message=wire,
                    violations=[{"field": "payMode", "rule": "r", "message": wire}],
                )
            )
            self.assertEqual(error.message, python)
            self.assertEqual(
                error.violations[0], payorder.Violation("payMode", "r", python)
            )
            self.assertIn(wire, error.raw)

    def test_an_error_shows_its_message_and_its_name(self) -> None:
        error = payorder.ResponseTimeoutError(error_json(responseMessage="Asha Rao"))
        self.assertEqual(str(error), "no answer came (PAYORDER_TIMEOUT)")
        self.assertEqual(
            repr(error), "ResponseTimeoutError('no answer came (PAYORDER_TIMEOUT)')"
        )


if __name__ == "__main__":
    unittest.main()

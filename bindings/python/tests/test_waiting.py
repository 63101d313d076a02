"""Waiting for a payment."""

from __future__ import annotations

import json
import pickle
import threading
from typing import Any, Dict, List

import payorder
from payorder._library import library

from .counted import CountedTestCase
from .sandbox import CREDENTIALS as SANDBOX_CREDENTIALS
from .sandbox import Sandbox
from .service import (
    CREDENTIALS,
    ORDER,
    PATIENCE,
    STATUS,
    Answer,
    Service,
)
from .test_logging import Kept, listening
from .many_statuses import wait_until


def status(text: str) -> Dict[str, Any]:
    return {
        **STATUS,
        "data": {**STATUS["data"], "transactionStatus": text, "newField": 1.10},
    }


QUICK: Dict[str, Any] = {"interval": 0.01, "max_interval": 0.02}


class Waiting(CountedTestCase):
    def test_a_wait_ends_when_the_payment_is_completed(self) -> None:
        with Service(
            status("Pending"), Answer("", 502), status("Completed")
        ) as service:
            with payorder.Client(service.url, proxy="none", **CREDENTIALS) as client:
                waited = client.wait_for_payment(order_id="ORD-1", wait=60, **QUICK)
        self.assertEqual(
            (waited.final, waited.timed_out, waited.polls), (True, False, 3)
        )
        self.assertIsNone(waited.error)
        assert waited.status is not None
        self.assertTrue(waited.status.completed)
        self.assertEqual(json.loads(waited.status.raw)["data"]["newField"], 1.1)
        self.assertEqual(pickle.loads(pickle.dumps(waited)).status, waited.status)
        with self.assertRaises(AttributeError):
            setattr(waited, "final", False)

    def test_a_wait_that_times_out_has_the_last_status(self) -> None:
        with Service(status("Pending")) as service, payorder.Client(
            service.url, proxy="none", **CREDENTIALS
        ) as client:
            waited = client.wait_for_payment({"orderId": "ORD-1"}, wait=0.3, **QUICK)
        assert waited.status is not None
        self.assertEqual(
            (waited.final, waited.timed_out, waited.status.transaction_status),
            (False, True, "Pending"),
        )

    def test_a_wait_without_any_status_has_the_error(self) -> None:
        refused = {"responseCode": "404", "responseMessage": "no such order"}
        with Service(refused) as service, payorder.Client(
            service.url, proxy="none", **CREDENTIALS
        ) as client:
            waited = client.wait_for_payment(order_id="ORD-1", wait=0.2, **QUICK)
        self.assertEqual((waited.status, waited.timed_out), (None, True))
        self.assertIsInstance(waited.error, payorder.RejectedError)
        assert waited.error is not None
        self.assertEqual(waited.error.response_message, "no such order")

    def test_a_wait_that_saw_a_status_and_then_failed_has_both(self) -> None:
        with Service(status("Pending"), Answer("", 502)) as service, payorder.Client(
            service.url, proxy="none", **CREDENTIALS
        ) as client:
            waited = client.wait_for_payment(order_id="ORD-1", wait=0.4, **QUICK)
            assert waited.status is not None
            self.assertEqual(waited.status.transaction_status, "Pending")
            self.assertIsInstance(waited.error, payorder.ServiceFailedError)
            self.assertEqual(pickle.loads(pickle.dumps(waited)).status, waited.status)
            # The error of a cancelled wait also has the status.
            timer = threading.Timer(0.5, client.cancel)
            timer.start()
            service._answers = [status("Pending")]
            with self.assertRaises(payorder.PayorderError) as caught:
                client.wait_for_payment(order_id="ORD-1", interval=0.2)
            timer.join(PATIENCE)
        error = caught.exception
        assert error.status is not None and error.status_query is not None
        self.assertEqual(error.status.transaction_status, "Pending")
        self.assertEqual(error.status_query["orderId"], "ORD-1")

    def test_a_status_in_final_ends_the_wait(self) -> None:
        with Service(status("Failed")) as service, payorder.Client(
            service.url, proxy="none", **CREDENTIALS
        ) as client:
            waited = client.wait_for_payment(
                transaction_id="TXN-1", final=("Failed", "Cancelled")
            )
        self.assertTrue(waited.final)

    def test_an_invalid_query_is_raised_at_once(self) -> None:
        with Service(Answer("no", 401)) as service, payorder.Client(
            service.url, proxy="none", **CREDENTIALS
        ) as client:
            with self.assertRaises(payorder.UnauthorizedError):
                client.wait_for_payment(order_id="ORD-1")
            with self.assertRaisesRegex(payorder.InvalidArgumentError, "wait"):
                client.wait_for_payment(order_id="ORD-1", wait=0)
            with self.assertRaises(payorder.InvalidRequestError):
                client.wait_for_payment(order_id="")
            unknown: Dict[str, Any] = {"wait_s": 1}
            with self.assertRaisesRegex(TypeError, "wait_for_payment.*'wait_s'"):
                client.wait_for_payment(order_id="ORD-1", **unknown)
        with self.assertRaises(payorder.InvalidHandleError):
            client.wait_for_payment(order_id="ORD-1")

    def test_queries_are_logged_during_the_wait(self) -> None:
        kept = Kept()
        seen: List[int] = []
        with Service(status("Pending")) as service, payorder.Client(
            service.url, proxy="none", **CREDENTIALS
        ) as client:

            def look() -> None:
                wait_until(lambda: len(kept.records) > 0)
                seen.append(library.payorder_live_calls())
                client.cancel()

            looking = threading.Thread(target=look)
            with listening(kept):
                looking.start()
                with self.assertRaises(
                    (payorder.CancelledError, payorder.CancelledInFlightError)
                ):
                    client.wait_for_payment(order_id="ORD-1")
                looking.join(PATIENCE)
        self.assertEqual(seen, [1], "the wait was over")

    def test_a_wait_in_another_thread_can_be_cancelled(self) -> None:
        errors: List[BaseException] = []
        with Service(status("Pending")) as service, payorder.Client(
            service.url, proxy="none", **CREDENTIALS
        ) as client:

            def wait() -> None:
                try:
                    client.wait_for_payment(order_id="ORD-1")
                except payorder.PayorderError as error:
                    errors.append(error)

            thread = threading.Thread(target=wait)
            thread.start()
            self.assertTrue(wait_until(lambda: bool(service.requests)))
            client.cancel()
            thread.join(PATIENCE)
        self.assertIn(
            type(errors[0]), (payorder.CancelledError, payorder.CancelledInFlightError)
        )

    def test_the_customer_pays_in_the_sandbox_during_the_wait(self) -> None:
        with Sandbox() as sandbox, payorder.Client(
            sandbox.url, proxy="none", **SANDBOX_CREDENTIALS
        ) as client:
            client.create_order(**ORDER)
            paying = threading.Timer(0.3, sandbox.press, ["pay"])
            paying.start()
            waited = client.wait_for_payment(order_id="ORD-1", wait=60, interval=0.05)
            paying.join(PATIENCE)
        assert waited.status is not None
        self.assertTrue(
            payorder.verify_payment(
                {"orderId": "ORD-1", "amount": "100.00"}, waited.status
            )
        )

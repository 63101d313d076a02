"""Functions without the network: request bodies, return URLs, verification."""

from __future__ import annotations

import json
import pickle
from typing import Callable, Dict

import payorder

from .counted import CountedTestCase
from .service import STATUS, served

EXPECTED = {"orderId": "ORD-1", "amount": "100.00"}


class Verifying(CountedTestCase):
    def test_a_paid_order_is_true_and_an_unpaid_one_false(self) -> None:
        paid = payorder.verify_payment(EXPECTED, json.dumps(STATUS))
        self.assertIs(paid.paid, True)
        self.assertTrue(paid)
        self.assertEqual(
            (paid.reasons, paid.unverifiable), ((), ("currencyCode", "merchantId"))
        )
        unpaid = payorder.verify_payment(
            {**EXPECTED, "amount": "101"}, json.dumps(STATUS)
        )
        self.assertIs(unpaid.paid, False)
        self.assertFalse(unpaid)
        self.assertEqual(
            unpaid.reasons, (payorder.FailedCheck("amount", "101", "100.00"),)
        )

    def test_a_status_may_be_a_result_a_text_or_a_mapping(self) -> None:
        with served(STATUS) as (service, client):
            status = client.get_status(order_id="ORD-1")
        for given in (
            status,
            status.raw,
            json.loads(status.raw),
            STATUS,
            json.dumps(STATUS),
        ):
            self.assertTrue(payorder.verify_payment(EXPECTED, given))

    def test_an_amount_that_json_made_a_float_is_refused(self) -> None:
        answered = {**STATUS, "data": {**STATUS["data"], "amount": 100.0}}
        with self.assertRaisesRegex(TypeError, "float.*JSON text"):
            payorder.verify_payment(EXPECTED, answered)
        self.assertTrue(payorder.verify_payment(EXPECTED, json.dumps(answered)))


class UnusableTexts(CountedTestCase):
    def test_an_unusable_text_does_not_look_like_an_order_that_was_not_sent(
        self,
    ) -> None:
        calls: Dict[str, Callable[[], object]] = {
            "parse_return_url": lambda: payorder.parse_return_url("?"),
            "verify_payment": lambda: payorder.verify_payment(EXPECTED, "{"),
            "build_create_order": lambda: payorder.build_create_order(amount="0"),
            "build_get_status": lambda: payorder.build_get_status(order_id=""),
        }
        for name, call in calls.items():
            with self.subTest(name), self.assertRaises(
                payorder.PayorderError
            ) as caught:
                call()
            self.assertIsInstance(caught.exception, payorder.UnusableTextError)
            self.assertIsInstance(caught.exception, ValueError)
            self.assertNotIsInstance(caught.exception, payorder.NotSentError)
            self.assertEqual(
                pickle.loads(pickle.dumps(caught.exception)).raw, caught.exception.raw
            )


class Results(CountedTestCase):
    def test_results_are_values(self) -> None:
        with served(STATUS) as (service, client):
            status = client.get_status(order_id="ORD-1")
        verification = payorder.verify_payment(EXPECTED, status)
        waited = payorder.Waited.from_json(
            {"final": True, "timedOut": False, "polls": 1, "status": STATUS}
        )
        for result in (
            status,
            verification,
            waited,
            payorder.parse_return_url("?txn=T"),
        ):
            self.assertEqual(pickle.loads(pickle.dumps(result)), result)
            hash(result)
            with self.assertRaises(AttributeError):
                setattr(result, "raw", "{}")

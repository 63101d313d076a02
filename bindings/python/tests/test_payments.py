"""Functions without the network: request bodies, return URLs, verification."""

from __future__ import annotations

import json
import pickle
from decimal import Decimal
from typing import Any, Callable, Dict

import payorder

from .counted import CountedTestCase
from .service import CREDENTIALS, ORDER, STATUS, WIRE_ORDER, Service

EXPECTED = {"orderId": "ORD-1", "amount": "100.00"}


class WireBodies(CountedTestCase):
    def test_an_order_is_built_as_it_would_be_sent(self) -> None:
        body = payorder.build_create_order(**ORDER)
        self.assertEqual(list(json.loads(body).items()), list(WIRE_ORDER.items()))
        self.assertEqual(payorder.build_create_order(WIRE_ORDER), body)

    def test_own_names_and_fields_are_in_the_body(self) -> None:
        body = json.loads(
            payorder.build_create_order(
                WIRE_ORDER, return_url_field="returnUrl", extra_fields={"udf1": "a"}
            )
        )
        self.assertEqual(
            (body["returnUrl"], body["udf1"]), (ORDER["redirection_url"], "a")
        )
        self.assertNotIn("redirectionURL", body)

    def test_a_query_is_built_as_it_would_be_sent(self) -> None:
        for query, body in (
            ({"order_id": "O"}, {"searchType": "1", "orderId": "O"}),
            (
                {"transaction_id": "T"},
                {"searchType": "2", "orderId": "", "transactionId": "T"},
            ),
            (
                {"query": {"searchType": "1", "orderId": "O"}},
                {"searchType": "1", "orderId": "O"},
            ),
        ):
            arguments: Any = query
            self.assertEqual(json.loads(payorder.build_get_status(**arguments)), body)


class ReturnUrls(CountedTestCase):
    def test_a_return_url_has_its_transaction_and_the_status_query(self) -> None:
        read = payorder.parse_return_url(
            "https://shop.example.com/r?table=4&txn=TXN%2F1#top"
        )
        self.assertEqual(read.transaction_id, "TXN/1")
        self.assertEqual(
            read.status_query,
            {"searchType": "2", "orderId": "", "transactionId": "TXN/1"},
        )
        self.assertEqual(json.loads(read.raw)["transactionId"], "TXN/1")
        self.assertEqual(len({read, payorder.parse_return_url("?txn=T")}), 2)

    def test_a_return_url_without_a_transaction_is_refused(self) -> None:
        for url in ("https://shop.example.com/r", "?txn=", "?txn=A&txn=B"):
            with self.assertRaises(payorder.UnusableTextError):
                payorder.parse_return_url(url)


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

    def test_every_reason_is_listed(self) -> None:
        data = {
            **STATUS["data"],
            "orderId": "ORD-2",
            "amount": "1.00",
            "transactionStatus": "Pending",
        }
        data["refundStatus"] = "Refunded"
        verification = payorder.verify_payment(
            payorder.ExpectedPayment("ORD-1", Decimal("1E+2"), "TXN-2"),
            {**STATUS, "data": data},
        )
        self.assertEqual(
            {
                (one.check, one.expected, one.actual)
                for one in verification.reasons
                if one.check != "refundStatus"
            },
            {
                ("orderId", "ORD-1", "ORD-2"),
                ("transactionId", "TXN-2", "TXN-1"),
                ("amount", "100", "1.00"),
                ("transactionStatus", "Completed", "Pending"),
            },
        )
        self.assertIn("refundStatus", {one.check for one in verification.reasons})

    def test_a_status_may_be_a_result_a_text_or_a_mapping(self) -> None:
        with Service(STATUS) as service, payorder.Client(
            service.url, **CREDENTIALS
        ) as client:
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

    def test_an_invalid_expectation_is_a_violation(self) -> None:
        with self.assertRaises(payorder.UnusableTextError) as caught:
            payorder.verify_payment({"orderId": "", "amount": "x"}, json.dumps(STATUS))
        self.assertEqual(
            {one.field for one in caught.exception.violations}, {"orderId", "amount"}
        )


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
        with Service(STATUS) as service, payorder.Client(
            service.url, **CREDENTIALS
        ) as client:
            status = client.get_status(order_id="ORD-1")
        verification = payorder.verify_payment(EXPECTED, status)
        for result in (status, verification, payorder.parse_return_url("?txn=T")):
            self.assertEqual(pickle.loads(pickle.dumps(result)), result)
            hash(result)
            with self.assertRaises(AttributeError):
                setattr(result, "raw", "{}")

"""No field in a response can make Python lose a result that the library accepted."""

from __future__ import annotations

import json
import pickle
from typing import Any, Dict

import payorder

from .counted import CountedTestCase
from .service import (
    served,
    CHECKOUT_URL,
    CREATED,
    CREDENTIALS,
    ORDER,
    STATUS,
    Answer,
    Service,
)

#: Unknown fields with values that `json.loads` refuses.
UNREADABLE: Dict[str, str] = {
    "a number of 5,000 digits": "7" * 5_000,
    "deep nesting": "[" * 3_000 + "]" * 3_000,
    "both, twice": '[{"a":' + "1" * 5_000 + ',"b":' + "[" * 3_000 + "]" * 3_000 + "}]",
}


def with_field(answer: Dict[str, Any], text: str) -> Answer:
    """The response with a further field in `data` and next to it."""
    data = json.dumps(answer["data"])
    whole = json.dumps({**answer, "data": "DATA"})
    data = data[:-1] + f',"newField":{text}}}'
    return Answer(whole.replace('"DATA"', data)[:-1] + f',"another":{text}}}')


class Accepted(CountedTestCase):
    def test_json_refuses_these_cases(self) -> None:
        # Which of them `json.loads` refuses depends on the version of Python.
        refused = []
        for name, text in UNREADABLE.items():
            try:
                json.loads(text)
            except (ValueError, RecursionError):
                refused.append(name)
        self.assertNotEqual(refused, [])

    def test_a_created_order_is_a_checkout(self) -> None:
        for name, text in UNREADABLE.items():
            with self.subTest(name), Service(with_field(CREATED, text)) as service:
                with payorder.Client(service.url, **CREDENTIALS) as client:
                    checkout = client.create_order(**ORDER)
                self.assertEqual(checkout.url, CHECKOUT_URL)
                self.assertEqual(checkout.response_message, "Success")
                self.assertIn(text, checkout.raw)
                self.assertIn(CHECKOUT_URL, repr(checkout))
                self.assertEqual(pickle.loads(pickle.dumps(checkout)), checkout)

    def test_a_status_has_its_fields(self) -> None:
        for name, text in UNREADABLE.items():
            with self.subTest(name), Service(with_field(STATUS, text)) as service:
                with payorder.Client(service.url, **CREDENTIALS) as client:
                    plain = payorder.Status(
                        json.dumps(
                            {
                                **STATUS,
                                "derived": {
                                    "completed": True,
                                    "transactionDate": "2026-11-21T14:05:06",
                                },
                            }
                        )
                    )
                    status = client.get_status(order_id="ORD-1")
                    (result,) = client.get_statuses(["ORD-1"])
                for found in (status, result.status):
                    assert found is not None
                    self.assertEqual(repr(found), repr(plain))
                    self.assertEqual(found.customer_email, plain.customer_email)
                    self.assertEqual(found.transaction_date, plain.transaction_date)
                    expected = {"orderId": "ORD-1", "amount": "100.00"}
                    self.assertTrue(payorder.verify_payment(expected, found).paid)
                    read = json.loads(json.dumps(found.to_dict()))
                    self.assertEqual(read["data"]["amount"], "100.00")
                    self.assertIs(read["derived"]["completed"], True)

    def test_a_wait_has_its_status(self) -> None:
        for name, text in UNREADABLE.items():
            with self.subTest(name), Service(with_field(STATUS, text)) as service:
                with payorder.Client(
                    service.url, proxy="none", **CREDENTIALS
                ) as client:
                    waited = client.wait_for_payment(order_id="ORD-1")
                assert waited.status is not None
                self.assertEqual((waited.final, waited.polls), (True, 1))
                self.assertEqual(waited.status.amount, "100.00")
                self.assertIn(text, waited.raw)
                read = json.loads(json.dumps(waited.to_dict()))
                self.assertEqual(read["status"]["data"]["amount"], "100.00")

    def test_a_status_inside_an_error_has_its_fields(self) -> None:
        for text in UNREADABLE.values():
            inner = (
                '{"responseCode":"200","data":{"transactionStatus":"Pending","n":%s}}'
            )
            error = payorder.CancelledInFlightError(
                '{"error":{"result":204,"name":"N","outcome":"unknown","message":"m",'
                '"attempts":2,"statusQuery":{"searchType":"1","orderId":"O"},"status":%s}}'
                % (inner % text)
            )
            self.assertEqual(
                (error.result, error.message, error.attempts), (204, "m", 2)
            )
            self.assertEqual(error.status_query, {"searchType": "1", "orderId": "O"})
            self.assertEqual(error.violations, ())
            assert error.status is not None
            self.assertEqual(error.status.transaction_status, "Pending")
            read = json.loads(json.dumps(error.to_dict()))["error"]
            self.assertEqual(read["outcome"], "unknown")
            self.assertEqual(read["status"]["data"]["transactionStatus"], "Pending")


class TruthValues(CountedTestCase):
    def test_what_always_exists_has_no_truth_value(self) -> None:
        """A status has one: `if error.status:` asks whether there is one."""
        with served(STATUS) as (service, client):
            results = [
                client.wait_for_payment(order_id="ORD-1"),
                next(client.get_statuses(["ORD-1"])),
            ]
        for result in results:
            with self.assertRaisesRegex(TypeError, "verify_payment"):
                bool(result)
            with self.assertRaisesRegex(TypeError, "verify_payment"):
                print("paid" if result else "not paid")

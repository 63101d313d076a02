"""Every result as a dict that `json.dumps` writes, with the keys of the library's JSON."""

from __future__ import annotations

import json
import tempfile
import unittest
from typing import Any, Dict

import payorder

from .abi import description
from .counted import CountedTestCase
from .sandbox import CREDENTIALS, Sandbox
from .service import CREDENTIALS as OTHERS
from .service import ORDER, STATUS, closed_port


def keys(name: str, only_always: bool = False) -> Any:
    described = description()["objects"][name]["keys"]
    return {one["key"] for one in described if one["always"] or not only_always}


class ToDict(CountedTestCase):
    def check(self, value: Any, name: str) -> Dict[str, Any]:
        """The dict, after it was written as JSON and read again."""
        given = value.to_dict()
        self.assertIs(type(given), dict)
        text = json.dumps(given, allow_nan=False)
        self.assertEqual(json.loads(text), given)
        self.assertLessEqual(set(given), keys(name))
        self.assertLessEqual(keys(name, only_always=True), set(given))
        for secret in (*CREDENTIALS.values(), *OTHERS.values()):
            self.assertNotIn(secret, text)
        # A new dict each time: changing it changes no result.
        given.clear()
        self.assertEqual(value.to_dict(), json.loads(text))
        read: Dict[str, Any] = json.loads(text)
        return read

    def test_the_results_of_an_order_s_life(self) -> None:
        with tempfile.TemporaryDirectory() as folder, Sandbox() as sandbox:
            with payorder.Client(
                sandbox.url, proxy="none", journal=f"{folder}/orders", **CREDENTIALS
            ) as client:
                checkout = client.create_order(**ORDER)
                read = self.check(checkout, "checkout")
                self.assertEqual(read["data"]["url"], checkout.url)
                sandbox.press("pay")
                waited = client.wait_for_payment(order_id="ORD-1", wait=30)
                read = self.check(waited, "waited")
                self.assertEqual((read["final"], read["polls"]), (True, 1))
                assert waited.status is not None
                status = self.check(waited.status, "status")
                self.assertEqual(read["status"], status)
                self.assertEqual(set(status["data"]), keys("statusData"))
                self.assertTrue(status["derived"]["completed"])
                verdict = payorder.verify_payment(
                    {"orderId": "ORD-1", "amount": "1.00"}, waited.status
                )
                read = self.check(verdict, "verdict")
                self.assertEqual(read["reasons"][0]["actual"], "100.00")
                results = client.get_statuses(["ORD-1", "ORD-2"])
                list(results)
                read = self.check(results.summary, "summary")
                self.assertEqual((read["ok"], read["rejected"]), (1, 1))
                self.check(next(client.journal.list()), "entry")
                lost = {
                    **ORDER,
                    "order_id": "ORD-3",
                    "merchant_txn_id": "MTX-3",
                    "product_info": "Tea sandbox:drop-before",
                }
                with self.assertRaises(payorder.OutcomeUnknownError):
                    client.create_order(**lost)
                resolved = client.journal.resolve()
                read = self.check(resolved, "resolved")
                self.assertEqual(read["entries"][0]["orderId"], "ORD-3")
                settled = client.journal.settle(resolved.entries[0].entry, note="asked")
                self.assertEqual(self.check(settled, "entry")["note"], "asked")

    def test_errors(self) -> None:
        with payorder.Client(
            f"http://127.0.0.1:{closed_port()}", proxy="none", **OTHERS
        ) as client:
            for order in (ORDER, {"amount": "0.5"}):
                with self.assertRaises(payorder.NotSentError) as raised:
                    client.create_order(**order, timeout=5)
                read = self.check(raised.exception, "error")
                self.assertEqual(read, json.loads(raised.exception.raw))
                self.assertEqual(read["error"]["outcome"], "not_sent")

    def test_return_urls(self) -> None:
        returned = payorder.parse_return_url("/return?txn=TXN-1")
        self.assertEqual(
            self.check(returned, "returned")["statusQuery"], returned.status_query
        )

    def test_a_number_that_no_float_holds_stays_a_text(self) -> None:
        status = payorder.Status('{"responseCode":"200","new":1e400,"other":0.5}')
        self.assertEqual(
            json.loads(json.dumps(status.to_dict(), allow_nan=False)),
            {"responseCode": "200", "new": "1e400", "other": 0.5},
        )


class Shown(unittest.TestCase):
    """What logs, error trackers and web frameworks show on their own has no customer's data."""

    def test_results_and_errors_show_no_customers_data(self) -> None:
        status = payorder.Status.from_json(STATUS)
        waited = payorder.Waited.from_json(
            {"final": True, "timedOut": False, "polls": 1, "status": STATUS}
        )
        self.assertEqual(status.customer_name, "Asha Rao")
        self.assertEqual(waited.status, status)
        inside = {"result": 204, "name": "N", "outcome": "unknown", "message": "m"}
        error = payorder.CancelledInFlightError(
            json.dumps({"error": {**inside, "status": STATUS}})
        )
        self.assertEqual(error.status, status)
        for one in (status, waited):
            # FastAPI would return what these two do.
            with self.assertRaises(TypeError):
                vars(one)
            with self.assertRaises(TypeError):
                dict(one)  # type: ignore[call-overload]
            with self.assertRaises(TypeError):
                json.dumps(one)
        for text in (repr(status), repr(waited), repr(error.args), repr(error)):
            for personal in ("Asha", "9000000001", "asha@"):
                self.assertNotIn(personal, text)


if __name__ == "__main__":
    unittest.main()

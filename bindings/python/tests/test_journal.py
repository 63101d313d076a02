"""The journal in Python."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any, Dict

import payorder

from .counted import CountedTestCase
from .sandbox import CREDENTIALS, Sandbox
from .service import ORDER


def order(number: int, product: str = "Tea") -> Dict[str, Any]:
    return {
        **ORDER,
        "order_id": f"ORD-{number}",
        "merchant_txn_id": f"MTX-{number}",
        "product_info": product,
    }


class Journals(CountedTestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "orders.sqlite"

    def client(self, sandbox: Sandbox) -> payorder.Client:
        return payorder.Client(
            sandbox.url, proxy="none", journal=self.path, **CREDENTIALS
        )

    def test_each_open_sale_has_a_verdict_after_a_start(self) -> None:
        with Sandbox() as sandbox, self.client(sandbox) as client:
            checkout = client.create_order(**order(1))
            with self.assertRaises(payorder.ConnectionLostError):
                client.create_order(**order(2, "Tea sandbox:drop-after-commit"))
            recovered = client.recover([{"orderId": "ORD-9", "amount": "5"}])
            with self.assertRaises(payorder.InvalidRequestError):
                client.recover([{"orderId": "ORD-9", "amount": "x"}])
        found = {sale.order_id: sale for sale in recovered.sales}
        self.assertEqual(list(found), ["ORD-9", "ORD-1", "ORD-2"])
        self.assertEqual(found["ORD-9"].verdict, payorder.Verdict.NOT_IN_JOURNAL)
        self.assertIs(found["ORD-1"].verdict, payorder.Verdict.PAYABLE)
        self.assertEqual(found["ORD-1"].url, checkout.url)
        self.assertEqual(found["ORD-2"].verdict, "url_lost")
        self.assertEqual(recovered.summary.ok, 2)

    def test_an_entry_has_its_events_if_they_are_asked_for(self) -> None:
        with Sandbox() as sandbox, self.client(sandbox) as client:
            for number in range(1, 120):
                client.create_order(**order(number))
            client.get_status(order_id="ORD-7")
            everything = list(client.journal.list(events=True))
            (entry,) = client.journal.list(order_id="ORD-7", events=True)
            (without,) = client.journal.list(order_id="ORD-7")
            self.assertEqual(list(client.journal.list(order_id="ORD-0")), [])
        self.assertEqual([one.entry for one in everything], list(range(1, 120)))
        self.assertEqual(everything[6], entry)
        self.assertIsNone(without.events)
        assert entry.events is not None
        kinds = [event.event for event in entry.events]
        self.assertEqual(kinds, ["sending", "attempt", "status"])
        sending, attempt, status = entry.events
        self.assertEqual(sending.at, entry.started_at)
        self.assertEqual(
            (attempt.result, attempt.http_status, attempt.tls), (0, 200, False)
        )
        self.assertEqual((attempt.host, attempt.cause), (sandbox.url[7:], None))
        self.assertEqual(
            (status.transaction_status, status.body_bytes), ("Pending", None)
        )
        given = sending.to_dict()
        expected = ["number", "at", "event", "bodySha256", "bodyBytes"]
        self.assertEqual(list(given), expected)
        self.assertEqual(payorder.JournalEvent.from_mapping(given), sending)

    def test_all_pages_are_read_in_order(self) -> None:
        with Sandbox() as sandbox, self.client(sandbox) as client:
            for number in range(1, 8):
                client.create_order(**order(number))
            journal = client.journal
            everything = list(journal.list())
            pages = payorder.journals._PAGE
            try:
                payorder.journals._PAGE = 3
                self.assertEqual(list(journal.list()), everything)
                self.assertEqual(list(journal.list(limit=5)), everything[:5])
            finally:
                payorder.journals._PAGE = pages
        self.assertEqual(
            [one.order_id for one in everything],
            [f"ORD-{number}" for number in range(1, 8)],
        )

    def test_invalid_arguments_are_raised_by_the_call(self) -> None:
        with payorder.Client("http://127.0.0.1:9", **CREDENTIALS) as without:
            for call in (
                without.journal.list,
                without.journal.resolve,
                without.journal.prune,
            ):
                with self.assertRaisesRegex(
                    payorder.InvalidArgumentError, "no journal"
                ):
                    call()
        with Sandbox() as sandbox, self.client(sandbox) as client:
            with self.assertRaisesRegex(payorder.InvalidArgumentError, "state"):
                client.journal.list(state="paid")
            with self.assertRaisesRegex(
                payorder.InvalidArgumentError, "older_than_days"
            ):
                client.journal.prune(older_than_days=0)
            unknown: Dict[str, Any] = {"concurency": 1}
            with self.assertRaisesRegex(TypeError, "resolve.*'concurency'"):
                client.journal.resolve(**unknown)

"""`payorder journal`."""

from __future__ import annotations

import json

from .commands import DONE, NOT_SENT, ORDER, UNKNOWN, USAGE, CommandTestCase, Ended
from .service import closed_port


class Journals(CommandTestCase):
    def sell(self, order_id: str, fault: str = "") -> int:
        return self.create(order_id, "--journal", self.journal, fault=fault)

    def nobody(self) -> "dict[str, str]":
        return {"http_proxy": f"http://127.0.0.1:{closed_port()}"}

    def test_the_journal_is_listed_resolved_and_pruned(self) -> None:
        self.assertEqual(self.sell("A1", "drop-after-commit"), UNKNOWN)
        self.assertEqual(self.sell("A1"), UNKNOWN)
        self.assertEqual(self.sell("A2", "drop-before"), UNKNOWN)
        self.assertEqual(self.sell("A3"), DONE)
        again = self.in_journal("create -o A3 -a 5", *ORDER)
        page = f"{self.sandbox.url}/checkout/2\n"
        self.assertIn(f"the customer pays the earlier order at {page}", again.stderr)
        # An unusable proxy does not make the journal look damaged.
        looked = self.in_journal("doctor", HTTPS_PROXY="socks5://127.0.0.1:1")
        self.assertIn("with 2 unresolved orders", looked.stdout)
        unresolved = self.in_journal("journal resolve", **self.nobody())
        self.assertIn(
            "3 queries: 0 known to the service, 0 refused, "
            "3 without a usable response\n2 still unresolved",
            unresolved.stdout,
        )
        listed = self.in_journal("journal list --state unresolved")
        self.assertRegex(listed.stdout, r"(?s)unknown.* A1\n.*unknown.* A2\n$")
        resolved = self.in_journal("journal resolve", status=UNKNOWN)
        self.assertIn(
            "3 queries: 2 known to the service, 1 refused, "
            "0 without a usable response\n1 still unresolved",
            resolved.stdout,
        )
        entries = self.in_journal("journal list --json").stdout.splitlines()
        states = [json.loads(entry)["state"] for entry in entries]
        self.assertEqual(states, ["created", "unknown", "created"])
        self.assertEqual(self.in_journal("journal prune").stdout, "0 removed\n")
        # The journal has the checkout URL.
        self.assertIn(page, self.in_journal("wait A3 --seconds 0.1").stdout)

    def test_a_quiet_resolve_says_how_many_orders_were_not_asked(self) -> None:
        self.sell("A1")
        self.sell("A2")
        quiet = "journal resolve --quiet"
        done = self.in_journal(quiet, status=DONE)
        self.assertEqual((done.stdout, done.stderr), ("", ""))
        wrong = {"PAYORDER_SECRET_KEY": "wrong"}
        for trouble, words in (
            (self.nobody(), "0 refused, 2 without a usable response"),
            (wrong, "2 refused, 0 without a usable response"),
        ):
            failed = self.in_journal(quiet, status=UNKNOWN, **trouble)
            said = f"2 of 2 open orders could not be asked about: {words}"
            self.assertEqual(failed.stdout, "")
            self.assertEqual(failed.stderr, f"payorder: {said}\n")
            as_json = self.in_journal(quiet, "--json", status=UNKNOWN, **trouble)
            self.assertEqual(json.loads(as_json.stdout)["summary"]["ok"], 0)

    def test_orders_of_another_service_are_not_asked_about(self) -> None:
        self.sell("A1", "drop-before")
        other = f"--base-url {self.sandbox.url.replace('127.0.0.1', 'localhost')}"
        asked = self.in_journal(f"journal resolve --quiet {other}", status=UNKNOWN)
        said = (
            "1 unresolved orders were not asked about: they belong to another service"
        )
        self.assertEqual((asked.stdout, asked.stderr), ("", f"payorder: {said}\n"))
        as_json = self.in_journal(f"journal resolve --json {other}")
        self.assertEqual(json.loads(as_json.stdout)["otherServices"], 1)
        looked = self.in_journal(f"doctor {other}").stdout
        self.assertIn("with 0 unresolved orders\n", looked)
        entries = f"entries of another service ({self.sandbox.url}), 1 of them open"
        self.assertIn(entries, looked)
        # The customer is not sent to the page of another service.
        self.sell("A2")
        shown = self.in_journal(f"wait A2 --seconds 0 {other}")
        self.assertNotIn("/checkout/", shown.stdout)

    def test_a_duplicate_has_no_page_if_it_is_closed_or_paid_or_another_sale(
        self,
    ) -> None:
        for order_id in ("OPEN", "CASH", "PAID"):
            self.sell(order_id)
        self.in_journal("journal settle 2")
        self.sandbox.press("pay", 3)
        self.in_journal("status PAID")
        for order, page in (("OPEN 5", 1), ("OPEN 6", 0), ("CASH 5", 0), ("PAID 5", 0)):
            order_id, amount = order.split()
            line = f"create -o {order_id} -a {amount}"
            again = self.in_journal(line, *ORDER, status=UNKNOWN)
            with self.subTest(order):
                self.assertEqual(again.stderr.count("/checkout/"), page, again.stderr)

    def test_the_page_of_an_unclear_refusal_is_shown(self) -> None:
        fault = ("--product-info", "Tea sandbox:refused-with-url")
        refused = self.payorder("create -o A1 -a 5", *ORDER, *fault, status=UNKNOWN)
        self.assertIn("if it is not paid, the customer can pay at ", refused.stderr)

    def test_after_a_refund_nobody_is_told_to_pay(self) -> None:
        self.create("A1", fault="refunded")
        waited = self.payorder("wait A1 --amount 5 --seconds 0")
        self.assertNotIn("still pay", waited.stdout + waited.stderr)
        self.assertIn("refundStatus: expected nothing, got Refunded", waited.stdout)

    def test_a_journal_that_does_not_exist_is_not_an_empty_one(self) -> None:
        path = self.folder / "typo.sqlite"
        for work in ("list", "resolve", "prune"):
            words = f"there is no journal {path}"
            self.refused(f"journal {work} --journal {path}", words=words)
        self.assertFalse(path.exists())
        path.write_text("not a journal")
        for wrong in (path, self.folder / "nowhere" / "orders.sqlite"):
            looked = self.payorder(f"doctor --journal {wrong}", status=NOT_SENT)
            self.assertRegex(looked.stdout, "(?m)^failed +journal ")
        self.refused("journal list", words="--journal")

    def test_a_person_settles_an_entry(self) -> None:
        self.sell("A1", "drop-before")

        def journal(line: str, status: int = DONE) -> Ended:
            return self.in_journal(f"journal {line}", status=status)

        journal("resolve", UNKNOWN)
        settled = journal("settle 1 --note 'paid in cash'")
        self.assertEqual(settled.stderr, "")
        self.assertEqual(settled.stdout, "entry 1, order A1, is settled\n")
        journal("resolve")
        entry = json.loads(journal("list --state settled --json").stdout)
        self.assertEqual((entry["state"], entry["note"]), ("settled", "paid in cash"))
        for time in ("startedAt", "deadline", "updatedAt"):
            self.assertRegex(entry[time], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")
        again = self.in_journal("journal settle 1 --json")
        self.assertNotEqual(again.returncode, DONE)
        operation = json.loads(again.stdout)["error"]["operation"]
        self.assertEqual(operation, "journal_settle")
        journal("settle one", USAGE)
        # Its identifiers still count as used.
        self.assertEqual(self.sell("A1"), UNKNOWN)

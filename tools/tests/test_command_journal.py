"""`payorder journal`."""

from __future__ import annotations

import json
import subprocess

from .commands import (
    DONE,
    NOT_SENT,
    ORDER,
    UNKNOWN,
    USAGE,
    CommandTestCase,
    create,
    run,
)
from .service import closed_port


class Journals(CommandTestCase):
    def test_the_journal_is_listed_resolved_and_pruned(self) -> None:
        journal = str(self.folder / "orders.sqlite")
        self.assertEqual(
            create(
                self.sandbox,
                "A1",
                "5",
                "Tea sandbox:drop-after-commit",
                "--journal",
                journal,
            ),
            UNKNOWN,
        )
        self.assertEqual(
            create(self.sandbox, "A1", "5", "Tea", "--journal", journal), UNKNOWN
        )
        self.assertEqual(
            create(
                self.sandbox, "A2", "5", "Tea sandbox:drop-before", "--journal", journal
            ),
            UNKNOWN,
        )
        self.assertEqual(
            create(self.sandbox, "A3", "5", "Tea", "--journal", journal), DONE
        )
        again = run(
            self.sandbox,
            "create",
            "--order-id",
            "A3",
            "--amount",
            "5",
            *ORDER,
            "--journal",
            journal,
        )
        self.assertIn(
            f"the customer pays the earlier order at {self.sandbox.url}/checkout/2\n",
            again.stderr,
        )
        # An unusable proxy does not make the journal look damaged.
        looked = run(
            self.sandbox,
            "doctor",
            "--journal",
            journal,
            HTTPS_PROXY="socks5://127.0.0.1:1",
        )
        self.assertIn("with 2 unresolved orders", looked.stdout)
        unreachable = {
            "http_proxy": f"http://127.0.0.1:{closed_port()}",
            "PAYORDER_JOURNAL": journal,
        }
        unresolved = run(self.sandbox, "journal", "resolve", **unreachable)
        self.assertIn(
            "3 queries: 0 known to the service, 0 refused, "
            "3 without a usable response\n2 still unresolved",
            unresolved.stdout,
        )
        listed = run(
            self.sandbox,
            "journal",
            "list",
            "--state",
            "unresolved",
            PAYORDER_JOURNAL=journal,
        )
        self.assertRegex(listed.stdout, r"(?s)unknown.* A1\n.*unknown.* A2\n$")
        resolved = run(self.sandbox, "journal", "resolve", PAYORDER_JOURNAL=journal)
        self.assertEqual(resolved.returncode, UNKNOWN)
        self.assertIn(
            "3 queries: 2 known to the service, 1 refused, "
            "0 without a usable response\n1 still unresolved",
            resolved.stdout,
        )
        entries = run(
            self.sandbox, "journal", "list", "--json", "--journal", journal
        ).stdout.splitlines()
        self.assertEqual(
            [json.loads(entry)["state"] for entry in entries],
            ["created", "unknown", "created"],
        )
        self.assertEqual(
            run(self.sandbox, "journal", "prune", "--journal", journal).stdout,
            "0 removed\n",
        )
        # The journal has the checkout URL.
        shown = run(
            self.sandbox, "wait", "A3", "--seconds", "0.1", "--journal", journal
        )
        self.assertIn(f"{self.sandbox.url}/checkout/2\n", shown.stdout)

    def test_a_quiet_resolve_says_how_many_orders_were_not_asked(self) -> None:
        journal = str(self.folder / "orders.sqlite")
        for order_id in ("A1", "A2"):
            create(self.sandbox, order_id, "5", "Tea", "--journal", journal)
        quiet = ["journal", "resolve", "--quiet", "--journal", journal]
        done = run(self.sandbox, *quiet)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (DONE, "", ""))
        nobody = {"http_proxy": f"http://127.0.0.1:{closed_port()}"}
        for trouble, words in (
            (nobody, "0 refused, 2 without a usable response"),
            (
                {"PAYORDER_SECRET_KEY": "wrong"},
                "2 refused, 0 without a usable response",
            ),
        ):
            failed = run(self.sandbox, *quiet, **trouble)
            self.assertEqual((failed.returncode, failed.stdout), (UNKNOWN, ""))
            self.assertEqual(
                failed.stderr,
                f"payorder: 2 of 2 open orders could not be asked about: {words}\n",
            )
            as_json = run(self.sandbox, *quiet, "--json", **trouble)
            self.assertEqual(as_json.returncode, UNKNOWN)
            self.assertEqual(json.loads(as_json.stdout)["summary"]["ok"], 0)

    def test_orders_of_another_service_are_not_asked_about(self) -> None:
        journal = str(self.folder / "orders.sqlite")
        lost = "Tea sandbox:drop-before"
        create(self.sandbox, "A1", "5", lost, "--journal", journal)
        other = self.sandbox.url.replace("127.0.0.1", "localhost")
        resolve = ["journal", "resolve", "--journal", journal, "--base-url", other]
        asked = run(self.sandbox, *resolve, "--quiet")
        self.assertEqual((asked.returncode, asked.stdout), (UNKNOWN, ""))
        self.assertEqual(
            asked.stderr,
            "payorder: 1 unresolved orders were not asked about: "
            "they belong to another service\n",
        )
        as_json = run(self.sandbox, *resolve, "--json")
        self.assertEqual(json.loads(as_json.stdout)["otherServices"], 1)
        looked = run(
            self.sandbox, "doctor", "--journal", journal, "--base-url", other
        ).stdout
        self.assertIn("with 0 unresolved orders\n", looked)
        self.assertIn(
            f"it has entries of another service ({self.sandbox.url}), 1 of them open",
            looked,
        )
        # The customer is not sent to the page of another service.
        create(self.sandbox, "A2", "5", "Tea", "--journal", journal)
        shown = run(
            self.sandbox, "wait", "A2", "--seconds", "0", "--journal", journal,
            "--base-url", other,
        )  # fmt: skip
        self.assertNotIn("/checkout/", shown.stdout)

    def test_a_duplicate_has_no_page_if_it_is_closed_or_paid_or_another_sale(
        self,
    ) -> None:
        journal = str(self.folder / "orders.sqlite")
        for order_id in ("OPEN", "CASH", "PAID"):
            create(self.sandbox, order_id, "5", "Tea", "--journal", journal)
        run(self.sandbox, "journal", "settle", "2", "--journal", journal)
        self.sandbox.press("pay", 3)
        run(self.sandbox, "status", "PAID", "--journal", journal)
        for order_id, amount, page in (
            ("OPEN", "5", 1),
            ("OPEN", "6", 0),
            ("CASH", "5", 0),
            ("PAID", "5", 0),
        ):
            again = run(
                self.sandbox, "create", "--order-id", order_id, "--amount", amount, *ORDER,
                "--journal", journal,
            )  # fmt: skip
            self.assertEqual(again.returncode, UNKNOWN)
            with self.subTest(order_id, amount=amount):
                self.assertEqual(again.stderr.count("/checkout/"), page, again.stderr)

    def test_the_page_of_an_unclear_refusal_is_shown(self) -> None:
        order = ["--order-id", "A1", "--amount", "5", *ORDER]
        order += ["--product-info", "Tea sandbox:refused-with-url"]
        refused = run(self.sandbox, "create", *order)
        self.assertEqual(refused.returncode, UNKNOWN, refused.stderr)
        self.assertIn("if it is not paid, the customer can pay at ", refused.stderr)

    def test_after_a_refund_nobody_is_told_to_pay(self) -> None:
        create(self.sandbox, "A1", "5", "Tea sandbox:refunded")
        waited = run(self.sandbox, "wait", "A1", "--amount", "5", "--seconds", "0")
        self.assertNotIn("still pay", waited.stdout + waited.stderr)
        self.assertIn("refundStatus: expected nothing, got Refunded", waited.stdout)

    def test_a_journal_that_does_not_exist_is_not_an_empty_one(self) -> None:
        path = self.folder / "typo.sqlite"
        for work in ("list", "resolve", "prune"):
            refused = run(self.sandbox, "journal", work, "--journal", str(path))
            self.assertEqual((refused.returncode, refused.stdout), (USAGE, ""))
            self.assertIn(f"there is no journal {path}", refused.stderr)
        self.assertFalse(path.exists())
        path.write_text("not a journal")
        for wrong in (str(path), str(self.folder / "nowhere" / "orders.sqlite")):
            looked = run(self.sandbox, "doctor", "--journal", wrong)
            self.assertEqual(looked.returncode, NOT_SENT)
            self.assertRegex(looked.stdout, "(?m)^failed +journal ")

    def test_without_a_journal_the_message_says_how_to_name_one(self) -> None:
        missing = run(self.sandbox, "journal", "list")
        self.assertEqual(missing.returncode, USAGE)
        self.assertIn("--journal", missing.stderr)

    def test_a_person_settles_an_entry(self) -> None:
        journal = str(self.folder / "orders.sqlite")
        lost = "Tea sandbox:drop-before"
        create(self.sandbox, "A1", "5", lost, "--journal", journal)

        def on_journal(*arguments: str) -> "subprocess.CompletedProcess[str]":
            return run(self.sandbox, "journal", *arguments, "--journal", journal)

        self.assertEqual(on_journal("resolve").returncode, UNKNOWN)
        settled = on_journal("settle", "1", "--note", "paid in cash")
        self.assertEqual((settled.returncode, settled.stderr), (DONE, ""))
        self.assertEqual(settled.stdout, "entry 1, order A1, is settled\n")
        self.assertEqual(on_journal("resolve").returncode, DONE)
        listed = on_journal("list", "--state", "settled", "--json")
        entry = json.loads(listed.stdout)
        self.assertEqual((entry["state"], entry["note"]), ("settled", "paid in cash"))
        for time in ("startedAt", "deadline", "updatedAt"):
            self.assertRegex(entry[time], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")
        again = on_journal("settle", "1", "--json")
        self.assertNotEqual(again.returncode, DONE)
        self.assertEqual(
            json.loads(again.stdout)["error"]["operation"], "journal_settle"
        )
        self.assertEqual(on_journal("settle", "one").returncode, USAGE)
        # Its identifiers still count as used.
        used = create(self.sandbox, "A1", "5", "Tea", "--journal", journal)
        self.assertEqual(used, UNKNOWN)

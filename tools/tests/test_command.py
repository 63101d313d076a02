"""The command: orders, statuses, waiting."""

from __future__ import annotations

import json
import re
import subprocess
import unittest
from typing import Any, Dict

from payorder import Client, PayorderError
from payorder_tools.command.expectation import service_name

from .commands import (
    DONE,
    NOT_PAID,
    NOT_SENT,
    NOT_VERIFIED,
    ORDER,
    REJECTED,
    UNKNOWN,
    USAGE,
    VARIABLES,
    CommandTestCase,
    Ended,
    command,
    environment,
    run,
)
from .service import PATIENCE, STATUS, WIRE_ORDER, Answer, Service, closed_port

PENDING = {**STATUS, "data": {**STATUS["data"], "transactionStatus": "Pending"}}


class Orders(CommandTestCase):
    def test_an_order_is_created_awaited_and_verified(self) -> None:
        made = self.payorder("create -o A1 -a 249.50", *ORDER, status=DONE)
        self.assertEqual(made.stderr, "")
        self.assertIn(f"{self.sandbox.url}/checkout/1\n", made.stdout)
        unpaid = self.payorder("status A1 --amount 249.50", status=NOT_PAID)
        self.assertIn("NOT PAID", unpaid.stdout)
        with subprocess.Popen(
            command("wait", "A1", "--amount", "249.50"),
            env=environment(self.sandbox),
            stdout=subprocess.PIPE,
            universal_newlines=True,
        ) as waiting:
            assert waiting.stdout is not None
            shown = waiting.stdout.readline()
            self.sandbox.press("pay")
            rest, _ = waiting.communicate(timeout=PATIENCE)
        self.assertEqual(waiting.returncode, DONE)
        states = re.findall(r"\d\d:\d\d:\d\d  (\w+)\n", shown + rest)
        self.assertEqual(states, ["Pending", "Completed"])
        self.assertIn("PAID, as expected", rest)
        less = self.payorder("status A1 --amount 1.00", status=NOT_PAID).stdout
        self.assertIn(
            "NOT AS EXPECTED, but money was received: do not charge again", less
        )
        self.assertIn("amount: expected 1.00, got 249.50", less)
        # Neither is true: not that the customer must pay again, and not that all is well.
        self.assertNotIn("PAID", less)
        returned = "https://shop.example/?txn=TXN0000001"
        by_transaction = self.payorder(f"status --return-url {returned}")
        self.assertIn("Completed", by_transaction.stdout)

    def test_json_output_is_the_librarys(self) -> None:
        def told(line: str, *more: str, status: int) -> Dict[str, Any]:
            read: Dict[str, Any] = json.loads(
                self.payorder(line, "--json", *more, status=status).stdout
            )
            return read

        made = told("create -o A1 -a 5", *ORDER, status=DONE)
        self.assertEqual(made["data"]["url"], f"{self.sandbox.url}/checkout/1")
        asked = told("status A1", status=DONE)
        self.assertEqual(asked["data"]["transactionStatus"], "Pending")
        refused = told("status NONE", status=REJECTED)
        self.assertEqual(refused["error"]["outcome"], "rejected")
        self.assertTrue(told("wait A1 --seconds 1", status=NOT_PAID)["timedOut"])
        never = told("wait NONE --seconds 0.5", status=UNKNOWN)
        self.assertEqual(never["error"]["outcome"], "rejected")

    def test_the_exit_status_is_the_outcome(self) -> None:
        self.assertEqual(self.create("A1 0.50"), NOT_SENT)
        self.assertEqual(self.create("A2", fault="reject"), REJECTED)
        self.assertEqual(self.create("A3", fault="drop-after-commit"), UNKNOWN)
        nobody = f"http://127.0.0.1:{closed_port()}"
        self.payorder("status A3", PAYORDER_BASE_URL=nobody, status=NOT_SENT)
        for line in (
            "frobnicate",
            "status",
            "status --return-url https://shop.example/?txn=T --transaction-id T",
            "wait A --nope",
        ):
            with self.subTest(line):
                self.refused(line, words="payorder")

    def test_every_invalid_field_is_named_with_its_argument(self) -> None:
        broken = self.payorder("create --amount 0.5 -o A1", status=NOT_SENT)
        for argument in ("amount", "merchant-id", "customer-email", "redirection-url"):
            self.assertIn(f"(--{argument})", broken.stderr)
        text = '{"order_number": "A1", "orderId": "A1", "amount": "5"}'
        broken = self.payorder("create -", *ORDER, given=text, status=NOT_SENT)
        self.assertIn("orderNumber", broken.stderr)
        self.assertNotIn("(--order", broken.stderr)

    def test_an_unknown_outcome_names_the_status_command(self) -> None:
        lost = [*ORDER, "--product-info", "sandbox:drop-before", "--order-id", "it's 1"]
        said = self.payorder("create --amount 5", *lost, status=UNKNOWN).stderr
        self.assertIn("the order may exist", said)
        self.assertIn("payorder status 'it'\"'\"'s 1'", said)

    def test_an_order_may_be_a_file(self) -> None:
        for text, more in (
            (json.dumps({**WIRE_ORDER, "orderId": "A1"}), ["--amount", "7"]),
            ('\ufeff{"orderId": "A8", "amount": "100.00"}', ORDER),
        ):
            made = self.payorder("create -", *more, given=text, status=DONE)
            self.assertEqual(made.stderr, "")

    def test_what_is_wrong_with_an_order_is_said_and_nothing_is_sent(self) -> None:
        for text, words in (
            ('{"order_id": "A1", "orderId": "A2"}', "under two names"),
            ('{"orderId": "A2", "amount": 7.1}', '"amount": "249.50"'),
            ('{"amount": "100.00", "amount": "1.00"}', "key amount twice"),
            ('{"orderId": "A\\ud83d", "amount": "1"}', "order_id is not UTF-8"),
        ):
            with self.subTest(text):
                self.refused("create -", *ORDER, given=text, words=words)
        url = "https://shop.example/?txn=\udcff"
        self.refused("status", "O-\udcff", words="order_id is not UTF-8")
        self.refused("status --return-url", url, words="url is not UTF-8")

    def test_invalid_numbers_are_refused_before_anything_is_sent(self) -> None:
        for line in (
            "wait A1 --seconds nan",
            "wait A1 --seconds -1",
            "wait A1 --seconds 1e9",
            "status A1 --amount abc",
            "reconcile x.csv --rate nan",
            "journal resolve --rate 0",
        ):
            with self.subTest(line):
                self.refused(line, words=f"{line.split()[-2]}: ")


class Expectations(CommandTestCase):
    """The expected order id and amount never come from the service's response."""

    def setUp(self) -> None:
        super().setUp()
        self.assertEqual(self.sell("OLD"), DONE)
        self.sandbox.press("pay")

    def sell(self, order_id: str, *more: str, fault: str = "") -> int:
        journal = ("--journal", self.journal, *more)
        return self.create(f"{order_id} 100.00", *journal, fault=fault)

    def test_the_transaction_of_another_order_is_never_paid(self) -> None:
        self.assertEqual(self.sell("NEW"), DONE)
        for named in (
            "--return-url https://shop.example/?txn=TXN0000001",
            "--transaction-id TXN0000001",
        ):
            for words in ("status", "wait --seconds 0"):
                asked = f"{words} {named} --amount 100.00"
                with self.subTest(asked):
                    nobody = self.payorder(asked, status=NOT_VERIFIED)
                    self.assertIn("NOT VERIFIED: there is no order id", nobody.stdout)
                    self.assertIn("from your own records", nobody.stderr)
                    quiet = self.payorder(asked, "--quiet", status=NOT_VERIFIED)
                    self.assertEqual(quiet.stdout, "Completed\n")
                    as_json = self.payorder(asked, "--json", status=NOT_VERIFIED)
                    verdict = json.loads(as_json.stdout.splitlines()[-1])
                    self.assertIs(verdict["paid"], False)
                    self.assertEqual(verdict["missing"], ["orderId"])
                    other = self.payorder(asked, "NEW", status=NOT_PAID)
                    self.assertIn("orderId: expected NEW, got OLD", other.stdout)
                    own = self.payorder(asked, "OLD", status=DONE)
                    self.assertEqual(own.stderr, "")
                    self.assertIn("PAID, as expected", own.stdout)

    def test_the_only_open_order_of_the_journal_is_the_expected_one(self) -> None:
        def returned(transaction: str, status: int) -> str:
            url = f"https://shop.example/?txn={transaction}"
            line = f"wait --seconds 0 --return-url {url}"
            return self.in_journal(line, status=status).stdout

        returned("TXN0000001", DONE)
        # It is not open any more.
        returned("TXN0000001", NOT_VERIFIED)
        self.sell("NEW")
        old = returned("TXN0000001", NOT_PAID)
        self.assertIn("orderId: expected NEW, got OLD", old)
        self.sell("THIRD")
        self.sandbox.press("pay", 3)
        returned("TXN0000002", NOT_VERIFIED)

    def test_a_wait_verifies_with_the_amount_of_the_caller_or_the_journal(self) -> None:
        wait = "wait OLD --seconds 0"
        nothing = self.payorder(wait, status=NOT_VERIFIED)
        self.assertIn("there is no amount to compare with", nothing.stdout)
        self.assertEqual(self.in_journal(wait, status=DONE).stderr, "")
        self.in_journal(wait, "--amount", "1", status=NOT_PAID)
        lost = self.payorder(wait, "--journal", str(self.folder), "--amount", "100")
        self.assertNotEqual(lost.returncode, DONE)

    def test_an_order_that_a_person_settled_is_not_called_paid(self) -> None:
        self.in_journal("journal settle 1", status=DONE)
        for words in ("status OLD", "wait OLD --seconds 0"):
            asked = f"{words} --amount 100.00"
            found = self.in_journal(asked, status=NOT_PAID).stdout
            self.assertIn("had settled this order in the journal", found)
            self.assertNotIn("PAID", found)
            self.assertNotIn("/checkout/", found)
            as_json = self.in_journal(asked, "--json").stdout.splitlines()[-1]
            self.assertFalse(json.loads(as_json)["paid"])

    def test_every_entry_of_an_order_that_was_sent_again_counts(self) -> None:
        fault = "refused-with-url"
        self.assertEqual(self.sell("TWICE", fault=fault), UNKNOWN)
        self.sandbox.fault("create:*:drop-before")
        self.assertEqual(self.sell("TWICE", "--resend", fault=fault), UNKNOWN)
        wait = "wait TWICE --seconds 0"
        self.assertIn("/checkout/2", self.in_journal(wait).stdout)
        self.in_journal("journal settle 2", status=DONE)
        self.assertNotIn("/checkout/", self.in_journal(wait).stdout)
        self.sandbox.press("pay", 2)
        found = self.in_journal(wait, status=NOT_PAID).stdout
        self.assertIn("had settled this order in the journal", found)

    def test_a_service_has_one_name_here_and_in_the_journal(self) -> None:
        for address in (
            "HTTP://LOCALHOST:80/",
            "http://localhost:08080/caf\u00e9/%61//",
            "http://[::1]:0080",
        ):
            with self.subTest(address):
                journal = str(self.folder / f"{len(address)}.db")
                with Client(
                    address, journal=journal, access_token="T", timeout=0.5
                ) as client:
                    with self.assertRaises(PayorderError):
                        client.create_order(WIRE_ORDER)
                    [entry] = client.journal.list()
                self.assertEqual(entry.service, service_name(address))


class Arguments(CommandTestCase):
    def test_without_a_command_the_help_is_shown_and_nothing_looks_paid(self) -> None:
        whole = self.payorder("help", status=DONE)
        self.assertEqual(whole.stderr, "")
        self.assertEqual(whole.stdout, self.payorder("--help").stdout)
        alone = self.refused("", words="no command was given, so nothing was sent")
        self.assertTrue(alone.stderr.startswith(whole.stdout), alone.stderr)
        one = self.payorder("help create")
        self.assertEqual(one.stdout, self.payorder("create --help").stdout)

    def test_a_short_option_means_the_same_in_every_command(self) -> None:
        config = self.folder / "settings.json"
        config.write_text(json.dumps({"baseUrl": self.sandbox.url}))
        config.chmod(0o600)
        line = f"create -oA1 -a 5 -jvc {config}"
        made = run(None, line, *ORDER, **VARIABLES)
        self.assertEqual(made.returncode, DONE, made.stderr)
        self.assertIn("/checkout/1", json.loads(made.stdout)["data"]["url"])
        self.assertIn("create order A1: attempt 1 begins", made.stderr)
        self.sandbox.press("pay")
        for name in ("status", "wait"):
            paid = run(None, f"{name} A1 -qa5 -c {config}", **VARIABLES)
            self.assertEqual((paid.returncode, paid.stdout), (DONE, "Completed\n"))
        error = json.loads(run(None, "status -qj").stdout)["error"]
        self.assertEqual(error["outcome"], "not_sent")


class Programs(unittest.TestCase):
    """The output of --json."""

    def test_errors_of_arguments_settings_and_files_are_json_objects(self) -> None:
        url = {"PAYORDER_BASE_URL": "http://127.0.0.1:9"}
        for line, variables, name, cause in (
            ("status", {}, "ARGUMENT", "invalid_value"),
            ("create --no", {}, "ARGUMENT", "invalid_value"),
            ("status A", {}, "CONFIG", "invalid_value"),
            ("status A --config /no/such", {}, "CONFIG", "unreadable_file"),
            ("reconcile /no/such.csv", url, "ARGUMENT", "unreadable_file"),
            ("create -", url, "ARGUMENT", "not_json"),
            ("status A\udcff", url, "ARGUMENT", "not_utf8"),
        ):
            with self.subTest(line):
                refused = run(None, line, "--json", given="{", **variables)
                self.assertEqual(refused.returncode, USAGE, refused)
                (told,) = refused.stdout.splitlines()
                error = json.loads(told)["error"]
                self.assertIn(error["message"], refused.stderr)
                action = "configuration" if name == "CONFIG" else "request"
                self.assertEqual(
                    {key: error[key] for key in ("name", "outcome", "cause", "action")},
                    {
                        "name": f"PAYORDER_INVALID_{name}",
                        "outcome": "not_sent",
                        "cause": cause,
                        "action": f"fix_{action}",
                    },
                )

    def test_an_error_shows_its_cause_and_the_next_step(self) -> None:
        closed = {"PAYORDER_BASE_URL": f"http://127.0.0.1:{closed_port()}", **VARIABLES}
        refused = run(None, "status A", **closed)
        self.assertIn("  cause: connection_refused; next: ", refused.stderr)
        self.assertIn("payorder explain connection_refused", refused.stderr)
        error = json.loads(run(None, "status A --json", **closed).stdout)["error"]
        self.assertEqual(error["cause"], "connection_refused")
        self.assertEqual(error["action"], "check_network")


class Waits(unittest.TestCase):
    def asked(self, line: str, *answers: Any) -> Ended:
        with Service(*answers) as service:
            return run(None, line, PAYORDER_BASE_URL=service.url, **VARIABLES)

    def test_a_wait_of_0_seconds_sends_one_query(self) -> None:
        paid = self.asked("wait ORD-1 --seconds 0 --amount 100", STATUS)
        self.assertEqual((paid.returncode, paid.stderr), (DONE, ""))
        self.assertIn("PAID, as expected", paid.stdout)
        pending = self.asked("wait ORD-1 --seconds 0", PENDING)
        self.assertEqual(pending.returncode, NOT_PAID)
        self.assertIn("may still pay", pending.stderr)
        self.assertIn("payorder status ORD-1", pending.stderr)

    def test_a_service_that_fails_during_the_wait_is_reported_with_the_last_status(
        self,
    ) -> None:
        answers = (PENDING, Answer("{}", 503))
        died = self.asked("wait ORD-1 --seconds 6", *answers)
        self.assertEqual(died.returncode, UNKNOWN, died)
        self.assertIn("the last query failed", died.stderr)
        self.assertIn("the last status seen was Pending", died.stderr)
        as_json = self.asked("wait ORD-1 --seconds 6 --json", *answers)
        waited = json.loads(as_json.stdout)
        self.assertEqual(waited["status"]["data"]["transactionStatus"], "Pending")
        self.assertEqual(waited["error"]["httpStatus"], 503)
        self.assertEqual((waited["final"], waited["timedOut"]), (False, True))

    def test_a_response_without_an_order_id_is_not_paid(self) -> None:
        nameless = {**STATUS, "data": {**STATUS["data"], "orderId": ""}}
        line = "status --transaction-id TXN-1 ORD-1 --amount 100"
        asked = self.asked(line, nameless)
        self.assertEqual(asked.returncode, NOT_PAID, asked)
        self.assertIn("NOT PAID", asked.stdout)

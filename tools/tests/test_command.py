"""The command: orders, statuses, waiting."""

from __future__ import annotations

import json
import re
import subprocess
import unittest
from typing import Any, Dict, Sequence

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
    command,
    create,
    environment,
    on_a_terminal,
    run,
)
from .service import PATIENCE, STATUS, WIRE_ORDER, Answer, Service, closed_port

PENDING = {**STATUS, "data": {**STATUS["data"], "transactionStatus": "Pending"}}


class Orders(CommandTestCase):
    def test_an_order_is_created_awaited_and_verified(self) -> None:
        made = run(
            self.sandbox, "create", "--order-id", "A1", "--amount", "249.50", *ORDER
        )
        self.assertEqual((made.returncode, made.stderr), (0, ""))
        self.assertIn(f"{self.sandbox.url}/checkout/1\n", made.stdout)
        unpaid = run(self.sandbox, "status", "A1", "--amount", "249.50")
        self.assertEqual(unpaid.returncode, NOT_PAID)
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
        less = run(self.sandbox, "status", "A1", "--amount", "1.00")
        self.assertIn(
            "NOT AS EXPECTED, but money was received: do not charge again", less.stdout
        )
        self.assertIn("amount: expected 1.00, got 249.50", less.stdout)
        # Neither is true: not that the customer must pay again, and not that all is well.
        self.assertNotIn("PAID", less.stdout)
        self.assertEqual(less.returncode, NOT_PAID)
        by_transaction = run(
            self.sandbox,
            "status",
            "--return-url",
            "https://shop.example/?txn=TXN0000001",
        )
        self.assertIn("Completed", by_transaction.stdout)

    def test_json_output_is_the_librarys(self) -> None:
        made = run(
            self.sandbox,
            "create",
            "--json",
            "--order-id",
            "A1",
            "--amount",
            "5",
            *ORDER,
        )
        self.assertEqual(
            json.loads(made.stdout)["data"]["url"], f"{self.sandbox.url}/checkout/1"
        )
        asked = run(self.sandbox, "status", "A1", "--json")
        self.assertEqual(
            json.loads(asked.stdout)["data"]["transactionStatus"], "Pending"
        )
        refused = run(self.sandbox, "status", "NONE", "--json")
        self.assertEqual(json.loads(refused.stdout)["error"]["outcome"], "rejected")
        waited = run(self.sandbox, "wait", "A1", "--json", "--seconds", "1")
        self.assertEqual(
            (json.loads(waited.stdout)["timedOut"], waited.returncode), (True, NOT_PAID)
        )
        never = run(self.sandbox, "wait", "NONE", "--json", "--seconds", "0.5")
        self.assertEqual(json.loads(never.stdout)["error"]["outcome"], "rejected")
        self.assertEqual(never.returncode, UNKNOWN)

    def test_the_exit_status_is_the_outcome(self) -> None:
        self.assertEqual(create(self.sandbox, "A1", "0.50"), NOT_SENT)
        self.assertEqual(
            create(self.sandbox, "A2", "5", "Tea sandbox:reject"), REJECTED
        )
        self.assertEqual(
            create(self.sandbox, "A3", "5", "Tea sandbox:drop-after-commit"), UNKNOWN
        )
        nobody = run(
            self.sandbox,
            "status",
            "A3",
            PAYORDER_BASE_URL=f"http://127.0.0.1:{closed_port()}",
        )
        self.assertEqual(nobody.returncode, NOT_SENT)
        for usage in (
            ["frobnicate"],
            ["status"],
            [
                "status",
                "--return-url",
                "https://shop.example/?txn=T",
                "--transaction-id",
                "T",
            ],
            ["wait", "A", "--nope"],
        ):
            with self.subTest(usage):
                wrong = run(self.sandbox, *usage)
                self.assertEqual((wrong.returncode, wrong.stdout), (USAGE, ""))
                self.assertIn("payorder", wrong.stderr)

    def test_every_invalid_field_is_named_with_its_argument(self) -> None:
        broken = run(self.sandbox, "create", "--amount", "0.5", "--order-id", "A1")
        self.assertEqual(broken.returncode, NOT_SENT)
        for argument in (
            "--amount",
            "--merchant-id",
            "--customer-email",
            "--redirection-url",
            "--currency-code",
        ):
            self.assertIn(f"({argument})", broken.stderr)

    def test_an_unknown_field_names_no_argument(self) -> None:
        text = json.dumps({"order_number": "A1", "orderId": "A1", "amount": "5"})
        broken = run(self.sandbox, "create", "-", *ORDER, given=text)
        self.assertEqual(broken.returncode, NOT_SENT)
        self.assertIn("orderNumber", broken.stderr)
        self.assertNotIn("(--order", broken.stderr)

    def test_a_field_under_two_names_is_refused(self) -> None:
        text = json.dumps({"order_id": "A1", "orderId": "A2", "amount": "5"})
        broken = run(self.sandbox, "create", "-", *ORDER, given=text)
        self.assertEqual(broken.returncode, USAGE)
        self.assertIn("under two names", broken.stderr)

    def test_an_unknown_outcome_names_the_status_command(self) -> None:
        lost = run(
            self.sandbox,
            "create",
            "--amount",
            "5",
            "--order-id",
            "it's 1",
            *ORDER,
            "--product-info",
            "sandbox:drop-before",
        )
        self.assertIn("the order may exist", lost.stderr)
        self.assertIn("payorder status 'it'\"'\"'s 1'", lost.stderr)

    def test_an_order_may_be_a_file_and_an_amount_is_never_a_number(self) -> None:
        fields = {
            argument[2:]: value for argument, value in zip(ORDER[::2], ORDER[1::2])
        }
        wire = {
            re.sub("-(.)", lambda found: found[1].upper(), name): value
            for name, value in fields.items()
        }
        wire["redirectionURL"] = wire.pop("redirectionUrl")
        text = json.dumps({**wire, "orderId": "A1", "merchantTxnId": "M1"})
        made = run(self.sandbox, "create", "-", "--amount", "7", given=text)
        self.assertEqual((made.returncode, made.stderr), (0, ""))
        number = run(
            self.sandbox,
            "create",
            "-",
            given=json.dumps({**wire, "orderId": "A2", "amount": 7.1}),
        )
        self.assertEqual(number.returncode, USAGE)
        self.assertIn('"amount": "249.50"', number.stderr)

    def test_an_order_file_with_a_byte_order_mark_is_read(self) -> None:
        made = run(
            self.sandbox,
            "create",
            "-",
            *ORDER,
            given='\ufeff{"orderId": "A8", "amount": "100.00"}',
        )
        self.assertEqual((made.returncode, made.stderr), (0, ""))

    def test_text_that_is_not_utf8_is_reported_with_its_field(self) -> None:
        for arguments, given, named in (
            (["status", "O-\udcff"], "", "order_id is not UTF-8"),
            (
                ["create", "-", *ORDER],
                '{"orderId": "A\\ud83d", "amount": "1"}',
                "order_id is not UTF-8",
            ),
            (
                ["status", "--return-url", "https://shop.example/?txn=\udcff"],
                "",
                "url is not UTF-8",
            ),
        ):
            with self.subTest(named):
                refused = run(self.sandbox, *arguments, given=given)
                self.assertEqual((refused.returncode, refused.stdout), (USAGE, ""))
                self.assertIn(named, refused.stderr)
                self.assertNotIn("Traceback", refused.stderr)

    def test_an_order_with_a_repeated_key_is_not_sent(self) -> None:
        refused = run(
            self.sandbox,
            "create",
            "-",
            given='{"orderId": "A7", "amount": "100.00", "amount": "1.00"}',
        )
        self.assertEqual(refused.returncode, USAGE)
        self.assertIn("key amount twice", refused.stderr)

    def test_invalid_numbers_are_refused_before_anything_is_sent(self) -> None:
        for arguments in (
            ["wait", "A1", "--seconds", "nan"],
            ["wait", "A1", "--seconds", "-1"],
            ["wait", "A1", "--seconds", "1e9"],
            ["status", "A1", "--amount", "abc"],
            ["reconcile", "x.csv", "--rate", "nan"],
            ["journal", "resolve", "--rate", "0"],
        ):
            with self.subTest(arguments):
                refused = run(None, *arguments)
                self.assertEqual((refused.returncode, refused.stdout), (USAGE, ""))
                self.assertRegex(refused.stderr, f"{arguments[-2]}: ")

    def test_a_terminal_shows_the_checkout_url_as_a_qr_code(self) -> None:
        try:
            import segno  # noqa: F401
        except ImportError:
            wanted = "pip install segno"
        else:
            wanted = "█▄▄▄█"
        variables = environment(self.sandbox)
        shown = on_a_terminal(
            ["create", "--order-id", "A1", "--amount", "5", *ORDER], variables
        )
        self.assertIn(f"{self.sandbox.url}/checkout/1", shown)
        self.assertIn(wanted, shown)


class Expectations(CommandTestCase):
    """The expected order id and amount never come from the service's response."""

    def setUp(self) -> None:
        super().setUp()
        self.journal = str(self.folder / "orders.sqlite")
        self.returned = "https://shop.example/?txn=TXN0000001"
        self.create("OLD")
        self.sandbox.press("pay")

    def create(self, order_id: str) -> None:
        made = create(
            self.sandbox, order_id, "100.00", "Tea", "--journal", self.journal
        )
        self.assertEqual(made, DONE)

    def test_the_transaction_of_another_order_is_never_paid(self) -> None:
        self.create("NEW")
        for named in (
            ["--return-url", self.returned],
            ["--transaction-id", "TXN0000001"],
        ):
            for words in (["status"], ["wait", "--seconds", "0"]):
                asked = [*words, *named, "--amount", "100.00"]
                with self.subTest(asked):
                    nobody = run(self.sandbox, *asked)
                    self.assertEqual(nobody.returncode, NOT_VERIFIED, nobody)
                    self.assertIn("NOT VERIFIED: there is no order id", nobody.stdout)
                    self.assertIn("from your own records", nobody.stderr)
                    quiet = run(self.sandbox, *asked, "--quiet")
                    self.assertEqual(quiet.returncode, NOT_VERIFIED)
                    self.assertEqual(quiet.stdout, "Completed\n")
                    as_json = run(self.sandbox, *asked, "--json")
                    self.assertEqual(as_json.returncode, NOT_VERIFIED)
                    verdict = json.loads(as_json.stdout.splitlines()[-1])
                    self.assertEqual(
                        (verdict["paid"], verdict["missing"]), (False, ["orderId"])
                    )
                    other = run(self.sandbox, *asked, "NEW")
                    self.assertEqual(other.returncode, NOT_PAID)
                    self.assertIn("orderId: expected NEW, got OLD", other.stdout)
                    own = run(self.sandbox, *asked, "OLD")
                    self.assertEqual((own.returncode, own.stderr), (DONE, ""))
                    self.assertIn("PAID, as expected", own.stdout)

    def test_the_only_open_order_of_the_journal_is_the_expected_one(self) -> None:
        def returned(transaction: str) -> Any:
            url = f"https://shop.example/?txn={transaction}"
            return run(
                self.sandbox, "wait", "--seconds", "0", "--return-url", url,
                "--journal", self.journal,
            )  # fmt: skip

        self.assertEqual(returned("TXN0000001").returncode, DONE)
        # It is not open any more.
        self.assertEqual(returned("TXN0000001").returncode, NOT_VERIFIED)
        self.create("NEW")
        old = returned("TXN0000001")
        self.assertEqual(old.returncode, NOT_PAID)
        self.assertIn("orderId: expected NEW, got OLD", old.stdout)
        self.create("THIRD")
        self.sandbox.press("pay", 3)
        self.assertEqual(returned("TXN0000002").returncode, NOT_VERIFIED)

    def test_a_wait_verifies_with_the_amount_of_the_caller_or_the_journal(self) -> None:
        wait = ["wait", "OLD", "--seconds", "0"]
        nothing = run(self.sandbox, *wait)
        self.assertEqual(nothing.returncode, NOT_VERIFIED, nothing)
        self.assertIn("there is no amount to compare with", nothing.stdout)
        journal = run(self.sandbox, *wait, "--journal", self.journal)
        self.assertEqual((journal.returncode, journal.stderr), (DONE, ""))
        less = run(self.sandbox, *wait, "--journal", self.journal, "--amount", "1")
        self.assertEqual(less.returncode, NOT_PAID)
        lost = run(
            self.sandbox, *wait, "--journal", str(self.folder), "--amount", "100"
        )
        self.assertNotEqual(lost.returncode, DONE)

    def test_an_order_that_a_person_settled_is_not_called_paid(self) -> None:
        settled = run(self.sandbox, "journal", "settle", "1", "--journal", self.journal)
        self.assertEqual(settled.returncode, DONE, settled.stderr)
        for words in (["status"], ["wait", "--seconds", "0"]):
            asked = [*words, "OLD", "--amount", "100.00", "--journal", self.journal]
            found = run(self.sandbox, *asked)
            self.assertEqual(found.returncode, NOT_PAID)
            self.assertIn("had settled this order in the journal", found.stdout)
            self.assertNotIn("PAID", found.stdout)
            self.assertNotIn("/checkout/", found.stdout)
            as_json = run(self.sandbox, *asked, "--json").stdout.splitlines()[-1]
            self.assertFalse(json.loads(as_json)["paid"])

    def test_every_entry_of_an_order_that_was_sent_again_counts(self) -> None:
        sending = ("Tea sandbox:refused-with-url", "--journal", self.journal)
        self.assertEqual(create(self.sandbox, "TWICE", "100.00", *sending), UNKNOWN)
        self.sandbox.fault("create:*:drop-before")
        self.assertEqual(
            create(self.sandbox, "TWICE", "100.00", *sending, "--resend"), UNKNOWN
        )
        wait = ["wait", "TWICE", "--seconds", "0", "--journal", self.journal]
        self.assertIn("/checkout/2", run(self.sandbox, *wait).stdout)
        settled = run(self.sandbox, "journal", "settle", "2", "--journal", self.journal)
        self.assertEqual(settled.returncode, DONE, settled.stderr)
        self.assertNotIn("/checkout/", run(self.sandbox, *wait).stdout)
        self.sandbox.press("pay", 2)
        found = run(self.sandbox, *wait)
        self.assertEqual(found.returncode, NOT_PAID)
        self.assertIn("had settled this order in the journal", found.stdout)

    def test_a_service_has_one_name_here_and_in_the_journal(self) -> None:
        for address in (
            "HTTP://LOCALHOST:80/", "http://localhost:08080/caf\u00e9/%61//", "http://[::1]:0080",
        ):  # fmt: skip
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
        whole = run(None, "help")
        self.assertEqual((whole.returncode, whole.stderr), (DONE, ""))
        self.assertEqual(whole.stdout, run(None, "--help").stdout)
        alone = run(None)
        self.assertEqual((alone.returncode, alone.stdout), (USAGE, ""))
        self.assertTrue(alone.stderr.startswith(whole.stdout), alone.stderr)
        self.assertIn("no command was given, so nothing was sent", alone.stderr)
        one = run(None, "help", "create")
        self.assertEqual(one.stdout, run(None, "create", "--help").stdout)

    def test_a_short_option_means_the_same_in_every_command(self) -> None:
        config = self.folder / "settings.json"
        config.write_text(json.dumps({"baseUrl": self.sandbox.url}))
        config.chmod(0o600)
        known = ("-c", str(config))
        made = run(
            None, "create", "-oA1", "-a", "5", "-jv", *known, *ORDER, **VARIABLES
        )
        self.assertEqual(made.returncode, DONE, made.stderr)
        self.assertIn("/checkout/1", json.loads(made.stdout)["data"]["url"])
        self.assertIn("create order A1: attempt 1 begins", made.stderr)
        self.sandbox.press("pay")
        for name in ("status", "wait"):
            paid = run(None, name, "A1", "-qa5", *known, **VARIABLES)
            self.assertEqual((paid.returncode, paid.stdout), (DONE, "Completed\n"))
        error = json.loads(run(None, "status", "-qj").stdout)["error"]
        self.assertEqual(error["outcome"], "not_sent")


class Programs(CommandTestCase):
    """The output of --json."""

    def error(self, *arguments: str, given: str = "", **more: str) -> Dict[str, Any]:
        refused = run(None, *arguments, "--json", given=given, **more)
        self.assertEqual(refused.returncode, USAGE, refused)
        (line,) = refused.stdout.splitlines()
        error: Dict[str, Any] = json.loads(line)["error"]
        self.assertEqual(error["outcome"], "not_sent")
        self.assertIn(error["message"], refused.stderr)
        return error

    def test_errors_of_arguments_settings_and_files_are_json_objects(self) -> None:
        url = {"PAYORDER_BASE_URL": "http://127.0.0.1:9"}
        for error, name, cause, action in (
            (self.error("status"), "ARGUMENT", "invalid_value", "fix_request"),
            (self.error("create", "--no"), "ARGUMENT", "invalid_value", "fix_request"),
            (self.error("status", "A"), "CONFIG", "invalid_value", "fix_configuration"),
            (
                self.error("status", "A", "--config", "/no/such"),
                "CONFIG",
                "unreadable_file",
                "fix_configuration",
            ),
            (
                self.error("reconcile", "/no/such.csv", **url),
                "ARGUMENT",
                "unreadable_file",
                "fix_request",
            ),
            (
                self.error("create", "-", given="{", **url),
                "ARGUMENT",
                "not_json",
                "fix_request",
            ),
            (
                self.error("status", "A\udcff", **url),
                "ARGUMENT",
                "not_utf8",
                "fix_request",
            ),
        ):
            self.assertEqual(
                (error["name"], error["cause"], error["action"]),
                (f"PAYORDER_INVALID_{name}", cause, action),
            )

    def test_an_error_shows_its_cause_and_the_next_step(self) -> None:
        closed = {"PAYORDER_BASE_URL": f"http://127.0.0.1:{closed_port()}", **VARIABLES}
        refused = run(None, "status", "A", **closed)
        self.assertIn("  cause: connection_refused; next: ", refused.stderr)
        self.assertIn("payorder explain connection_refused", refused.stderr)
        as_json = run(None, "status", "A", "--json", **closed)
        error = json.loads(as_json.stdout)["error"]
        self.assertEqual(error["cause"], "connection_refused")
        self.assertEqual(error["action"], "check_network")


class Waits(unittest.TestCase):
    def wait(self, *answers: Any, more: Sequence[str] = ()) -> Any:
        with Service(*answers) as service:
            return run(
                None,
                "wait",
                "ORD-1",
                *more,
                PAYORDER_BASE_URL=service.url,
                **VARIABLES,
            )

    def test_a_wait_of_0_seconds_sends_one_query(self) -> None:
        paid = self.wait(STATUS, more=["--seconds", "0", "--amount", "100"])
        self.assertEqual((paid.returncode, paid.stderr), (DONE, ""))
        self.assertIn("PAID, as expected", paid.stdout)
        pending = self.wait(PENDING, more=["--seconds", "0"])
        self.assertEqual(pending.returncode, NOT_PAID)
        self.assertIn("may still pay", pending.stderr)
        self.assertIn("payorder status ORD-1", pending.stderr)

    def test_a_service_that_fails_during_the_wait_is_reported_with_the_last_status(
        self,
    ) -> None:
        died = self.wait(PENDING, Answer("{}", 503), more=["--seconds", "6"])
        self.assertEqual(died.returncode, UNKNOWN, died)
        self.assertIn("the last query failed", died.stderr)
        self.assertIn("the last status seen was Pending", died.stderr)
        as_json = self.wait(
            PENDING, Answer("{}", 503), more=["--seconds", "6", "--json"]
        )
        waited = json.loads(as_json.stdout)
        self.assertEqual(waited["status"]["data"]["transactionStatus"], "Pending")
        self.assertEqual(waited["error"]["httpStatus"], 503)
        self.assertEqual((waited["final"], waited["timedOut"]), (False, True))

    def test_a_response_without_an_order_id_is_not_paid(self) -> None:
        nameless = {**STATUS, "data": {**STATUS["data"], "orderId": ""}}
        with Service(nameless) as service:
            asked = run(
                None,
                "status",
                "--transaction-id",
                "TXN-1",
                "ORD-1",
                "--amount",
                "100",
                PAYORDER_BASE_URL=service.url,
                **VARIABLES,
            )
        self.assertEqual(asked.returncode, NOT_PAID, asked)
        self.assertIn("NOT PAID", asked.stdout)

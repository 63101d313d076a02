"""The command: orders, statuses, waiting."""

from __future__ import annotations

import json
import re
import subprocess
import threading

from .commands import (
    DONE,
    NOT_PAID,
    NOT_SENT,
    ORDER,
    REJECTED,
    UNKNOWN,
    USAGE,
    CommandTestCase,
    create,
    environment,
    on_a_terminal,
    run,
)
from .service import (
    ORDER as FIELDS,
    PATIENCE,
    Answer,
    STATUS,
    Service,
    closed_port,
)


class Orders(CommandTestCase):
    def test_an_order_is_made_waited_for_and_verified(self) -> None:
        made = run(
            self.sandbox, "create", "--order-id", "A1", "--amount", "249.50", *ORDER
        )
        self.assertEqual((made.returncode, made.stderr), (0, ""))
        self.assertIn(f"{self.sandbox.url}/checkout/1\n", made.stdout)
        unpaid = run(self.sandbox, "status", "A1", "--amount", "249.50")
        self.assertEqual(unpaid.returncode, NOT_PAID)
        self.assertIn("NOT PAID", unpaid.stdout)
        paying = threading.Timer(4, self.sandbox.press, ["pay"])
        paying.start()
        waited = run(self.sandbox, "wait", "A1", "--amount", "249.50")
        paying.join(PATIENCE)
        self.assertEqual((waited.returncode, waited.stderr), (0, ""))
        states = re.findall(r"\d\d:\d\d:\d\d  (\w+)\n", waited.stdout)
        self.assertEqual(states, ["Pending", "Completed"])
        self.assertIn("PAID, as expected", waited.stdout)
        self.assertEqual(
            run(self.sandbox, "status", "A1", "--amount", "1.00").returncode, NOT_PAID
        )
        by_transaction = run(
            self.sandbox,
            "status",
            "--return-url",
            "https://shop.example/?txn=TXN0000001",
        )
        self.assertIn("Completed", by_transaction.stdout)

    def test_output_for_programs_is_the_librarys_json(self) -> None:
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

    def test_the_exit_status_says_what_happened_to_the_money(self) -> None:
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
            [],
            ["frobnicate"],
            ["status"],
            ["status", "A", "--transaction-id", "T"],
            ["wait", "A", "--nope"],
        ):
            with self.subTest(usage):
                wrong = run(self.sandbox, *usage)
                self.assertEqual((wrong.returncode, wrong.stdout), (USAGE, ""))
                self.assertIn("payorder", wrong.stderr)

    def test_every_broken_field_is_named_with_its_argument(self) -> None:
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

    def test_an_order_with_an_unknown_outcome_says_what_to_ask(self) -> None:
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

    def test_text_that_is_not_utf8_is_named_by_its_field(self) -> None:
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

    def test_invalid_numbers_are_refused_before_anything_is_asked(self) -> None:
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
                self.assertRegex(refused.stderr, f"argument {arguments[-2]}: ")

    def test_a_terminal_shows_the_checkout_address_as_a_qr_code(self) -> None:
        try:
            import segno  # noqa: F401
        except ImportError:
            wanted = "pip install 'payorder[cli]'"
        else:
            wanted = "█▄▄▄█"
        variables = environment(self.sandbox)
        shown = on_a_terminal(
            ["create", "--order-id", "A1", "--amount", "5", *ORDER], variables
        )
        self.assertIn(f"{self.sandbox.url}/checkout/1", shown)
        self.assertIn(wanted, shown)

"""The command: orders, statuses, waiting, the journal, settings, exit statuses."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import subprocess
import tempfile
import threading
import time
import unittest
from pathlib import Path
from typing import Dict, List

from .commands import ORDER, VARIABLES, command, create, environment, run
from .sandbox import CREDENTIALS, Sandbox
from .service import PATIENCE, Service, closed_port


def on_a_terminal(arguments: List[str], variables: Dict[str, str]) -> str:
    """What the command shows on a terminal."""
    master, terminal = pty.openpty()
    shown = b""
    with subprocess.Popen(
        command(*arguments),
        env=variables,
        stdout=terminal,
        stderr=terminal,
        stdin=terminal,
    ) as running:
        os.close(terminal)
        give_up = time.monotonic() + PATIENCE
        while time.monotonic() < give_up:
            ready, _, _ = select.select([master], [], [], 1)
            try:
                piece = os.read(master, 65536) if ready else b""
            except OSError:
                break
            shown += piece
            if not piece and running.poll() is not None:
                break
    os.close(master)
    return shown.decode()


class CommandTestCase(unittest.TestCase):
    sandbox: Sandbox

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.sandbox = Sandbox()
        self.addCleanup(self.sandbox.__exit__, None, None, None)


class Orders(CommandTestCase):
    def test_an_order_is_made_waited_for_and_verified(self) -> None:
        made = run(
            self.sandbox, "create", "--order-id", "A1", "--amount", "249.50", *ORDER
        )
        self.assertEqual((made.returncode, made.stderr), (0, ""))
        self.assertIn(f"{self.sandbox.url}/checkout/1\n", made.stdout)
        unpaid = run(self.sandbox, "status", "A1", "--amount", "249.50")
        self.assertEqual(unpaid.returncode, 4)
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
            run(self.sandbox, "status", "A1", "--amount", "1.00").returncode, 4
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
            (json.loads(waited.stdout)["timedOut"], waited.returncode), (True, 4)
        )
        never = run(self.sandbox, "wait", "NONE", "--json", "--seconds", "0.5")
        self.assertEqual(json.loads(never.stdout)["error"]["outcome"], "rejected")
        self.assertEqual(never.returncode, 3)

    def test_the_exit_status_says_what_happened_to_the_money(self) -> None:
        self.assertEqual(create(self.sandbox, "A1", "0.50"), 1)
        self.assertEqual(create(self.sandbox, "A2", "5", "Tea sandbox:reject"), 2)
        self.assertEqual(
            create(self.sandbox, "A3", "5", "Tea sandbox:drop-after-commit"), 3
        )
        nobody = run(
            self.sandbox,
            "status",
            "A3",
            PAYORDER_BASE_URL=f"http://127.0.0.1:{closed_port()}",
        )
        self.assertEqual(nobody.returncode, 1)
        for usage in (
            [],
            ["frobnicate"],
            ["status"],
            ["status", "A", "--transaction-id", "T"],
            ["wait", "A", "--nope"],
        ):
            with self.subTest(usage):
                wrong = run(self.sandbox, *usage)
                self.assertEqual((wrong.returncode, wrong.stdout), (1, ""))
                self.assertIn("payorder", wrong.stderr)

    def test_every_broken_field_is_named_with_its_argument(self) -> None:
        broken = run(self.sandbox, "create", "--amount", "0.5", "--order-id", "A1")
        self.assertEqual(broken.returncode, 1)
        for argument in (
            "--amount",
            "--merchant-id",
            "--customer-email",
            "--redirection-url",
            "--currency-code",
        ):
            self.assertIn(f"({argument})", broken.stderr)

    def test_an_order_whose_fate_is_unknown_says_what_to_ask(self) -> None:
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
        self.assertEqual(number.returncode, 1)
        self.assertIn('"amount": "249.50"', number.stderr)

    def test_an_order_of_a_program_of_windows_is_read(self) -> None:
        made = run(
            self.sandbox,
            "create",
            "-",
            *ORDER,
            given='\ufeff{"orderId": "A8", "amount": "100.00"}',
        )
        self.assertEqual((made.returncode, made.stderr), (0, ""))

    def test_what_is_no_text_is_told_by_its_fields_name(self) -> None:
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
                self.assertEqual((refused.returncode, refused.stdout), (1, ""))
                self.assertIn(named, refused.stderr)
                self.assertNotIn("Traceback", refused.stderr)

    def test_a_key_twice_makes_no_order(self) -> None:
        refused = run(
            self.sandbox,
            "create",
            "-",
            given='{"orderId": "A7", "amount": "100.00", "amount": "1.00"}',
        )
        self.assertEqual(refused.returncode, 1)
        self.assertIn("key amount twice", refused.stderr)

    def test_an_order_that_is_made_is_told_of_whatever_becomes_of_the_output(
        self,
    ) -> None:
        arguments = command("create", "--amount", "5", *ORDER, "--order-id")
        with open("/dev/full", "w", encoding="utf-8") as full:
            ended = subprocess.run(
                [*arguments, "A1"],
                env=environment(self.sandbox),
                stdout=full,
                stderr=subprocess.PIPE,
                universal_newlines=True,
            )
        self.assertEqual(ended.returncode, 3)
        self.assertIn(
            f"order A1 is made; the customer pays at {self.sandbox.url}/checkout/1\n",
            ended.stderr,
        )
        self.assertNotIn("Traceback", ended.stderr)
        ascii_only = run(
            self.sandbox,
            *arguments[3:],
            "B\u00e9",
            PYTHONIOENCODING="ascii",
            PYTHONUTF8="1",
        )
        self.assertEqual(ascii_only.returncode, 0)
        self.assertIn("order B\\xe9 is made", ascii_only.stdout)
        closed = subprocess.run(
            ["sh", "-c", 'exec "$@" >&-', "sh", *arguments, "C1"],
            env=environment(self.sandbox),
        )
        self.assertEqual(closed.returncode, 0)
        for order in ("A1", "B\u00e9", "C1"):
            self.assertEqual(run(self.sandbox, "status", order).returncode, 0)

    def test_numbers_that_are_none_are_refused_before_anything_is_asked(self) -> None:
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
                self.assertEqual((refused.returncode, refused.stdout), (1, ""))
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

    def test_ctrl_c_while_an_order_is_sent_says_that_it_may_exist(self) -> None:
        arguments = [
            "create",
            "--order-id",
            "A1",
            "--amount",
            "5",
            *ORDER,
            "--product-info",
            "sandbox:stall",
        ]
        with subprocess.Popen(
            command(*arguments, "--timeout-ms", "4000", "--verbose"), env=environment(self.sandbox),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        ) as sending:  # fmt: skip
            time.sleep(2)
            sending.send_signal(signal.SIGINT)
            _, complaint = sending.communicate(timeout=PATIENCE)
        self.assertEqual(sending.returncode, 3, complaint)
        self.assertIn("it may exist\n  ask with: payorder status A1", complaint)

    def test_ctrl_c_ends_the_wait_at_once(self) -> None:
        create(self.sandbox, "A1")
        with subprocess.Popen(
            command("wait", "A1"), env=environment(self.sandbox), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            universal_newlines=True, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        ) as waiting:  # fmt: skip
            assert waiting.stdout is not None
            self.assertIn("Pending", waiting.stdout.readline())
            began = time.monotonic()
            waiting.send_signal(signal.SIGINT)
            _, complaint = waiting.communicate(timeout=PATIENCE)
            self.assertLess(time.monotonic() - began, 5)
        self.assertEqual(
            (waiting.returncode, complaint), (130, "payorder: interrupted\n")
        )


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
            3,
        )
        self.assertEqual(
            create(self.sandbox, "A1", "5", "Tea", "--journal", journal), 1
        )
        self.assertEqual(
            create(
                self.sandbox, "A2", "5", "Tea sandbox:drop-before", "--journal", journal
            ),
            3,
        )
        self.assertEqual(
            create(self.sandbox, "A3", "5", "Tea", "--journal", journal), 0
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
            f"its customer pays at {self.sandbox.url}/checkout/2\n", again.stderr
        )
        # A proxy that cannot be used is none of the journal's faults.
        looked = run(
            self.sandbox,
            "doctor",
            "--journal",
            journal,
            HTTPS_PROXY="socks5://127.0.0.1:1",
        )
        self.assertIn("with 2 orders still open", looked.stdout)
        unreachable = {
            "PAYORDER_BASE_URL": f"http://127.0.0.1:{closed_port()}",
            "PAYORDER_JOURNAL": journal,
        }
        unresolved = run(self.sandbox, "journal", "resolve", **unreachable)
        self.assertIn(
            "3 asked: 0 known to the service, 0 refused, 3 without an answer\n2 still open",
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
        self.assertEqual(resolved.returncode, 3)
        self.assertIn(
            "3 asked: 2 known to the service, 1 refused, 0 without an answer\n1 still open",
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
        # Where the customer pays stands in the journal.
        shown = run(
            self.sandbox, "wait", "A3", "--seconds", "0.1", "--journal", journal
        )
        self.assertIn(f"{self.sandbox.url}/checkout/2\n", shown.stdout)

    def test_a_name_that_is_wrong_is_no_empty_journal(self) -> None:
        path = self.folder / "typo.sqlite"
        for work in ("list", "resolve", "prune"):
            refused = run(self.sandbox, "journal", work, "--journal", str(path))
            self.assertEqual((refused.returncode, refused.stdout), (1, ""))
            self.assertIn(f"there is no journal {path}", refused.stderr)
        self.assertFalse(path.exists())
        path.write_text("no journal")
        for wrong in (str(path), str(self.folder / "nowhere" / "orders.sqlite")):
            looked = run(self.sandbox, "doctor", "--journal", wrong)
            self.assertEqual(looked.returncode, 1)
            self.assertRegex(looked.stdout, "(?m)^failed +journal ")

    def test_without_a_journal_it_says_how_to_name_one(self) -> None:
        missing = run(self.sandbox, "journal", "list")
        self.assertEqual(missing.returncode, 1)
        self.assertIn("--journal", missing.stderr)


class Settings(CommandTestCase):
    def config(self, text: str, mode: int = 0o600) -> str:
        path = self.folder / "payorder.json"
        path.write_text(text)
        path.chmod(mode)
        return str(path)

    def test_a_file_has_the_same_settings_and_the_environment_comes_first(self) -> None:
        config = self.config(
            json.dumps(
                {
                    "baseUrl": self.sandbox.url,
                    "clientKey": CREDENTIALS["client_key"],
                    "clientId": CREDENTIALS["client_id"],
                    "secretKey": "wrong",
                    "tls": {"roots": "system"},
                }
            )
        )
        self.assertEqual(run(None, "status", "A1", "--config", config).returncode, 2)
        asked = run(
            None,
            "status",
            "A1",
            PAYORDER_CONFIG=config,
            PAYORDER_SECRET_KEY=CREDENTIALS["secret_key"],
        )
        self.assertIn("No such order", asked.stderr)

    def test_credentials_that_others_can_read_are_refused(self) -> None:
        config = self.config(
            '{"baseUrl": "http://127.0.0.1:9", "secretKey": "hidden-4711"}', 0o640
        )
        refused = run(None, "status", "A1", "--config", config)
        self.assertEqual(refused.returncode, 1)
        self.assertIn("chmod 600", refused.stderr)
        self.assertNotIn("hidden-4711", refused.stderr)

    def test_what_is_wrong_with_the_settings_is_said_in_one_line(self) -> None:
        for text, words in (
            ("{", "not JSON"),
            ("[]", "one JSON object"),
            ('{"clientkey": "k"}', "is it clientKey?"),
            (None, "cannot be read"),
        ):
            config = (
                str(self.folder / "none.json") if text is None else self.config(text)
            )
            with self.subTest(words):
                refused = run(None, "status", "A1", "--config", config)
                self.assertEqual((refused.returncode, refused.stdout), (1, ""))
                self.assertIn(words, refused.stderr)
                self.assertEqual(refused.stderr.count("\n"), 1)
        self.assertIn("PAYORDER_BASE_URL", run(None, "status", "A1").stderr)

    def test_no_output_shows_a_credential(self) -> None:
        create(self.sandbox, "A1")
        for arguments in (
            ["status", "A1", "--verbose"],
            ["doctor"],
            ["doctor", "--json"],
            ["status", "A9"],
        ):
            ended = run(self.sandbox, *arguments)
            for credential in VARIABLES.values():
                self.assertNotIn(credential, ended.stdout + ended.stderr)

    def test_no_credential_is_an_argument(self) -> None:
        for name in ("create", "status", "wait", "reconcile", "doctor"):
            usage = run(None, name, "--help").stdout
            for word in (
                "--access-token",
                "--client-key",
                "--client-id",
                "--secret-key",
            ):
                self.assertNotIn(word, usage)


class Sandboxes(unittest.TestCase):
    def test_the_sandbox_says_what_to_paste_and_ends_when_it_is_told_to(self) -> None:
        with Sandbox():
            pass
        with subprocess.Popen(
            command("sandbox"),
            env=environment(),
            stdout=subprocess.PIPE,
            universal_newlines=True,
        ) as running:
            assert running.stdout is not None
            said = "".join(running.stdout.readline() for _ in range(8))
            url = re.search(r"export PAYORDER_BASE_URL=(\S+)", said)
            assert url is not None, said
            pasted = dict(re.findall(r"(PAYORDER_\w+)=(\S+)", said))
            asked = run(None, "status", "A1", **pasted)
            self.assertIn("No such order", asked.stderr)
            running.terminate()
            running.communicate(timeout=PATIENCE)
        gone = run(None, "status", "A1", **pasted)
        self.assertEqual(gone.returncode, 1)

    def test_where_there_is_none_it_says_how_to_get_one(self) -> None:
        missing = run(None, "sandbox", PAYORDER_SANDBOX="/no/such/sandbox")
        self.assertEqual(missing.returncode, 1)
        self.assertIn("cargo build --example sandbox", missing.stderr)


class Doctors(CommandTestCase):
    def test_it_says_what_stands_on_the_way_and_sends_no_credential(self) -> None:
        answer = {"responseCode": "401", "responseMessage": "who are you"}
        with Service(answer) as service:
            ended = run(self.sandbox, "doctor", PAYORDER_BASE_URL=service.url)
        self.assertEqual((ended.returncode, ended.stderr), (0, ""))
        self.assertTrue(service.requests)
        for request in service.requests:
            self.assertTrue(request.path.endswith("GetStatus"))
            for credential in VARIABLES.values():
                self.assertNotIn(credential, repr(request))
        for check in (
            "create order",
            "get status",
            "name",
            "connection",
            "clock",
            "service",
        ):
            self.assertIn(check, ended.stdout)

    def test_what_fails_is_its_exit_status(self) -> None:
        closed = run(
            self.sandbox,
            "doctor",
            "--json",
            PAYORDER_BASE_URL=f"https://127.0.0.1:{closed_port()}",
        )
        self.assertEqual(closed.returncode, 1)
        failed = [
            finding["check"]
            for finding in json.loads(closed.stdout)
            if finding["result"] == "failed"
        ]
        self.assertEqual(failed, ["connection", "service"])
        lost = run(self.sandbox, "doctor", "--base-url", f"{self.sandbox.url}/nowhere")
        self.assertIn("check its path", lost.stdout)
        unset = run(None, "doctor", "--base-url", self.sandbox.url)
        self.assertIn("not set: PAYORDER_ACCESS_TOKEN", unset.stdout)

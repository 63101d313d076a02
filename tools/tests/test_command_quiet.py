"""`--quiet`: only the result on stdout, and every failure on stderr."""

from __future__ import annotations

import json
import subprocess

from .commands import (
    DONE,
    NOT_PAID,
    NOT_SENT,
    ORDER,
    UNKNOWN,
    CommandTestCase,
    command,
    environment,
    in_bash,
    on_a_terminal,
    readme_block,
)
from .service import PATIENCE, WIRE_ORDER, closed_port


class Quiet(CommandTestCase):
    def quiet(self, line: str, *more: str, status: int = DONE, stderr: str = "") -> str:
        """Runs a command, checks how it ended, and returns its output."""
        ended = self.payorder(f"{line} --quiet", *more, status=status)
        if stderr:
            self.assertIn(stderr, ended.stderr)
        else:
            self.assertEqual(ended.stderr, "")
        return ended.stdout

    def sell(self, order_id: str, *more: str) -> str:
        return self.quiet(f"create -o {order_id} -a 5.00", *ORDER, *more)

    def test_a_created_order_is_its_url_alone_also_on_a_terminal(self) -> None:
        pages = f"{self.sandbox.url}/checkout"
        self.assertEqual(self.sell("A1"), f"{pages}/1\n")
        line = ["create", "-q", "-o", "A2", "-a", "5.00", *ORDER]
        shown = on_a_terminal(line, environment(self.sandbox))
        self.assertEqual(shown, f"{pages}/2\r\n")
        line_and_wait = "create -o A3 -a 5.00 --wait --seconds 0"
        waited = self.quiet(
            line_and_wait, *ORDER, status=NOT_PAID, stderr="may still pay"
        )
        self.assertEqual(waited, f"{pages}/3\nPending\n")

    def test_the_readmes_script_gets_the_url(self) -> None:
        shop = {**WIRE_ORDER}
        for own in ("orderId", "merchantTxnId", "amount"):
            del shop[own]
        (self.folder / "shop.json").write_text(json.dumps(shop))
        script = readme_block("sh", "url=$(payorder create") + 'echo "$url"'
        shown = subprocess.run(
            in_bash(script),
            env=environment(self.sandbox),
            cwd=self.folder,
            stdout=subprocess.PIPE,
            universal_newlines=True,
            timeout=PATIENCE,
        )
        self.assertEqual(shown.stdout, f"{self.sandbox.url}/checkout/1\n")

    def test_that_an_order_may_exist_is_never_hidden(self) -> None:
        lost = ("--product-info", "Tea sandbox:drop-after-commit")
        line, words = "create -o A1 -a 5.00", "the order may exist"
        said = self.quiet(line, *ORDER, *lost, status=UNKNOWN, stderr=words)
        self.assertEqual(said, "")
        journal = ("--journal", self.journal)
        self.create("A2", *journal, fault="drop-after-commit")
        self.create("A3", *journal, fault="drop-before")
        self.assertEqual(self.quiet("journal list", *journal), "A2\nA3\n")
        proxy = f"http://127.0.0.1:{closed_port()}"
        resolve = "journal resolve --quiet"
        nobody = self.in_journal(resolve, http_proxy=proxy, status=UNKNOWN)
        self.assertEqual(nobody.stdout, "A2\nA3\n")
        self.assertIn("2 orders are unresolved: each may exist", nobody.stderr)

    def test_a_status_is_one_word_and_the_verdict_is_the_exit_status(self) -> None:
        self.sell("A1")
        self.assertEqual(self.quiet("status A1"), "Pending\n")
        for line, status, word, stderr in (
            ("status A1 --amount 5", NOT_PAID, "Pending", "NOT PAID as expected"),
            ("status A1 --amount 5", DONE, "Completed", ""),
            ("wait A1 --amount 5", DONE, "Completed", ""),
            ("status A1 --amount 1", NOT_PAID, "Completed", "do not charge again"),
        ):
            with self.subTest(line, word=word):
                said = self.quiet(line, status=status, stderr=stderr)
                self.assertEqual(said, f"{word}\n")
            self.sandbox.press("pay")

    def test_a_file_is_reconciled_without_counts_and_progress(self) -> None:
        self.sell("A1")
        self.sandbox.press("pay")
        orders, report = self.folder / "orders.csv", self.folder / "report.csv"
        orders.write_text("orderId,amount\nA1,5.00\n")
        self.assertEqual(self.quiet(f"reconcile {orders} --report {report}"), "")
        self.assertIn("matched", report.read_text())
        self.assertEqual(self.quiet(f"reconcile {orders}"), report.read_text())
        again = f"reconcile {orders} --report {report} --quiet --force".split()
        self.assertEqual(on_a_terminal(again, environment(self.sandbox)), "")

    def test_the_journal_is_changed_without_a_word(self) -> None:
        journal = ("--journal", self.journal)
        self.sell("A1", *journal)
        self.create("A2", *journal, fault="drop-after-commit")
        for work in ("settle 2", "resolve", "prune"):
            self.assertEqual(self.quiet(f"journal {work}", *journal), "")

    def test_the_doctor_names_only_what_is_not_ok(self) -> None:
        said = self.quiet("doctor").splitlines()
        self.assertEqual([line.split()[:2] for line in said], [["warning", "TLS"]])
        nowhere = f"http://127.0.0.1:{closed_port()}"
        failed = self.quiet(f"doctor --base-url {nowhere}", status=NOT_SENT)
        self.assertTrue(failed.startswith("failed   connection"), failed)

    def test_the_sandbox_prints_its_url_or_its_settings_alone(self) -> None:
        for option in ("--quiet", "--json"):
            with subprocess.Popen(
                command("sandbox", option),
                env=environment(),
                stdout=subprocess.PIPE,
                universal_newlines=True,
            ) as running:
                assert running.stdout is not None
                line = running.stdout.readline()
                url = json.loads(line)["baseUrl"] if "{" in line else line.strip()
                asked = self.payorder("status A1", PAYORDER_BASE_URL=url)
                running.terminate()
                rest, _ = running.communicate(timeout=PATIENCE)
            self.assertRegex(url, r"^http://127\.0\.0\.1:\d+$")
            self.assertIn("No such order", asked.stderr)
            self.assertEqual(rest, "")

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
    USAGE,
    CommandTestCase,
    command,
    create,
    environment,
    in_bash,
    on_a_terminal,
    readme_block,
    run,
)
from .service import PATIENCE, closed_port


def order(order_id: str, product: str = "Tea") -> "list[str]":
    """The arguments that create an order."""
    named = ["create", "--order-id", order_id, "--amount", "5.00", *ORDER]
    return [*named, "--product-info", product]


class Quiet(CommandTestCase):
    def quiet(self, *arguments: str, status: int = DONE, stderr: str = "") -> str:
        """Runs a command, checks how it ended, and returns its output."""
        ended = run(self.sandbox, *arguments, "--quiet")
        self.assertEqual(ended.returncode, status, ended)
        if stderr:
            self.assertIn(stderr, ended.stderr)
        else:
            self.assertEqual(ended.stderr, "")
        return ended.stdout

    def test_a_created_order_is_its_url_alone_also_on_a_terminal(self) -> None:
        self.assertEqual(self.quiet(*order("A1")), f"{self.sandbox.url}/checkout/1\n")
        shown = on_a_terminal([*order("A2"), "--quiet"], environment(self.sandbox))
        self.assertEqual(shown, f"{self.sandbox.url}/checkout/2\r\n")
        waited = self.quiet(
            *order("A3"),
            "--wait",
            "--seconds",
            "0",
            status=NOT_PAID,
            stderr="may still pay",
        )
        self.assertEqual(waited, f"{self.sandbox.url}/checkout/3\nPending\n")

    def test_the_readmes_script_gets_the_url(self) -> None:
        fields = (one[2:].split("-") for one in ORDER[::2])
        names = [one[0] + "".join(map(str.title, one[1:])) for one in fields]
        shop = dict(zip(names, ORDER[1::2]))
        shop["redirectionURL"] = shop.pop("redirectionUrl")
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
        lost = order("A1", "Tea sandbox:drop-after-commit")
        said = self.quiet(*lost, status=UNKNOWN, stderr="the order may exist")
        self.assertEqual(said, "")
        journal = ["--journal", str(self.folder / "orders.sqlite")]
        for number, product in (("A2", "drop-after-commit"), ("A3", "drop-before")):
            create(self.sandbox, number, "5", f"Tea sandbox:{product}", *journal)
        listed = self.quiet("journal", "list", *journal)
        self.assertEqual(listed, "A2\nA3\n")
        nobody = run(
            self.sandbox,
            *["journal", "resolve", "--quiet", *journal],
            http_proxy=f"http://127.0.0.1:{closed_port()}",
        )
        self.assertEqual((nobody.returncode, nobody.stdout), (UNKNOWN, "A2\nA3\n"))
        self.assertIn("2 orders are unresolved: each may exist", nobody.stderr)

    def test_a_status_is_one_word_and_the_verdict_is_the_exit_status(self) -> None:
        self.quiet(*order("A1"))
        self.assertEqual(self.quiet("status", "A1"), "Pending\n")
        verified = ("status", "A1", "--amount")
        unpaid = self.quiet(
            *verified, "5", status=NOT_PAID, stderr="NOT PAID as expected"
        )
        self.assertEqual(unpaid, "Pending\n")
        self.sandbox.press("pay")
        self.assertEqual(self.quiet(*verified, "5"), "Completed\n")
        self.assertEqual(self.quiet("wait", "A1", "--amount", "5"), "Completed\n")
        less = self.quiet(*verified, "1", status=NOT_PAID, stderr="do not charge again")
        self.assertEqual(less, "Completed\n")

    def test_a_file_is_reconciled_without_counts_and_progress(self) -> None:
        self.quiet(*order("A1"))
        self.sandbox.press("pay")
        orders = self.folder / "orders.csv"
        orders.write_text("orderId,amount\nA1,5.00\n")
        report = self.folder / "report.csv"
        arguments = ["reconcile", str(orders), "--report", str(report)]
        self.assertEqual(self.quiet(*arguments), "")
        self.assertIn("matched", report.read_text())
        printed = self.quiet("reconcile", str(orders))
        self.assertEqual(printed, report.read_text())
        variables = environment(self.sandbox)
        again = [*arguments, "--quiet", "--force"]
        self.assertEqual(on_a_terminal(again, variables), "")

    def test_the_journal_is_changed_without_a_word(self) -> None:
        journal = ["--journal", str(self.folder / "orders.sqlite")]
        self.quiet(*order("A1"), *journal)
        create(self.sandbox, "A2", "5", "Tea sandbox:drop-after-commit", *journal)
        self.assertEqual(self.quiet("journal", "settle", "2", *journal), "")
        self.assertEqual(self.quiet("journal", "resolve", *journal), "")
        self.assertEqual(self.quiet("journal", "prune", *journal), "")

    def test_the_doctor_names_only_what_is_not_ok(self) -> None:
        said = self.quiet("doctor").splitlines()
        self.assertEqual([line.split()[:2] for line in said], [["warning", "TLS"]])
        nowhere = f"http://127.0.0.1:{closed_port()}"
        failed = self.quiet("doctor", "--base-url", nowhere, status=NOT_SENT)
        self.assertTrue(failed.startswith("failed   connection"), failed)

    def test_a_bad_rule_of_the_sandbox_is_a_wrong_command_line(self) -> None:
        refused = run(None, "sandbox", "--fault", "create:1:no-such-fault")
        self.assertEqual(refused.returncode, USAGE)
        self.assertIn("no-such-fault", refused.stderr)

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
                asked = run(self.sandbox, "status", "A1", PAYORDER_BASE_URL=url)
                running.terminate()
                rest, _ = running.communicate(timeout=PATIENCE)
            self.assertRegex(url, r"^http://127\.0\.0\.1:\d+$")
            self.assertIn("No such order", asked.stderr)
            self.assertEqual(rest, "")

"""`payorder reconcile`: a file of orders against the service."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import subprocess
import sys
from typing import Dict

from .commands import (
    DONE,
    NOT_PAID,
    REJECTED,
    UNKNOWN,
    USAGE,
    CommandTestCase,
    command,
    create,
    environment,
    on_a_terminal,
    run,
)
from .service import PATIENCE, Answer, Service
from .many_statuses import Forgetting, known


class Reconciling(CommandTestCase):
    def file(self, text: str) -> str:
        path = self.folder / "orders.csv"
        path.write_text(text, encoding="utf-8")
        return str(path)

    def orders(self) -> None:
        """LESS is paid with another amount, BACK is refunded, DEAF has no response."""
        for number, (order, product) in enumerate(
            {
                "PAID": "Tea",
                "OPEN": "Tea",
                "LESS": "Tea sandbox:wrong-amount",
                "BACK": "Tea sandbox:refunded",
                "DEAF": "Tea sandbox:status-malformed-json",
            }.items(),
            1,
        ):
            self.assertEqual(create(self.sandbox, order, "100.00", product), 0)
            if order != "OPEN":
                self.sandbox.press("pay", number)

    def test_every_order_has_its_verdict(self) -> None:
        self.orders()
        ids = ["PAID", "OPEN", "LESS", "BACK", "DEAF", "NONE"]
        path = self.file(
            "\ufeffOrder ID,what,Amount\n"
            + "".join(f"{one},tea,100\n" for one in ids)
            + ",tea,1\nSHORT,tea\n\n"
        )
        ended = run(self.sandbox, "reconcile", path)
        self.assertEqual(ended.returncode, UNKNOWN)
        rows = list(csv.DictReader(io.StringIO(ended.stdout)))
        found = {
            row["Order ID"]: row["verdict"] for row in rows if row["Amount"] == "100"
        }
        self.assertEqual(
            found,
            {
                "PAID": "matched",
                "OPEN": "not_completed",
                "LESS": "amount_differs",
                "BACK": "refunded",
                "DEAF": "no_answer",
                "NONE": "unknown_to_service",
            },
        )
        self.assertEqual(
            [row["verdict"] for row in rows if row["Amount"] != "100"],
            ["unusable_row"] * 2,
        )
        self.assertIn("8 orders", ended.stderr)

    def test_a_script_can_rely_on_the_exit_status_and_the_rows(self) -> None:
        self.orders()
        report = str(self.folder / "report.csv")
        filed_as = ["--report", report, "--force"]
        head = "line,order,amount,note,verdict,transactionStatus,serviceAmount,transactionId,detail\n"
        for rows, expect, ends, shown in (
            ("PAID,100,x\n", "paid", DONE, ""),
            ("OPEN,100,x\n", "paid", NOT_PAID, "2,OPEN,"),
            ("OPEN,100,x\nNONE,5,x\n", "unpaid", DONE, ""),
            # A column of the input with the word of a verdict silences nothing.
            ("OPEN,100,x\nPAID,100,not_completed\n", "unpaid", NOT_PAID, "3,PAID,"),
            ("LESS,100,unknown_to_service\n", "unpaid", NOT_PAID, "2,LESS,"),
            ("BACK,100,x\n", "unpaid", NOT_PAID, "2,BACK,"),
            ("OPEN,100,x\nDEAF,100,x\n", "unpaid", UNKNOWN, "3,DEAF,"),
            ("OPEN,100,x\nOPEN,100,x\n", "unpaid", NOT_PAID, "3,OPEN,"),
        ):
            with self.subTest(rows=rows, expect=expect):
                asked = ["reconcile", "-", "--quiet", "--expect", expect]
                only = run(
                    self.sandbox, *asked, "--only-unexpected",
                    given="order,amount,note\n" + rows,
                )  # fmt: skip
                self.assertEqual((only.returncode, only.stderr), (ends, ""))
                filed = run(
                    self.sandbox, *asked, "--only-unexpected", *filed_as,
                    given="order,amount,note\n" + rows,
                )  # fmt: skip
                self.assertEqual((filed.returncode, filed.stdout), (ends, only.stdout))
                with open(report, encoding="utf-8") as file:
                    self.assertEqual(len(file.readlines()), 1 + rows.count("\n"))
                if not shown:
                    self.assertEqual(only.stdout, "")
                    continue
                self.assertEqual(only.stdout[: len(head)], head)
                self.assertEqual(only.stdout[len(head) :][: len(shown)], shown)
                self.assertEqual(only.stdout.count("\n"), 2)

    def test_a_continued_report_prints_all_its_unexpected_rows(self) -> None:
        self.orders()
        path = self.file("order,amount\nPAID,100\nOPEN,100\nDEAF,100\nLESS,100\n")
        report = str(self.folder / "report.csv")
        asked = ["reconcile", path, "--report", report, "--expect", "unpaid",
                 "--quiet", "--only-unexpected", "--concurrency", "1"]  # fmt: skip
        stopped = run(self.sandbox, *asked, "--max-errors", "1")
        self.assertEqual(stopped.returncode, UNKNOWN)
        self.assertRegex(stopped.stdout, "(?s)^line,.*2,PAID,.*4,DEAF,[^\n]*\n$")
        again = run(self.sandbox, *asked, "--resume")
        self.assertEqual(again.returncode, UNKNOWN)
        self.assertRegex(again.stdout, "(?s)^line,.*2,PAID,.*4,DEAF,.*5,LESS,[^\n]*\n$")
        self.assertNotIn("OPEN", again.stdout)

    def test_a_file_without_orders_can_be_right(self) -> None:
        for text in ("order,amount\n", "order,amount\n\n", "order,amount"):
            asked = ["reconcile", "-", "--only-unexpected"]
            empty = run(self.sandbox, *asked, "--allow-empty", given=text)
            self.assertEqual((empty.returncode, empty.stdout), (DONE, ""), empty)
            self.assertEqual(run(self.sandbox, *asked, given=text).returncode, USAGE)
        nothing = run(self.sandbox, *asked, "--allow-empty", given="")
        self.assertEqual(nothing.returncode, USAGE)

    def test_a_page_of_another_server_is_no_answer(self) -> None:
        with Service(Answer("<h1>Not Found</h1>", 404)) as service:
            ended = run(
                self.sandbox, "reconcile", "-", "--expect", "unpaid",
                given="order,amount\nA,1\n", PAYORDER_BASE_URL=service.url,
            )  # fmt: skip
        self.assertEqual(ended.returncode, UNKNOWN)
        self.assertIn("no_answer", ended.stdout)

    def test_bytes_that_are_not_utf8_affect_only_their_row(self) -> None:
        self.orders()
        path = self.folder / "orders.csv"
        path.write_bytes(b"orderId,amount\nOPEN,1\xff0\nP\xff,1\nPAID,100\n")
        ended = run(
            self.sandbox,
            "reconcile",
            str(path),
            "--report",
            str(self.folder / "report.csv"),
        )
        self.assertEqual((ended.returncode, ended.stderr), (NOT_PAID, ""))
        self.assertIn("2 unusable_row", ended.stdout)
        self.assertIn("1 matched", ended.stdout)
        with path.open("rb") as file:
            piped = subprocess.run(
                command("reconcile", "-"),
                stdin=file,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=environment(self.sandbox),
            )
        self.assertEqual(
            (piped.returncode, piped.stdout.count(b"unusable_row")),
            (NOT_PAID, 2),
            piped.stderr,
        )

    def test_a_closed_stdin_is_reported(self) -> None:
        closed = ["sh", "-c", 'exec "$@" <&-', "sh", *command("reconcile", "-")]
        refused = subprocess.run(
            closed,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(self.sandbox),
        )
        self.assertEqual((refused.returncode, refused.stdout), (USAGE, b""))
        self.assertIn(b"stdin is closed", refused.stderr)

    def test_a_file_that_cannot_be_read_is_named(self) -> None:
        loop = self.folder / "loop.csv"
        loop.symlink_to(loop)
        for path in (loop, self.folder, self.folder / "missing.csv"):
            with self.subTest(path.name):
                refused = run(self.sandbox, "reconcile", str(path))
                self.assertEqual((refused.returncode, refused.stdout), (USAGE, ""))
                self.assertIn(str(path), refused.stderr)

    def test_a_report_can_be_written_into_a_pipe(self) -> None:
        self.orders()
        path = self.file("orderId,amount\nPAID,100.00\n")
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        with subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE) as reading:
            self.assertEqual(
                run(self.sandbox, "reconcile", path, "--report", str(pipe)).returncode,
                0,
            )
            assert reading.stdout is not None
            self.assertIn(b"2,PAID,100.00,matched", reading.stdout.read())
        self.assertTrue(pipe.is_fifo())

    def test_a_report_gets_its_name_when_it_is_complete(self) -> None:
        self.orders()
        report = self.folder / "report.jsonl"
        path = self.file("orderId,amount\nPAID,100.00\n")
        ended = run(self.sandbox, "reconcile", path, "--report", str(report), "--json")
        self.assertEqual((ended.returncode, ended.stderr), (0, ""))
        self.assertEqual(json.loads(ended.stdout)["matched"], 1)
        (line,) = report.read_text().splitlines()
        self.assertEqual(json.loads(line)["transactionId"], "TXN0000001")
        refused = run(
            self.sandbox,
            "reconcile",
            path,
            "--report",
            str(report),
            "--force",
            PAYORDER_SECRET_KEY="wrong",
        )
        self.assertEqual(refused.returncode, REJECTED)
        self.assertEqual(report.read_text().splitlines(), [line])

    def test_an_unusable_file_is_reported_before_anything_is_sent(self) -> None:
        for text, words in (
            ("", "is empty"),
            ("a,b\nx,1\n", "--order-column"),
            ("order,b\nx,1\n", "--amount-column"),
            ("a,b\nx,1\n", "no column c"),
        ):
            with self.subTest(words):
                more = ["--order-column", "c"] if words == "no column c" else []
                ended = run(self.sandbox, "reconcile", self.file(text), *more)
                self.assertEqual((ended.returncode, ended.stdout), (USAGE, ""))
                self.assertIn(words, ended.stderr)
        named = run(
            self.sandbox,
            "reconcile",
            self.file("a,b\nNONE,1\n"),
            "--order-column",
            "a",
            "--amount-column",
            "b",
        )
        self.assertEqual(named.returncode, NOT_PAID)

    def test_the_progress_is_shown_on_terminals_and_fits_them(self) -> None:
        self.orders()
        rows = "".join(f"O-{number},100\n" for number in range(2000))
        path = self.file("orderId,amount\n" + rows)
        report = str(self.folder / "report.csv")
        arguments = ["reconcile", path, "--report", report, "--force"]
        shown = on_a_terminal(arguments, environment(self.sandbox))
        self.assertRegex(shown, r"\[#+\.*\] [\d,]+ of 2,000, \d+ per second")
        narrow = on_a_terminal(arguments, environment(self.sandbox), columns=30)
        lines = re.findall("\r\x1b\\[K([^\r\n\x1b]*)", narrow)
        lines = [line for line in lines if " of 2,000, " in line]
        self.assertTrue(lines, narrow)
        self.assertLess(max(map(len, lines)), 30)
        self.assertNotIn("\x1b", run(self.sandbox, *arguments).stderr)

    def test_the_memory_does_not_grow_with_the_number_of_orders(self) -> None:
        grown: Dict[int, int] = {}
        with Service(known) as service:
            service.requests = Forgetting()
            for count in (1_000, 10_000):
                with subprocess.Popen(
                    [
                        sys.executable,
                        "-c",
                        MEASURED,
                        "reconcile",
                        "-",
                        "--concurrency",
                        "16",
                        "--json",
                    ],
                    env=environment(self.sandbox, PAYORDER_BASE_URL=service.url),
                    stdin=subprocess.PIPE,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.PIPE,
                    universal_newlines=True,
                ) as running:
                    rows = "".join(f"ORD-{number},100.00\n" for number in range(count))
                    _, said = running.communicate(
                        "orderId,amount\n" + rows, timeout=PATIENCE * 10
                    )
                self.assertIn(f"{count} orders", said)
                grown[count] = int(said.splitlines()[-1])
        self.assertLess(grown[10_000] - grown[1_000], 6_000, f"kilobytes: {grown}")


#: The command, which prints its peak memory at the end.
MEASURED = """
import resource, sys
from payorder_tools.command import main
ended = main()
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)
sys.exit(ended)
"""

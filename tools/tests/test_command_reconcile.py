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
    environment,
    on_a_terminal,
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
        for number, (order, fault) in enumerate(
            {
                "PAID": "",
                "OPEN": "",
                "LESS": "wrong-amount",
                "BACK": "refunded",
                "DEAF": "status-malformed-json",
            }.items(),
            1,
        ):
            self.assertEqual(self.create(f"{order} 100.00", fault=fault), DONE)
            if order != "OPEN":
                self.sandbox.press("pay", number)

    def test_every_order_has_its_verdict(self) -> None:
        self.orders()
        verdicts = {
            "PAID": "matched",
            "OPEN": "not_completed",
            "LESS": "amount_differs",
            "BACK": "refunded",
            "DEAF": "no_answer",
            "NONE": "unknown_to_service",
        }
        rows = "".join(f"{one},tea,100\n" for one in verdicts) + ",tea,1\nSHORT,tea\n\n"
        path = self.file(f"\ufeffOrder ID,what,Amount\n{rows}")
        ended = self.payorder(f"reconcile {path}", status=UNKNOWN)
        report = list(csv.DictReader(io.StringIO(ended.stdout)))
        found = {row["Order ID"]: row["verdict"] for row in report[:6]}
        self.assertEqual(found, verdicts)
        others = [row["verdict"] for row in report[6:]]
        self.assertEqual(others, ["unusable_row"] * 2)
        self.assertIn("8 orders", ended.stderr)

    def test_a_script_can_rely_on_the_exit_status_and_the_rows(self) -> None:
        self.orders()
        report = self.folder / "report.csv"
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
                asked = f"reconcile - --quiet --expect {expect} --only-unexpected"
                given = "order,amount,note\n" + rows
                only = self.payorder(asked, given=given, status=ends)
                self.assertEqual(only.stderr, "")
                filed = f"{asked} --report {report} --force"
                again = self.payorder(filed, given=given, status=ends)
                self.assertEqual(again.stdout, only.stdout)
                lines = report.read_text(encoding="utf-8").splitlines()
                self.assertEqual(len(lines), 1 + rows.count("\n"))
                if not shown:
                    self.assertEqual(only.stdout, "")
                    continue
                self.assertTrue(only.stdout.startswith(head + shown), only.stdout)
                self.assertEqual(only.stdout.count("\n"), 2)

    def test_a_continued_report_prints_all_its_unexpected_rows(self) -> None:
        self.orders()
        path = self.file("order,amount\nPAID,100\nOPEN,100\nDEAF,100\nLESS,100\n")
        asked = (
            f"reconcile {path} --report {self.folder}/report.csv --expect unpaid --quiet "
            "--only-unexpected --concurrency 1"
        )
        stopped = self.payorder(f"{asked} --max-errors 1", status=UNKNOWN)
        self.assertRegex(stopped.stdout, "(?s)^line,.*2,PAID,.*4,DEAF,[^\n]*\n$")
        again = self.payorder(f"{asked} --resume", status=UNKNOWN)
        self.assertRegex(again.stdout, "(?s)^line,.*2,PAID,.*4,DEAF,.*5,LESS,[^\n]*\n$")
        self.assertNotIn("OPEN", again.stdout)

    def test_a_file_without_orders_can_be_right(self) -> None:
        asked = "reconcile - --only-unexpected"
        allowed = f"{asked} --allow-empty"
        for text in ("order,amount\n", "order,amount\n\n", "order,amount"):
            empty = self.payorder(allowed, given=text, status=DONE)
            self.assertEqual(empty.stdout, "")
            self.refused(asked, given=text)
        self.refused(allowed, given="", words="is empty")

    def test_a_page_of_another_server_is_no_answer(self) -> None:
        with Service(Answer("<h1>Not Found</h1>", 404)) as service:
            ended = self.payorder(
                "reconcile - --expect unpaid",
                given="order,amount\nA,1\n",
                PAYORDER_BASE_URL=service.url,
                status=UNKNOWN,
            )
        self.assertIn("no_answer", ended.stdout)

    def test_bytes_that_are_not_utf8_affect_only_their_row(self) -> None:
        self.orders()
        path = self.folder / "orders.csv"
        path.write_bytes(b"orderId,amount\nOPEN,1\xff0\nP\xff,1\nPAID,100\n")
        line = f"reconcile {path} --report {self.folder}/report.csv"
        ended = self.payorder(line, status=NOT_PAID)
        self.assertEqual(ended.stderr, "")
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
        self.assertEqual(piped.returncode, NOT_PAID, piped.stderr)
        self.assertEqual(piped.stdout.count(b"unusable_row"), 2)

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

    def test_an_unusable_file_is_reported_before_anything_is_sent(self) -> None:
        loop = self.folder / "loop.csv"
        loop.symlink_to(loop)
        for path in (loop, self.folder, self.folder / "missing.csv"):
            with self.subTest(path.name):
                self.refused(f"reconcile {path}", words=str(path))
        for text, more, words in (
            ("a,b\nx,1\n", "", "--order-column"),
            ("order,b\nx,1\n", "", "--amount-column"),
            ("a,b\nx,1\n", "--order-column c", "no column c"),
        ):
            with self.subTest(words):
                self.refused(f"reconcile - {more}", given=text, words=words)
        columns = "--order-column a --amount-column b"
        self.payorder(f"reconcile - {columns}", given="a,b\nNONE,1\n", status=NOT_PAID)

    def test_a_report_can_be_written_into_a_pipe(self) -> None:
        self.orders()
        path = self.file("orderId,amount\nPAID,100.00\n")
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        with subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE) as reading:
            self.payorder(f"reconcile {path} --report {pipe}", status=DONE)
            assert reading.stdout is not None
            self.assertIn(b"2,PAID,100.00,matched", reading.stdout.read())
        self.assertTrue(pipe.is_fifo())

    def test_a_report_gets_its_name_when_it_is_complete(self) -> None:
        self.orders()
        report = self.folder / "report.jsonl"
        path = self.file("orderId,amount\nPAID,100.00\n")
        line = f"reconcile {path} --report {report}"
        ended = self.payorder(f"{line} --json", status=DONE)
        self.assertEqual(ended.stderr, "")
        self.assertEqual(json.loads(ended.stdout)["matched"], 1)
        (row,) = report.read_text().splitlines()
        self.assertEqual(json.loads(row)["transactionId"], "TXN0000001")
        wrong = {"PAYORDER_SECRET_KEY": "wrong"}
        self.payorder(f"{line} --force", **wrong, status=REJECTED)
        self.assertEqual(report.read_text().splitlines(), [row])

    def test_the_progress_is_shown_on_terminals_and_fits_them(self) -> None:
        rows = "".join(f"O-{number},100\n" for number in range(2000))
        path = self.file("orderId,amount\n" + rows)
        line = f"reconcile {path} --report {self.folder}/report.csv --force"
        shown = on_a_terminal(line.split(), environment(self.sandbox))
        self.assertRegex(shown, r"\[#+\.*\] [\d,]+ of 2,000, \d+ per second")
        narrow = on_a_terminal(line.split(), environment(self.sandbox), columns=30)
        lines = re.findall("\r\x1b\\[K([^\r\n\x1b]*)", narrow)
        lines = [line for line in lines if " of 2,000, " in line]
        self.assertTrue(lines, narrow)
        self.assertLess(max(map(len, lines)), 30)
        self.assertNotIn("\x1b", self.payorder(line).stderr)

    def test_the_memory_does_not_grow_with_the_number_of_orders(self) -> None:
        grown: Dict[int, int] = {}
        line = "reconcile - --concurrency 16 --json".split()
        with Service(known) as service:
            service.requests = Forgetting()
            for count in (1_000, 10_000):
                rows = "".join(f"ORD-{number},100.00\n" for number in range(count))
                ended = subprocess.run(
                    [sys.executable, "-c", MEASURED, *line],
                    env=environment(self.sandbox, PAYORDER_BASE_URL=service.url),
                    input="orderId,amount\n" + rows,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.PIPE,
                    universal_newlines=True,
                    timeout=PATIENCE * 10,
                )
                self.assertIn(f"{count} orders", ended.stderr)
                grown[count] = int(ended.stderr.splitlines()[-1])
        self.assertLess(grown[10_000] - grown[1_000], 6_000, f"kilobytes: {grown}")


#: The command, which prints its peak memory at the end.
MEASURED = """
import resource, sys
from payorder_tools.command import main
ended = main()
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)
sys.exit(ended)
"""

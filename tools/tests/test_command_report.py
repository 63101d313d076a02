"""`payorder reconcile`: reports that are interrupted and continued, and overwrite no other file."""

from __future__ import annotations

import csv
import fcntl
import json
import os
import threading
from pathlib import Path
from typing import Any, Dict, List, Union

from .commands import (
    DONE,
    FAILED,
    INTERRUPTED,
    NOT_PAID,
    UNKNOWN,
    USAGE,
    CommandTestCase,
    Ended,
    environment,
    interrupted,
)
from .service import Answer, Request, Service
from .test_command_rows import paid


class Failing:
    """Every order is paid. Fails after some queries, until `well` is set."""

    def __init__(self, answers: int) -> None:
        self.left = answers
        self.asked: List[str] = []
        self.well = False
        #: Set with the first failure.
        self.reached = threading.Event()
        #: Set with the 200th query.
        self.busy = threading.Event()
        self._lock = threading.Lock()

    def __call__(self, request: Request) -> Union[Dict[str, Any], Answer]:
        with self._lock:
            self.asked.append(json.loads(request.body)["orderId"])
            self.left -= 1
            if len(self.asked) == 200:
                self.busy.set()
            if self.left >= 0 or self.well:
                return paid(request)
        self.reached.set()
        return Answer("{}", 503)


class Reports(CommandTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.report = self.folder / "report.csv"
        self.unfinished = self.folder / "report.csv.unfinished"

    def orders(self, count: int) -> str:
        path = self.folder / "orders.csv"
        rows = "".join(f"O-{number},100.00\n" for number in range(count))
        path.write_text("orderId,amount\n" + rows)
        return str(path)

    def reconcile(self, service: Service, line: str, **more: Any) -> Ended:
        """Reconciles, and writes the report."""
        url = {"PAYORDER_BASE_URL": service.url}
        report = "" if "--report" in line else f"--report {self.report}"
        return self.payorder(f"reconcile {line} {report}", **url, **more)

    def rows(self, path: Path) -> List[Dict[str, str]]:
        with path.open(newline="") as file:
            return list(csv.DictReader(file))

    def test_a_failing_service_ends_the_run_and_the_report_is_continued(self) -> None:
        answers = Failing(50)
        path = self.orders(2000)
        text = Path(path).read_text()
        Path(path).write_text(text.replace("O-1,100.00", "O-1,7.00"))
        arguments = f"{path} --config {self.quick()}"
        with Service(answers) as service:
            stopped = self.reconcile(service, arguments)
            self.assertEqual(stopped.returncode, UNKNOWN, stopped)
            self.assertIn("20 orders in a row had no usable response", stopped.stderr)
            self.assertIn(str(self.unfinished), stopped.stderr)
            self.assertIn("--resume", stopped.stderr)
            self.assertIn("not all", stopped.stdout)
            self.assertLess(len(answers.asked), 300)
            self.assertFalse(self.report.exists())
            kept = self.unfinished.read_text()
            done = {
                row["orderId"]
                for row in self.rows(self.unfinished)
                if row["verdict"] != "no_answer"
            }
            self.assertEqual(len(done), 50)
            answers.well, answers.asked = True, []
            # A crash in the middle of a row.
            self.unfinished.write_text(kept + '999,"O-')
            resumed = self.reconcile(service, f"{arguments} --resume")
        self.assertEqual((resumed.returncode, resumed.stderr), (NOT_PAID, ""))
        self.assertIn("2000 orders reported", resumed.stdout)
        self.assertIn("1999 matched", resumed.stdout)
        self.assertIn("1 amount_differs", resumed.stdout)
        self.assertEqual(done & set(answers.asked), set(), "nothing is asked twice")
        self.assertEqual(
            [row["orderId"] for row in self.rows(self.report)],
            [f"O-{number}" for number in range(2000)],
        )
        self.assertFalse(self.unfinished.exists())

    def quick(self) -> str:
        """Settings without retries, so that failures come soon."""
        path = self.folder / "settings.json"
        path.write_text('{"statusRetries": 0}')
        path.chmod(0o600)
        return str(path)

    def test_max_errors_decides_when_to_stop(self) -> None:
        # While the command stops, up to 200 orders are asked per second.
        for most, orders, asked in (("3", 2000, 1000), ("0", 100, 100)):
            answers = Failing(0)
            with self.subTest(most), Service(answers) as service:
                line = f"{self.orders(orders)} --config {self.quick()} --rate 200"
                more = f"--max-errors {most} --json --force"
                ended = self.reconcile(service, f"{line} {more}")
                self.assertEqual(ended.returncode, UNKNOWN)
                figures = json.loads(ended.stdout)
                self.assertEqual(figures["finished"], most == "0")
                self.assertEqual(figures["reported"], 3 if most == "3" else 100)
                self.assertLessEqual(len(answers.asked), asked)

    def test_ctrl_c_names_the_unfinished_report(self) -> None:
        answers = Failing(1_000_000)
        path = self.orders(20_000)
        with Service(answers) as service:
            variables = environment(self.sandbox, PAYORDER_BASE_URL=service.url)
            arguments = ["reconcile", path, "--report", str(self.report)]
            status, output, complaint, took = interrupted(
                variables, 0.2, *arguments, "--rate", "400", after=answers.busy
            )
            self.assertEqual((status, output), (INTERRUPTED, ""), complaint)
            self.assertIn(f"the unfinished report {self.unfinished} has", complaint)
            self.assertIn("--resume", complaint)
            self.assertLess(took, 6)
        self.assertFalse(self.report.exists())
        self.assertGreater(len(self.rows(self.unfinished)), 50)

    def test_an_unfinished_report_of_another_input_is_refused(self) -> None:
        answers = Failing(30)
        path = self.orders(100)
        for name in ("report.csv", "report.jsonl"):
            report = str(self.folder / name)
            arguments = f"{path} --report {report} --config {self.quick()}"
            with self.subTest(name), Service(answers) as service:
                answers.left, answers.well = 30, False
                missing = self.reconcile(service, f"{arguments} --resume")
                self.assertEqual(missing.returncode, USAGE)
                self.assertIn("no unfinished report", missing.stderr)
                stopped = self.reconcile(service, arguments)
                self.assertEqual(stopped.returncode, UNKNOWN)
                kept = Path(report + ".unfinished").read_text()
                text = Path(path).read_text()
                Path(path).write_text(text.replace("O-3,100.00", "O-3,10.00"))
                changed = self.reconcile(service, f"{arguments} --resume")
                self.assertEqual(changed.returncode, USAGE, changed)
                self.assertIn("differs after 3 orders", changed.stderr)
                self.assertEqual(Path(report + ".unfinished").read_text(), kept)
                Path(path).write_text(text)
                answers.well = True
                resumed = self.reconcile(service, f"{arguments} --resume")
                self.assertEqual(resumed.returncode, DONE, resumed)
                self.assertEqual(
                    len(Path(report).read_text().splitlines()),
                    100 + name.endswith("csv"),
                )

    def test_an_earlier_report_is_replaced_only_on_demand(self) -> None:
        arguments = self.orders(1)
        for earlier, advice in (
            (self.report, ["name another file", "--force"]),
            (self.unfinished, ["--resume", "--force"]),
        ):
            earlier.write_text("earlier")
            with self.subTest(earlier.name), Service(paid) as service:
                refused = self.reconcile(service, arguments)
                self.assertEqual((refused.returncode, refused.stdout), (USAGE, ""))
                for words in (str(earlier), *advice):
                    self.assertIn(words, refused.stderr)
                self.assertEqual(earlier.read_text(), "earlier")
                self.assertEqual(service.requests, [])
                replaced = self.reconcile(service, f"{arguments} --force")
                self.assertEqual(replaced.returncode, DONE, replaced)
                self.assertIn("matched", self.report.read_text())
            self.report.unlink()

    def test_the_input_is_never_replaced(self) -> None:
        path = self.orders(1)
        text = Path(path).read_text()
        link, second = self.folder / "link.csv", self.folder / "second.csv"
        link.symlink_to(path)
        os.link(path, str(second))
        unfinished = self.folder / "orders.csv.unfinished"
        unfinished.write_text(text)
        with Service(paid) as service:
            for source, report in (
                (path, path),
                (path, str(link)),
                (path, str(second)),
                (str(unfinished), path),
            ):
                with self.subTest((source, report)):
                    refused = self.reconcile(service, f"{source} --report {report}")
                    self.assertEqual(refused.returncode, USAGE)
                    self.assertIn("would overwrite the input", refused.stderr)
            self.assertEqual(service.requests, [])
        self.assertEqual((Path(path).read_text(), unfinished.read_text()), (text, text))

    def test_a_link_stays_a_link_and_the_mode_stays(self) -> None:
        path = self.orders(1)
        target = self.folder / "target.csv"
        target.write_text("old")
        target.chmod(0o600)
        self.report.symlink_to(target)
        with Service(paid) as service:
            ended = self.reconcile(service, f"{path} --force")
        self.assertEqual(ended.returncode, DONE, ended)
        self.assertTrue(self.report.is_symlink())
        self.assertIn("matched", target.read_text())
        self.assertEqual(target.stat().st_mode & 0o777, 0o600)

    def test_a_report_that_cannot_be_written_is_a_failure(self) -> None:
        path = self.orders(3)
        with Service(paid) as service:
            full = self.reconcile(service, f"{path} --report /dev/full")
            self.assertEqual(full.returncode, FAILED, full)
            self.assertIn("the report cannot be written: No space left", full.stderr)
            nowhere = self.reconcile(service, f"{path} --report /no/such/report.csv")
            self.assertEqual(nowhere.returncode, USAGE)
            self.assertIn("cannot be written", nowhere.stderr)
            self.report.mkdir()
            folder = self.reconcile(service, path)
            self.assertEqual(folder.returncode, USAGE, folder)

    def test_one_run_at_a_time_writes_a_report(self) -> None:

        with self.unfinished.open("w") as other, Service(paid) as service:
            fcntl.flock(other, fcntl.LOCK_EX)
            refused = self.reconcile(service, self.orders(1))
        self.assertEqual(refused.returncode, USAGE)
        self.assertIn("another run is writing", refused.stderr)

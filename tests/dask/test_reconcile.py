"""The Dask example keeps its promises, with the sandbox and two worker processes."""

from __future__ import annotations

import contextlib
import csv
import io
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from decimal import Decimal
from pathlib import Path

import dask.dataframe as dd
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as parquet
from distributed import Client as Cluster

import payorder
from payorder_tools.testing import Request, Sandbox

PROJECT = Path(__file__).resolve().parents[2]
EXAMPLE = PROJECT / "examples" / "dask"
sys.path.insert(0, str(EXAMPLE))

import reconcile  # noqa: E402

PATIENCE = 120.0
ORDERS = 600
RATE = 60

#: What is sold with order numbers that end in 1 and 2. The others sell tea.
PRODUCTS = {1: "Tea sandbox:wrong-amount", 2: "Tea sandbox:status-malformed-json"}
VERDICTS = {
    0: "not_completed",
    1: "amount_differs",
    2: "no_answer",
    3: "unknown_to_service",
}


class Reconciling(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.sandbox = Sandbox()
        cls.addClassCleanup(cls.sandbox.close)
        os.environ.update(cls.sandbox.environment())
        with cls.sandbox.client() as client:
            for number in range(ORDERS):
                if number % 10 != 3:
                    cls.order(client, number)
                    if number % 10:
                        cls.sandbox.pay(f"O-{number}")

    @staticmethod
    def order(client: payorder.Client, number: int) -> None:
        client.create_order(
            amount="100.00", merchant_txn_id=f"M-{number}", order_id=f"O-{number}", pay_mode="upi", merchant_id="M-1",
            product_info=PRODUCTS.get(number % 10, "Tea"), customer_name="Asha Rao", customer_mobile="9000000001",
            customer_email="asha@example.com", redirection_url="https://shop.example/", currency_code="INR",
        )  # fmt: skip

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.before = len(self.sandbox.requests())

    def asked(self) -> list[Request]:
        """The status queries of this test."""
        return self.sandbox.requests(after=self.before)

    def check_report(self, report: Path, numbers: range) -> None:
        rows = parquet.read_table(report).to_pylist()
        self.assertEqual(
            sorted(row["order_id"] for row in rows),
            sorted(f"O-{number}" for number in numbers),
        )
        for row in rows:
            number = int(row["order_id"][2:])
            self.assertEqual(row["verdict"], VERDICTS.get(number % 10, "matched"), row)

    def check_rate(self, rate: int) -> None:
        """No second has more queries than the rate. A late one may arrive in the next second."""
        came = [datetime.fromisoformat(one.at[:-1]).timestamp() for one in self.asked()]
        crowded = [
            end - start
            for start, end in zip(came, came[rate + rate // 4 :])
            if end - start < 0.95
        ]
        self.assertEqual(crowded, [], "seconds with more queries than the rate")

    def test_two_workers_keep_the_rate_and_lose_no_order_when_one_is_killed(
        self,
    ) -> None:
        orders = self.folder / "orders.csv"
        with orders.open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["orderId", "customer", "amount"])
            writer.writerows(
                [f"O-{number}", "Asha Rao", "100.00"] for number in range(ORDERS)
            )
        report = self.folder / "report"
        workers = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
        with Cluster(**workers) as cluster, ThreadPoolExecutor(1) as thread:
            table = reconcile.read_orders(str(orders), "orderId", "amount", "2kB")
            self.assertGreater(table.npartitions, 4)
            running = thread.submit(
                reconcile.reconcile_all, cluster, table, str(report), RATE, 4
            )
            give_up = time.monotonic() + PATIENCE
            while len(self.asked()) < ORDERS // 4 and not running.done():
                self.assertLess(time.monotonic(), give_up)
                time.sleep(0.05)
            self.assertFalse(running.done(), "it was over before a worker was killed")
            os.kill(next(iter(cluster.run(os.getpid).values())), signal.SIGKILL)
            # If a worker lost its lease while it works, the next one would exceed the rate.
            with self.assertNoLogs("distributed.semaphore", "WARNING"):
                running.result(PATIENCE)
        self.check_report(report, range(ORDERS))
        self.check_rate(RATE)
        orders = {one.order_id for one in self.asked()}
        repeated = len(self.asked()) - len(orders)
        self.assertGreater(repeated, 0, "a lost partition was not asked for again")

    def test_it_runs_as_a_program_on_parquet_with_decimals(self) -> None:
        numbers = range(4, 10)
        columns = {
            "id": [f"O-{number}" for number in numbers],
            "sum": [Decimal("100.00")] * len(numbers),
        }
        parquet.write_table(pa.table(columns), self.folder / "orders.parquet")
        arguments = ["--rate", "50", "--order-column", "id", "--amount-column", "sum"]
        ended = self.program("orders.parquet", *arguments)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertIn("6 matched", ended.stdout)
        self.check_report(self.folder / "report", numbers)

    def test_order_ids_and_amounts_that_are_floats_are_refused(self) -> None:
        folder = self.folder / "orders.parquet"
        folder.mkdir()
        # If only a later file has floats, they are found when it is read.
        for rows in ([("O-4", 100.0)], [(4.0, "100.00")], [("", ""), (4.5, "")]):
            for number, (order, amount) in enumerate(rows):
                columns = {"orderId": [order], "amount": [amount]}
                parquet.write_table(pa.table(columns), folder / f"{number}.parquet")
            ended = self.program("orders.parquet", "--rate", "50")
            self.assertEqual(ended.returncode, 1)
            self.assertIn("floats", ended.stderr)
        self.assertEqual(self.asked(), [])

    def test_a_missing_value_makes_only_its_own_row_unusable(self) -> None:
        # As floats, these numbers would be other numbers.
        columns = {
            "orderId": pa.array([20261130123456781, None, 20261130123456783]),
            "amount": pa.array([9007199254740993, 100, None]),
        }
        parquet.write_table(pa.table(columns), self.folder / "orders.parquet")
        ended = self.program("orders.parquet", "--rate", "50")
        self.assertEqual(ended.returncode, 6, ended.stderr)
        rows = parquet.read_table(self.folder / "report").to_pylist()
        told = ("order_id", "expected_amount", "verdict")
        self.assertEqual(
            [tuple(row[name] for name in told) for row in rows],
            [
                ("20261130123456781", "9007199254740993", "unknown_to_service"),
                ("", "100", "unusable_row"),
                ("20261130123456783", "", "unusable_row"),
            ],
        )
        self.assertEqual(
            sorted(one.order_id for one in self.asked()),
            ["20261130123456781", "20261130123456783"],
        )

    def test_a_report_of_an_earlier_run_is_refused_and_kept(self) -> None:
        (self.folder / "orders.csv").write_text("orderId,amount\nO-4,100.00\n")
        for status in (0, 1):
            ended = self.program("orders.csv", "--rate", "50")
            self.assertEqual(ended.returncode, status, ended)
        self.assertIn("the report report exists already", ended.stderr)
        self.check_report(self.folder / "report", range(4, 5))
        self.assertEqual(len(self.asked()), 1)

    def test_a_report_with_other_rows_than_the_input_is_a_failure(self) -> None:
        orders = dd.from_pandas(pd.DataFrame({"orderId": ["O-4", "O-0"]}))
        verdicts = ["matched", "matched", "not_completed"]
        report = pd.DataFrame({"order_id": ["O-4", "O-5", "O-0"], "verdict": verdicts})
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            self.assertEqual(reconcile.summary(orders, dd.from_pandas(report)), 6)
        self.assertIn("2 rows read, 3 reported", printed.getvalue())

    def test_a_csv_file_that_could_lose_rows_is_refused_with_its_line(self) -> None:
        row = "O-{},100.00,tea\n"
        head = "orderId,amount,what\n" + row.format(4)
        for broken in (
            'O-5,100.00,"2 kg bag\n' + "".join(row.format(n) for n in range(6, 9)),
            'O-5,100.00,"2 kg bag\n' + row.format(6) + 'O-7,100.00,5"\n',
            "O-5,100.00,tea, black\n" + row.format(6),
        ):
            (self.folder / "orders.csv").write_text(head + broken)
            ended = self.program("orders.csv", "--rate", "50")
            self.assertEqual(ended.returncode, 1, ended)
            self.assertIn("orders.csv, line 3: ", ended.stderr)
        self.assertEqual(self.asked(), [])

    def test_the_exit_status_is_that_of_the_command_line(self) -> None:
        for numbers, more, status in (
            ("4 5", "2 rows read, 2 reported, 0 with", 0),
            ("4 1", "1 amount_differs", 6),
            ("4 4", "2 reported, 1 with an earlier row's order id", 6),
            ("4 1 2", "1 no_answer", 5),
        ):
            rows = "".join(f"O-{number},100.00\n" for number in numbers.split())
            (self.folder / "orders.csv").write_text("orderId,amount\n" + rows)
            shutil.rmtree(self.folder / "report", ignore_errors=True)
            ended = self.program("orders.csv", "--rate", "50")
            self.assertEqual(ended.returncode, status, ended)
            self.assertIn(more, ended.stdout)

    def program(
        self, orders: str, *arguments: str
    ) -> "subprocess.CompletedProcess[str]":
        command = [sys.executable, str(EXAMPLE / "reconcile.py"), orders, "report"]
        return subprocess.run(
            [*command, *arguments],
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )


if __name__ == "__main__":
    unittest.main()

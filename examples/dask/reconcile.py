"""Reconciles any number of orders on a Dask cluster.

The input has order ids and expected amounts, the report is in Parquet.

    python reconcile.py ORDERS.csv REPORT --rate 200 --workers 4
    python reconcile.py ORDERS.parquet REPORT --rate 200 --scheduler tcp://scheduler:8786

Each worker sends queries to the service with its own client. The settings come from the worker's
environment (PAYORDER_BASE_URL, PAYORDER_CLIENT_KEY, PAYORDER_CLIENT_ID, PAYORDER_SECRET_KEY), so
that no credential goes through the scheduler. If a worker is lost, Dask gives its partition to
another worker, which sends the queries again. This changes nothing at the service.

The exit status is 0 if all orders matched, 6 if some did not, or if the report has more or fewer
rows than the input, and 5 if some had no response.
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import sys
import time
import uuid
from dataclasses import asdict, fields
from typing import Iterator

import dask.dataframe as dd
import fsspec
import pandas as pd
from distributed import Client as Cluster
from distributed import Semaphore, get_worker
from distributed.diagnostics.plugin import WorkerPlugin

import payorder
from payorder.reconciliation import VERDICTS, Expected, Reconciled, reconcile


REPORT = pd.DataFrame(
    {field.name: pd.Series(dtype="str") for field in fields(Reconciled)}
)


class PaymentService(WorkerPlugin):
    """One client for each worker, so that its partitions share the connections."""

    name = "payorder"

    def setup(self, worker):
        self.client = payorder.Client.from_env()

    def teardown(self, worker):
        self.client.close()


class Rate:
    """One rate for all workers. It is divided into shares, and a worker needs one to send queries.

    There are never more workers with a share than shares, even if workers start and stop. A share
    is a whole number of queries per second: with 1.5, a worker could send 2 in one second.
    """

    def __init__(self, per_second: float, shares: int) -> None:
        self.shares = max(1, min(shares, int(per_second)))
        self.share = (
            float(int(per_second) // self.shares) if per_second >= 1 else per_second
        )
        self.name = f"payorder-{uuid.uuid4()}"

    @contextlib.contextmanager
    def held(self) -> Iterator[float]:
        # Created here: a semaphore that was unpickled outside of a task does not renew its lease,
        # and loses it.
        with Semaphore(max_leases=self.shares, name=self.name):
            yield self.share
            # The next worker sends at once, so the interval after the last query must pass first.
            time.sleep(1 / self.share)


INEXACT = "has floats, which are not exact: use text, whole numbers or decimals"


def float_columns(orders: pd.DataFrame | dd.DataFrame) -> list[str]:
    is_float = pd.api.types.is_float_dtype
    return [column for column, dtype in orders.dtypes.items() if is_float(dtype)]


def reconcile_partition(
    orders: pd.DataFrame, rate: Rate, concurrency: int
) -> pd.DataFrame:
    """Asks for the orders of one partition. Runs on a worker."""
    client = get_worker().plugins[PaymentService.name].client
    # The files of a folder can have other types than its first one.
    for column in float_columns(orders):
        raise ValueError(f"the column {column} of a file {INEXACT}")
    # An empty text is a row that cannot be used.
    expected = (
        Expected(*("" if pd.isna(value) else str(value) for value in row))
        for row in orders.itertuples(index=False, name=None)
    )
    with rate.held() as per_second:
        results = client.get_statuses(
            expected, concurrency=concurrency, rate_per_second=per_second
        )
        report = [asdict(reconcile(result)) for result in results]
    return pd.DataFrame(report, columns=REPORT.columns, dtype="str")


def check_csv(path: str) -> None:
    """Refuses a file in which rows could get lost: each line must be one row.

    The lines after an unclosed quote would become part of its field. And partitions begin at line
    breaks, so a field must not contain one.
    """
    for file in fsspec.open_files(path, "rt", encoding="utf-8-sig", newline=""):
        with file as lines:
            rows = csv.reader(lines, strict=True)
            line, width = 1, None
            try:
                for row in rows:
                    width = width or len(row)
                    if rows.line_num > line or (row and len(row) != width):
                        raise csv.Error("not one row with one field for each column")
                    line += 1
            except csv.Error as error:
                raise SystemExit(f"{path}, line {line}: {error}") from None


def check_report(path: str) -> None:
    """Refuses a folder with an earlier report: some of its files could stay in the new one."""
    files, _, (folder,) = fsspec.get_fs_token_paths(path)
    if files.find(folder):
        raise SystemExit(
            f"the report {path} exists already: name another folder, or remove it"
        )


def read_orders(
    path: str, order_column: str, amount_column: str, block: str
) -> dd.DataFrame:
    """The two columns, in partitions of about this size. No value is ever a float."""
    columns = [order_column, amount_column]
    if path.endswith(".parquet"):
        # Without Arrow's types, one missing value makes floats of all whole numbers.
        orders = dd.read_parquet(
            path, columns=columns, blocksize=block, dtype_backend="pyarrow"
        )
        for column in float_columns(orders):
            raise SystemExit(f"the column {column} of {path} {INEXACT}")
        return orders
    check_csv(path)
    return dd.read_csv(
        path, usecols=columns, dtype=str, keep_default_na=False, blocksize=block
    )[columns]


def reconcile_all(
    cluster: Cluster,
    orders: dd.DataFrame,
    report: str,
    per_second: float,
    concurrency: int,
) -> None:
    """Writes the report: a folder with one Parquet file for each partition.

    If a partition is computed again, it writes the same file again.
    """
    cluster.register_plugin(PaymentService())
    rate = Rate(per_second, len(cluster.scheduler_info(n_workers=-1)["workers"]))
    orders.map_partitions(
        reconcile_partition, rate, concurrency, meta=REPORT
    ).to_parquet(report, write_index=False)


#: The options, each with its default and its meaning.
OPTIONS = (
    ("--concurrency", 16, "queries at a time for each worker"),
    ("--order-column", "orderId", "the column of order ids"),
    ("--amount-column", "amount", "the column of amounts"),
    ("--block", "1MB", "the size of a partition; a lost worker costs one"),
    ("--scheduler", None, "a running cluster, such as tcp://scheduler:8786"),
    ("--workers", 2, "without --scheduler: processes on this machine"),
)


def main() -> int:
    parser = argparse.ArgumentParser(
        description="Reconciles orders on a Dask cluster.",
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    parser.add_argument(
        "orders",
        help="a .parquet or .csv file with a column of order ids and one of amounts",
    )
    parser.add_argument("report", help="the folder for the report, in Parquet")
    rate = "queries per second, for all workers together"
    parser.add_argument("--rate", type=float, required=True, help=rate)
    for name, default, meaning in OPTIONS:
        kind = type(default or "")
        parser.add_argument(name, type=kind, default=default, help=meaning)
    given = parser.parse_args()

    check_report(given.report)
    orders = read_orders(
        given.orders, given.order_column, given.amount_column, given.block
    )
    # Each worker has one partition at a time: its client sends many queries at once.
    local = {
        "n_workers": given.workers,
        "threads_per_worker": 1,
        "dashboard_address": None,
    }
    with Cluster(given.scheduler, **({} if given.scheduler else local)) as cluster:
        reconcile_all(cluster, orders, given.report, given.rate, given.concurrency)
    return summary(orders, dd.read_parquet(given.report))


def summary(orders: dd.DataFrame, report: dd.DataFrame) -> int:
    """Prints the figures, and returns the exit status."""
    counts = report["verdict"].value_counts().compute(scheduler="sync")
    for verdict, count in counts.items():
        print(f"{count:>10} {verdict} ({VERDICTS[verdict]})")
    rows, reported = len(orders), int(counts.sum())
    repeated = reported - report["order_id"].nunique().compute(scheduler="sync")
    print(
        f"{rows:>10} rows read, {reported} reported, {repeated} with an earlier row's order id"
    )
    if "no_answer" in counts.index:
        return 5
    return 0 if counts.get("matched", 0) == rows == reported and not repeated else 6


if __name__ == "__main__":
    sys.exit(main())

"""What a type checker refuses before the program runs."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from .support import PYTHONPATH

#: The lines with `# refused` must be refused, and no others.
PROGRAM = """
import payorder
from payorder import aio

async def sell(client: payorder.Client, shop: aio.AsyncClient, order: payorder.OrderFields) -> None:
    client.create_order(**order, timeout=20)
    client.create_order({"orderId": "ORD-1"}, resend=True)
    client.create_order(amount="1.00", order_id="ORD-1")  # refused
    payorder.build_create_order(amount="1.00")  # refused
    await shop.create_order(**order)
    await shop.create_order(order_id="ORD-1")  # refused
    await shop.get_status("ORD-1", timeout=5)
    await shop.get_status("ORD-1", timeout="5")  # refused
    shop.journal.list(state="unknwon")  # refused
    (await shop.journal.settle(1, note="paid in cash")).order_id
    shop.set_credentials(token="T")  # refused
    results = [result.query.upper() async for result in shop.get_statuses(["ORD-1"])]
    client.create_order(**order, client_key="k")  # refused
    order["pay_mode"] = "upi"
    order["pay_mode"] = "cash"  # refused
    client.journal.list(state="unresolved")
    client.journal.list(state="unknwon")  # refused
    payorder.Client.from_env(timeout=5, journal="orders.db")
    payorder.Client.from_env(time_out=5)  # refused
    aio.AsyncClient.from_env(time_out=5)  # refused
    use(client)

def use(client: payorder.PaymentClient) -> payorder.Status:
    return client.get_status("ORD-1")
"""


@unittest.skipUnless(importlib.util.find_spec("mypy"), "needs mypy")
class Types(unittest.TestCase):
    def test_a_missing_field_and_a_misspelt_name_are_refused(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "shop.py")
            file.write_text(PROGRAM, encoding="utf-8")
            checked = subprocess.run(
                [sys.executable, "-m", "mypy", "--config-file=", "--strict", str(file)],
                env={**os.environ, "MYPYPATH": PYTHONPATH},
                cwd=folder,
                stdout=subprocess.PIPE,
                universal_newlines=True,
            )
        refused = {int(line) for line in re.findall(r":(\d+): error", checked.stdout)}
        lines = enumerate(PROGRAM.splitlines(), 1)
        expected = {number for number, line in lines if line.endswith("# refused")}
        self.assertEqual(refused, expected, checked.stdout)


if __name__ == "__main__":
    unittest.main()

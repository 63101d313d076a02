"""The programs in README.md run unchanged, except for the service's address."""

from __future__ import annotations

import importlib.util
import logging
import os
import re
import subprocess
import sys
import tempfile
import unittest
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, Dict, List
from unittest import mock

from .support import (
    CHECKOUT_URL,
    CREDENTIALS,
    PACKAGE_FOLDER,
    PROJECT,
    PYTHONPATH,
    CountedTestCase,
    Service,
)

README = PACKAGE_FOLDER / "README.md"
DOCUMENTS = [PROJECT / name for name in ("README.md", "docs/guides/payment.md")]
#: tests/repository/pages.rs runs their programs against the sandbox.
GUIDES = sorted((PROJECT / "docs" / "guides").glob("*.md"))


def programs(document: Path) -> List[str]:
    text = document.read_text(encoding="utf-8")
    return re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def said(document: Path, **data: str) -> List[str]:
    """The output of the programs, run one after the other, if each order is paid like this."""
    lines: List[str] = []
    names: Dict[str, Any] = {"print": lambda *words: lines.append(" ".join(map(str, words)))}
    now = datetime.now(timezone.utc).strftime("%m/%d/%Y %I:%M:%S %p")
    data = {"transactionDate": now, **data}
    # The package's README first asks by the transaction, and the service says of which order.
    first = {"orderId": "ORD-1", **data} if document == README else data
    with tempfile.TemporaryDirectory() as folder:
        with Service(status=[{"found": first}, {"found": data}]) as service:
            settings = {"PAYORDER_BASE_URL": service.url}
            for name, value in CREDENTIALS.items():
                settings[f"PAYORDER_{name.upper()}"] = value
            with mock.patch.object(logging, "basicConfig"), mock.patch.dict(os.environ, settings):
                for program in programs(document):
                    program = program.replace("https://pay.example.com", service.url)
                    program = re.sub('"[a-z-]+\\.db"', f'"{folder}/orders.db"', program)
                    exec(compile(program, str(document), "exec"), names)
    return lines


class Readme(CountedTestCase):
    def test_its_programs_run_one_after_the_other(self) -> None:
        lines = said(README)
        for line in (
            f"send the customer to {CHECKOUT_URL}",
            "Completed True",
            "ORD-1 matched ",
            "ORD-2 amount_differs amount is 100.00",
        ):
            self.assertTrue([one for one in lines if line in one], (line, lines))

    def test_no_example_calls_an_unexpected_payment_paid(self) -> None:
        for document in (README, *DOCUMENTS):
            for data in (
                {},
                {"amount": "1.00"},
                {"refundStatus": "Refunded"},
                {"transactionDate": "01/31/2020 02:05:06 PM"},
            ):
                with self.subTest(document=document, **data):
                    paid = [one for one in said(document, **data) if "paid" in one[:4]]
                    self.assertEqual(bool(paid), not data, paid)


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


#: docs/guides/telemetry.md has a program with OpenTelemetry.
NEEDED = [name for name in ("mypy", "opentelemetry") if not importlib.util.find_spec(name)]


@unittest.skipIf(NEEDED, f"needs {NEEDED}")
class Types(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def errors(self, files: Path) -> str:
        """What a type checker says of the programs in a folder."""
        mypy = [sys.executable, "-m", "mypy", "--config-file="]
        cache = f"--cache-dir={self.folder}/cache"
        checked = subprocess.run(
            [*mypy, cache, "--strict", str(files)],
            env={**os.environ, "MYPYPATH": f"{PYTHONPATH}{os.pathsep}{files}"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            universal_newlines=True,
        )
        return checked.stdout if checked.returncode else ""

    def test_the_programs_pass_mypy(self) -> None:
        texts = {README: ["\n".join(programs(README))]}
        # These programs do not depend on each other, but one may import another.
        texts.update((document, programs(document)) for document in DOCUMENTS + GUIDES)
        for number, (document, given) in enumerate(texts.items()):
            files = self.folder / str(number)
            files.mkdir()
            for index, text in enumerate(given):
                named = re.match(r"# (\w+\.py)\n", text)
                file = files / (named[1] if named else f"program_{index}.py")
                if "import payorder" in text or "from payorder" in text:
                    file.write_text(text, encoding="utf-8")
            if list(files.iterdir()):
                self.assertEqual(self.errors(files), "", document)

    def test_a_missing_field_and_a_misspelt_name_are_refused(self) -> None:
        (self.folder / "shop.py").write_text(PROGRAM, encoding="utf-8")
        errors = self.errors(self.folder)
        refused = {int(line) for line in re.findall(r":(\d+): error", errors)}
        lines = enumerate(PROGRAM.splitlines(), 1)
        expected = {number for number, line in lines if line.endswith("# refused")}
        self.assertEqual(refused, expected, errors)

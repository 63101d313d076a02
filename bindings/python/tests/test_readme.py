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
    names: Dict[str, Any] = {
        "print": lambda *words: lines.append(" ".join(map(str, words))),
    }
    # The package's README first asks by the transaction, and the service says of which order.
    first = {"orderId": "ORD-1", **data} if document == README else data
    with tempfile.TemporaryDirectory() as folder:
        with Service(status=[{"found": first}, {"found": data}]) as service:
            settings = {"PAYORDER_BASE_URL": service.url}
            for name, value in CREDENTIALS.items():
                settings[f"PAYORDER_{name.upper()}"] = value
            with mock.patch.object(logging, "basicConfig"), mock.patch.dict(
                os.environ, settings
            ):
                for program in programs(document):
                    program = program.replace("https://pay.example.com", service.url)
                    program = program.replace("till-orders.db", f"{folder}/orders.db")
                    exec(compile(program, str(document), "exec"), names)
    return lines


class Readme(CountedTestCase):
    def test_its_programs_run_one_after_the_other(self) -> None:
        lines = said(README)
        for line in (
            f"send the customer to {CHECKOUT_URL}",
            "merchant_txn_id is missing",
            "customer_email is missing",
            '{"searchType":"1","orderId":"ORD-3"}',
            "paid after 1 queries",
            "100 asked, {'Completed': 100}",
            "1 known, 0 still unresolved",
            "Completed True",
            "Completed in the test",
            "True without a service",
            "ORD-1 matched ",
            "ORD-2 amount_differs amount is 100.00",
        ):
            self.assertTrue([one for one in lines if line in one], (line, lines))

    def test_no_example_calls_an_unexpected_payment_paid(self) -> None:
        for document in (README, *DOCUMENTS):
            for data in ({}, {"amount": "1.00"}, {"refundStatus": "Refunded"}):
                with self.subTest(document=document, **data):
                    paid = [one for one in said(document, **data) if "paid" in one[:4]]
                    self.assertEqual(bool(paid), not data, paid)


@unittest.skipUnless(importlib.util.find_spec("mypy"), "needs mypy")
class Types(unittest.TestCase):
    def test_the_programs_pass_mypy(self) -> None:
        texts = {README: ["\n".join(programs(README))]}
        # These programs do not depend on each other, but one may import another.
        texts.update((document, programs(document)) for document in DOCUMENTS + GUIDES)
        with tempfile.TemporaryDirectory() as folder:
            for number, (document, given) in enumerate(texts.items()):
                files = Path(folder, str(number))
                files.mkdir()
                for index, text in enumerate(given):
                    named = re.match(r"# (\w+\.py)\n", text)
                    file = files / (named[1] if named else f"program_{index}.py")
                    if "import payorder" in text or "from payorder" in text:
                        file.write_text(text, encoding="utf-8")
                if list(files.iterdir()):
                    self.check(files, Path(folder, "cache"), document)

    def check(self, files: Path, cache: Path, document: Path) -> None:
        mypy = [sys.executable, "-m", "mypy", "--config-file=", f"--cache-dir={cache}"]
        checked = subprocess.run(
            [*mypy, "--strict", str(files)],
            env={**os.environ, "MYPYPATH": f"{PYTHONPATH}{os.pathsep}{files}"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        found = f"{document}: {checked.stdout.decode()}"
        self.assertEqual(checked.returncode, 0, found)

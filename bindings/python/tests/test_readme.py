"""The programs in README.md run unchanged, except for the service's address."""

from __future__ import annotations

import importlib.util
import json
import logging
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any, Callable, Dict, List
from unittest import mock

from .counted import CountedTestCase
from .program import PACKAGE_FOLDER, PYTHONPATH
from .sandbox import program
from .service import CHECKOUT_URL, CREATED, STATUS, Request, Service

README = PACKAGE_FOLDER / "README.md"
#: Does not exist in an unpacked sdist.
DOCUMENTS = [
    PACKAGE_FOLDER.parents[1] / name
    for name in ("README.md", "docs/guides/payment.md")
    if (PACKAGE_FOLDER.parents[1] / "Cargo.toml").is_file()
]
#: tests/repository/pages.rs runs their programs against the sandbox.
GUIDES = sorted((PACKAGE_FOLDER.parents[1] / "docs" / "guides").glob("*.md"))

CREDENTIALS_IN_ENVIRONMENT = {
    "PAYORDER_ACCESS_TOKEN": "token",
    "PAYORDER_CLIENT_KEY": "key",
    "PAYORDER_CLIENT_ID": "id",
    "PAYORDER_SECRET_KEY": "secret",
}


def answer(request: Request) -> Dict[str, Any]:
    if request.path.endswith("CreateOrder"):
        return CREATED
    asked = json.loads(request.body)["orderId"]
    return {**STATUS, "data": {**STATUS["data"], "orderId": asked}} if asked else STATUS


def programs(readme: Path) -> List[str]:
    return re.findall(
        r"^```python\n(.*?)^```",
        readme.read_text(encoding="utf-8"),
        re.DOTALL | re.MULTILINE,
    )


def paid_otherwise(**data: str) -> Callable[[Request], Dict[str, Any]]:
    """A service at which every payment is completed, but not as expected."""

    def answered(request: Request) -> Dict[str, Any]:
        status = answer(request)
        return {**status, "data": {**status["data"], **data}}

    return answered


def setUpModule() -> None:
    program()


class Readme(CountedTestCase):
    def test_its_programs_run_one_after_the_other(self) -> None:
        said = self.said(README, answer)
        self.assertIn(f"send the customer to {CHECKOUT_URL}", said)
        self.assertIn("paid on 2026-11-21 14:05:06", said)
        for missing in ("merchant_txn_id", "customer_email", "currency_code"):
            self.assertTrue(
                any(missing in line and not line.startswith("{") for line in said), said
            )
        self.assertIn('{"searchType":"1","orderId":"ORD-3"}', said)
        self.assertIn("paid after 1 queries", said)
        self.assertIn("100 asked, {'Completed': 100}", said)
        self.assertIn("1 known, 0 still unresolved", said)
        self.assertIn("Completed True", said)
        self.assertIn("Completed in the test", said)
        self.assertIn("True without a service", said)
        self.assertIn("ORD-1 matched ", said)
        self.assertIn("ORD-2 amount_differs amount is 100.00", said)

    def test_no_example_calls_an_unexpected_payment_paid(self) -> None:
        readmes = [README, *DOCUMENTS]
        for readme in readmes:
            self.assertTrue(
                any(line.startswith("paid") for line in self.said(readme, answer)),
                "an example that shows a payment",
            )
            for data in ({"amount": "1.00"}, {"refundStatus": "Refunded"}):
                with self.subTest(readme=readme, **data):
                    said = self.said(readme, paid_otherwise(**data))
                    self.assertEqual(
                        [one for one in said if one.startswith("paid")], []
                    )

    def said(self, readme: Path, answer: Callable[[Request], Any]) -> List[str]:
        """The output of the programs, run one after the other in the same process."""
        said: List[str] = []
        names: Dict[str, Any] = {
            "said": said,
            "print": lambda *words: said.append(" ".join(map(str, words))),
        }
        with tempfile.TemporaryDirectory() as folder, Service(answer) as service:
            settings = {"PAYORDER_BASE_URL": service.url, **CREDENTIALS_IN_ENVIRONMENT}
            with mock.patch.object(logging, "basicConfig"), mock.patch.dict(
                os.environ, settings
            ):
                for program in programs(readme):
                    program = program.replace("https://pay.example.com", service.url)
                    program = program.replace("till-orders.db", f"{folder}/orders.db")
                    exec(compile(program, str(readme), "exec"), names)
        return said

    @unittest.skipUnless(importlib.util.find_spec("mypy"), "needs mypy")
    def test_the_programs_pass_mypy(self) -> None:
        self.check_types(["\n".join(programs(README))], README)
        for document in [*DOCUMENTS, *GUIDES]:
            # These programs do not depend on each other, but one may import another.
            self.check_types(programs(document), document)

    def check_types(self, texts: List[str], document: Path) -> None:
        with tempfile.TemporaryDirectory() as folder:
            files = []
            for number, text in enumerate(texts):
                named = re.match(r"# (\w+\.py)\n", text)
                name = named[1] if named else f"program_{number}.py"
                files.append(Path(folder, name))
                files[-1].write_text(text, encoding="utf-8")
            if files:
                self.check_files(files, document)

    def check_files(self, files: List[Path], document: Path) -> None:
        path = os.pathsep.join([PYTHONPATH, str(files[0].parent)])
        checked = subprocess.run(
            [
                sys.executable,
                "-m",
                "mypy",
                "--config-file=",
                "--no-incremental",
                "--strict",
                *map(str, files),
            ],
            env={**os.environ, "MYPYPATH": path},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        self.assertEqual(
            checked.returncode, 0, f"{document}: {checked.stdout.decode()}"
        )


if __name__ == "__main__":
    unittest.main()

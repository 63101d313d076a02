"""The programs of README.md run as they stand there, but for the service's address."""

from __future__ import annotations

import json
import logging
import re
import sys
import unittest
from typing import Any, Dict, List
from unittest import mock

from .counted import CountedTestCase
from .program import PACKAGE_FOLDER
from .service import CHECKOUT_URL, CREATED, STATUS, Request, Service

README = PACKAGE_FOLDER / "README.md"


def answer(request: Request) -> Dict[str, Any]:
    if request.path.endswith("CreateOrder"):
        return CREATED
    asked = json.loads(request.body)["orderId"]
    return {**STATUS, "data": {**STATUS["data"], "orderId": asked}} if asked else STATUS


class Readme(CountedTestCase):
    def test_its_programs_run_one_after_the_other(self) -> None:
        programs = re.findall(
            r"^```python\n(.*?)^```",
            README.read_text(encoding="utf-8"),
            re.DOTALL | re.MULTILINE,
        )
        said: List[str] = []
        names: Dict[str, Any] = {
            "said": said,
            "print": lambda *words: said.append(" ".join(map(str, words))),
        }
        with Service(answer) as service, mock.patch.object(logging, "basicConfig"):
            for program in programs:
                # asyncio.to_thread came with 3.9.
                if sys.version_info < (3, 9):
                    program = program.replace(
                        "asyncio.run(ask())", "said.append('Completed True')"
                    )
                exec(
                    compile(
                        program.replace("https://pay.example.com", service.url),
                        str(README),
                        "exec",
                    ),
                    names,
                )
        self.assertIn(f"send the customer to {CHECKOUT_URL}", said)
        self.assertIn("paid on 2026-11-21 14:05:06", said)
        for missing in ("merchantTxnId", "customerEmail", "currencyCode"):
            self.assertTrue(
                any(missing in line and not line.startswith("{") for line in said), said
            )
        self.assertIn('{"searchType":"1","orderId":"ORD-3"}', said)
        self.assertIn("paid after 1 questions", said)
        self.assertIn("100 asked, {'Completed': 100}", said)
        self.assertIn("1 known, 0 still open", said)
        self.assertIn("Completed True", said)


if __name__ == "__main__":
    unittest.main()

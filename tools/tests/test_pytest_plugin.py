"""The plugin of pytest, in a run of pytest itself."""

from __future__ import annotations

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

from .commands import python_with
from .support import LIBRARY, ORDER, PYTHONPATH, program

TESTS = f"""
import payorder
import pytest

ORDER = {ORDER!r}
seen = []

@pytest.mark.parametrize("time", [1, 2])
def test_an_order_is_paid(payorder_sandbox, time):
    assert (payorder_sandbox.orders(), payorder_sandbox.requests()) == ([], [])
    assert payorder_sandbox.fault_rules() == []
    with payorder_sandbox.client() as client:
        client.create_order(**ORDER)
        payorder_sandbox.pay("ORD-1")
        assert client.get_status(order_id="ORD-1").completed
    payorder_sandbox.fault("create:*:reject")
    seen.append(payorder_sandbox.base_url)

def test_they_had_the_same_process(payorder_sandbox_session):
    assert seen == [payorder_sandbox_session.base_url] * 2

def test_a_failure_is_a_failure(payorder_sandbox):
    assert payorder_sandbox.orders() != []
"""


class Plugin(unittest.TestCase):
    def test_each_test_has_an_empty_sandbox_of_the_same_process(self) -> None:
        python, sandbox = python_with("pytest"), program()
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "test_shop.py").write_text(TESTS, encoding="utf-8")
            ended = subprocess.run(
                # An installed package needs no -p.
                [
                    python,
                    "-m",
                    "pytest",
                    "-p",
                    "payorder_tools.pytest_plugin",
                    "-q",
                    folder,
                ],
                env={
                    **os.environ,
                    "PYTHONPATH": PYTHONPATH,
                    "PAYORDER_LIBRARY": str(LIBRARY),
                    "PAYORDER_SANDBOX": str(sandbox),
                    "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
                },
                cwd=folder,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                universal_newlines=True,
                timeout=300,
            )
        self.assertIn("1 failed, 3 passed", ended.stdout)
        self.assertIn("FAILED test_shop.py::test_a_failure_is_a_failure", ended.stdout)


if __name__ == "__main__":
    unittest.main()

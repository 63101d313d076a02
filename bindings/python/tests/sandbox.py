"""The project's sandbox of the service, in a process of its own."""

from __future__ import annotations

import os
import unittest
from pathlib import Path
from typing import Any, Dict

from payorder_tools import testing
from payorder_tools.testing.program import program as find_program

CREDENTIALS: Dict[str, Any] = {
    "access_token": "sandbox-access-token",
    "client_key": "sandbox-client-key",
    "client_id": "sandbox-client-id",
    "secret_key": "sandbox-secret-key",
}


def program() -> Path:
    """The sandbox's program. Skips the test if there is none."""
    try:
        return find_program()
    except testing.SandboxError as error:
        if os.environ.get("PAYORDER_TESTS_WANT_ALL"):
            raise
        raise unittest.SkipTest(str(error)) from None


class Sandbox(testing.Sandbox):
    """A running sandbox; `url` is its address."""

    def __init__(self) -> None:
        program()
        super().__init__()
        self.url = self.base_url

    def __enter__(self) -> Sandbox:
        return self

    def press(self, button: str, number: int = 1) -> None:
        """Presses "pay", "fail" or "cancel" for the order with this number."""
        self._press(self.orders()[number - 1].order_id, button)

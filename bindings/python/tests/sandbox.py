"""The project's sandbox of the service, in a process of its own."""

from __future__ import annotations

import http.client
import os
import re
import subprocess
import unittest
from pathlib import Path
from types import TracebackType
from typing import Any, Dict, Optional, Type

from .program import LIBRARY
from .service import PATIENCE

CREDENTIALS: Dict[str, Any] = {
    "access_token": "sandbox-access-token",
    "client_key": "sandbox-client-key",
    "client_id": "sandbox-client-id",
    "secret_key": "sandbox-secret-key",
}


def program() -> Path:
    """The sandbox's binary, in the folder of the library. Skips the test if there is none."""
    for folder in (LIBRARY.parent, LIBRARY.parent.parent):
        found = folder / "examples" / "sandbox"
        if found.is_file():
            return found
    if os.environ.get("PAYORDER_TESTS_WANT_ALL"):
        raise AssertionError("the sandbox is not built: cargo build --example sandbox")
    raise unittest.SkipTest("the sandbox is not built: cargo build --example sandbox")


class Sandbox:
    """A running sandbox; `url` is its address."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [str(program())], stdout=subprocess.PIPE, universal_newlines=True
        )
        assert self._process.stdout is not None
        found = re.search(r"listens at (http://[^ ]+)", self._process.stdout.readline())
        assert found is not None
        self.url = found[1]
        # The sandbox's log goes to a pipe, which must not fill up.
        self._draining = subprocess.Popen(
            ["cat"], stdin=self._process.stdout, stdout=subprocess.DEVNULL
        )

    def press(self, button: str, number: int = 1) -> None:
        """Presses "pay", "fail" or "cancel" on the checkout page of the order with this number."""
        # Without following the redirect, which leads back to the shop.
        connection = http.client.HTTPConnection(
            self.url.partition("//")[2], timeout=PATIENCE
        )
        connection.request("POST", f"/checkout/{number}/{button}")
        connection.getresponse().read()
        connection.close()

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self._process.kill()
        self._process.wait()
        self._draining.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()

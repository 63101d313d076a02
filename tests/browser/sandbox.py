"""The sandbox, running."""

from __future__ import annotations

import os
import re
import subprocess
import threading
from typing import Any, Dict, List

CREDENTIALS: Dict[str, Any] = {
    "access_token": "sandbox-access-token",
    "client_key": "sandbox-client-key",
    "client_id": "sandbox-client-id",
    "secret_key": "sandbox-secret-key",
}


class Sandbox:
    """A sandbox in its own process; `stop` ends it."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [os.environ["PAYORDER_SANDBOX"]], stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout is not None
        first = self._process.stdout.readline()
        self._log: List[str] = []
        self._reading = threading.Thread(
            target=self._log.extend, args=(self._process.stdout,)
        )
        self._reading.start()
        listens = re.search(r" listens at (\S+) ", first)
        if listens is None:
            self.stop()
            raise RuntimeError(f"the sandbox did not start: {first!r}")
        self.base_url = listens[1]

    def presses(self, checkout_url: str, button: str) -> int:
        """How often the service received a press of this button of a checkout page."""
        path = checkout_url[len(self.base_url) :]
        return sum(f" POST {path}/{button} " in line for line in list(self._log))

    def stop(self) -> None:
        self._process.terminate()
        self._reading.join()
        assert self._process.stdout is not None
        self._process.stdout.close()
        self._process.wait()

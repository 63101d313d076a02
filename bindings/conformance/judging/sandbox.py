"""The project's sandbox of the service, in a process of its own."""

from __future__ import annotations

import http.client
import os
import re
import subprocess
import threading
from pathlib import Path
from typing import List, Optional

PROJECT = Path(__file__).resolve().parents[3]


class NoSandbox(Exception):
    """The sandbox was not found, or did not start."""


def find(given: Optional[str]) -> str:
    """The sandbox's program: the given one, or one that cargo built."""
    given = given or os.environ.get("PAYORDER_SANDBOX")
    if given:
        return given
    folders: List[Path] = []
    library = os.environ.get("PAYORDER_LIBRARY")
    if library:
        folders += list(Path(library).absolute().parents[:2])
    target = Path(os.environ.get("CARGO_TARGET_DIR", PROJECT / "target"))
    folders += [target / "debug", target / "release"]
    for folder in folders:
        found = folder / "examples" / "sandbox"
        if found.is_file():
            return str(found)
    raise NoSandbox("the sandbox is not built: cargo build --example sandbox")


class Sandbox:
    """A running sandbox; `address` is its host and port.

    Either a program to start, or the URL of a sandbox that runs already.
    """

    def __init__(self, program: str) -> None:
        self._process: Optional["subprocess.Popen[str]"] = None
        if program.startswith("http://"):
            self.address = program.partition("//")[2]
            return
        try:
            self._process = subprocess.Popen(
                [program], stdout=subprocess.PIPE, universal_newlines=True
            )
        except OSError as error:
            raise NoSandbox(f"the sandbox does not start: {error}") from None
        assert self._process.stdout is not None
        found = re.search(r"listens at http://([^ ]+)", self._process.stdout.readline())
        if found is None:
            raise NoSandbox(f"{program} did not start")
        self.address = found[1]
        # The sandbox's log goes to a pipe, which must not fill up.
        threading.Thread(target=self._process.stdout.read, daemon=True).start()

    def press(self, url: str, button: str) -> None:
        """Presses "pay", "fail" or "cancel" on a checkout page."""
        connection = http.client.HTTPConnection(self.address, timeout=30)
        connection.request("POST", f"/checkout/{url.rpartition('/')[2]}/{button}")
        status = connection.getresponse().status
        connection.close()
        if status != 303:
            raise ValueError(f"the button {button} of {url} answered {status}")

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()

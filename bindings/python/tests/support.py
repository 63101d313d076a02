"""What the tests share: the service of the conformance suite, clients of it, and programs."""

from __future__ import annotations

import contextlib
import gc
import os
import subprocess
import sys
import textwrap
import time
import unittest
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Tuple

import payorder
import payorder_tools
from payorder import _running
from payorder._library import library
from payorder._text import wire_name
from payorder_tools import testing
from payorder_tools.testing.program import program as find_program

#: The folder that contains the package.
PACKAGE_FOLDER = Path(payorder.__file__).resolve().parents[1]
#: The folder that contains the package of the command line and the sandbox.
TOOLS_FOLDER = Path(payorder_tools.__file__).resolve().parents[1]
#: The checkout.
PROJECT = PACKAGE_FOLDER.parents[1]
CONFORMANCE = PROJECT / "bindings" / "conformance"
#: For programs that import both packages, and these tests.
PYTHONPATH = os.pathsep.join(map(str, (PACKAGE_FOLDER, TOOLS_FOLDER, CONFORMANCE)))
#: The shared library that these tests run against.
LIBRARY = Path(library._name)

sys.path.append(str(CONFORMANCE))
from judging import service  # noqa: E402
from judging.service import closed_address as closed_address  # noqa: E402
from judging.responses import FOUND  # noqa: E402

ORDER: Dict[str, Any] = {
    "amount": "100.00",
    "merchant_txn_id": "MTX-1",
    "order_id": "ORD-1",
    "pay_mode": "all",
    "merchant_id": "M-1",
    "product_info": "Tea",
    "customer_name": "Asha Rao",
    "customer_mobile": "9000000001",
    "customer_email": "asha@example.com",
    "redirection_url": "https://shop.example.com/return",
    "currency_code": "INR",
}
#: The same order as it is sent, in the interface's order.
WIRE_ORDER: Dict[str, Any] = {wire_name(key): value for key, value in ORDER.items()}
CREDENTIALS: Dict[str, Any] = {
    "access_token": "sandbox-access-token",
    "client_key": "sandbox-client-key",
    "client_id": "sandbox-client-id",
    "secret_key": "sandbox-secret-key",
}
CHECKOUT_URL = "https://checkout.example.com/pay/ORD-1"
CREATED: Dict[str, Any] = {
    "responseCode": "200",
    "responseMessage": "Success",
    "data": {"url": CHECKOUT_URL},
}
STATUS: Dict[str, Any] = {**CREATED, "data": {**FOUND, "orderId": "ORD-1"}}
#: A response that is never sent, if nobody calls `release`.
HELD: Mapping[str, Any] = {"json": CREATED, "hold": True}

#: CI sets the variable, and repeats trials more often than a plain `cargo test`.
WANTS_ALL = bool(os.environ.get("PAYORDER_TESTS_WANT_ALL"))
#: Seconds: enough for a busy machine, and few enough to notice a hang.
PATIENCE = 30.0 * float(os.environ.get("PAYORDER_TEST_PATIENCE", "1"))


def order(number: int, product: str = "Tea") -> Dict[str, Any]:
    ids = {"order_id": f"ORD-{number}", "merchant_txn_id": f"MTX-{number}"}
    return {**ORDER, **ids, "product_info": product}


class Service(service.Service):
    """A service with the responses of a scenario; `url` is its address."""

    def __init__(self, **script: Any) -> None:
        usual: Dict[str, Any] = {"create": [{"created": {}}], "status": [{"found": {}}]}
        super().__init__({**usual, **script})
        self.url = f"http://{self.address}"

    def __enter__(self) -> Service:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def received(self, count: int = 1) -> bool:
        """Waits until so many requests have arrived."""
        return self.wait_for_requests(count, PATIENCE)

    def bodies(self) -> List[Any]:
        return [one.body() for one in self.requests]


@contextlib.contextmanager
def served(
    settings: Optional[Mapping[str, Any]] = None, **script: Any
) -> Iterator[Tuple[Service, payorder.Client]]:
    """A service, and a client of it."""
    given = {"proxy": "none", "timeout": PATIENCE, **CREDENTIALS, **(settings or {})}
    with Service(**script) as found, payorder.Client(found.url, **given) as client:
        yield found, client


class Forgetting(List[Any]):
    """Stores no request, for tests of the memory."""

    def append(self, request: Any) -> None:
        pass


def program() -> Path:
    """The sandbox's program. Skips the test if there is none."""
    try:
        return find_program()
    except testing.SandboxError as error:
        if WANTS_ALL:
            raise
        raise unittest.SkipTest(str(error)) from None


class Sandbox(testing.Sandbox):
    """The project's sandbox; `url` is its address."""

    def __init__(self) -> None:
        program()
        super().__init__()
        self.url = self.base_url

    def __enter__(self) -> Sandbox:
        return self

    def press(self, button: str, number: int = 1) -> None:
        """Presses "pay", "fail" or "cancel" for the order with this number."""
        self._press(self.orders()[number - 1].order_id, button)


def eventually(true: Callable[[], bool]) -> bool:
    """Waits for something that happens in another thread."""
    give_up = time.monotonic() + PATIENCE
    while not true() and time.monotonic() < give_up:
        time.sleep(0.01)
    return true()


class CountedTestCase(unittest.TestCase):
    """Fails if a call still runs after a test, or a client or string was not freed."""

    def tearDown(self) -> None:
        def nothing_left() -> bool:
            gc.collect()
            return not _running._calls and not live()

        # A thread for many statuses may still be ending.
        eventually(nothing_left)
        self.assertEqual(_running._calls, {}, "calls that still run")
        self.assertEqual(live(), {}, "objects that were not freed")


def live() -> Dict[str, int]:
    """What the library counts as live."""
    counts = {
        "clients": library.payorder_live_clients(),
        "strings": library.payorder_live_strings(),
    }
    return {name: count for name, count in counts.items() if count}


def run(
    program: str,
    *arguments: str,
    folder: Path = PACKAGE_FOLDER,
    library_variable: Optional[str] = str(LIBRARY),
) -> "subprocess.CompletedProcess[str]":
    """Runs a program with the package of `folder`, which may be an archive. None unsets PAYORDER_LIBRARY."""
    path = os.pathsep.join([str(folder), PYTHONPATH])
    environment: Dict[str, str] = {**os.environ, "PYTHONPATH": path}
    environment.pop("PAYORDER_LIBRARY", None)
    if library_variable is not None:
        environment["PAYORDER_LIBRARY"] = library_variable
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program), *arguments],
        env=environment,
        # Python searches the working folder for modules before PYTHONPATH.
        cwd=str(folder if folder.is_dir() else folder.parent),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        universal_newlines=True,
        timeout=600,
    )

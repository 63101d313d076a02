"""What the tests of the client for asyncio share."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import subprocess
import tempfile
import threading
import time
import unittest
from pathlib import Path
from typing import (
    Any,
    AsyncIterator,
    Awaitable,
    Callable,
    Dict,
    List,
    Optional,
    Tuple,
)

import payorder
from payorder import aio

from .counted import CountedTestCase
from .program import run
from .sandbox import CREDENTIALS as OF_SANDBOX, Sandbox
from .service import (
    CREATED,
    CREDENTIALS,
    ORDER,
    PATIENCE,
    Request,
    hold,
    raw_service,
    read_request,
)


def order(number: int, product: str = "Tea") -> Dict[str, Any]:
    return {
        **ORDER,
        "order_id": f"ORD-{number}",
        "merchant_txn_id": f"MTX-{number}",
        "product_info": product,
    }


class Held:
    """A service that receives an order and answers when `go` is set."""

    def __init__(self) -> None:
        self.received = threading.Event()
        self.go = threading.Event()

    def __call__(self, _: Request) -> Dict[str, Any]:
        self.received.set()
        self.go.wait(PATIENCE)
        return CREATED


class Silent:
    """A service that receives requests and never answers, for `raw_service`.

    `received` says whether a complete request arrived; `marker` is created then.
    """

    def __init__(self, marker: Optional[Path] = None) -> None:
        self.received = threading.Event()
        self._marker = marker

    def __call__(self, connection: socket.socket) -> None:
        read_request(connection)
        if self._marker is not None:
            self._marker.touch()
        self.received.set()
        hold(connection)


#: Seconds: long enough to send a request, and short enough to wait for.
SHORT = PATIENCE / 20


def client(url: str, journal: Optional[Path] = None, **limits: int) -> aio.AsyncClient:
    sync = payorder.Client(
        url, proxy="none", timeout=PATIENCE, journal=journal, **CREDENTIALS
    )
    return aio.AsyncClient(sync, **limits)


@contextlib.asynccontextmanager
async def selling() -> AsyncIterator[Tuple[Sandbox, aio.AsyncClient]]:
    """A sandbox, and its client with a journal."""
    with Sandbox() as sandbox, tempfile.TemporaryDirectory() as folder:
        sync = payorder.Client(
            sandbox.url, proxy="none", journal=f"{folder}/orders", **OF_SANDBOX
        )
        async with aio.AsyncClient(sync) as till:
            yield sandbox, till


def ended_while_sent(
    program: str,
) -> Tuple["subprocess.CompletedProcess[str]", List[Tuple[str, str]]]:
    """Runs a program with the arguments URL, journal and marker: a file that the service makes when
    it has received an order. Returns the end, and the orders and states of its journal."""
    with tempfile.TemporaryDirectory() as folder:
        journal, marker = f"{folder}/orders", Path(folder, "sent")
        with raw_service(Silent(marker)) as host:
            ended = run(program, f"http://{host}", journal, str(marker))
        with payorder.Client("https://a.example", journal=journal) as reader:
            return ended, [(one.order_id, one.state) for one in reader.journal.list()]


async def until(happened: Callable[[], bool]) -> None:
    """Waits for something that happens in another thread."""
    give_up = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < give_up, "it did not happen"
        await asyncio.sleep(0.005)


async def caught(call: Awaitable[Any]) -> BaseException:
    """The `CancelledError` of a call, as the program's task sees it."""
    try:
        result = await call
    except asyncio.CancelledError as error:
        return error
    raise AssertionError(f"not cancelled: {result!r}")


def found(error: BaseException) -> aio.OrderCancelled:
    outcome = aio.OrderCancelled.find(error)
    assert outcome is not None, repr(error)
    return outcome


class AsyncTestCase(CountedTestCase, unittest.IsolatedAsyncioTestCase):
    def tearDown(self) -> None:
        give_up = time.monotonic() + PATIENCE
        while any(one.name == "payorder-aio" for one in threading.enumerate()):
            self.assertLess(time.monotonic(), give_up, "a thread was left over")
            time.sleep(0.005)
        super().tearDown()

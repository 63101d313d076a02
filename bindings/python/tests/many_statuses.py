"""What the tests of many status queries share."""

from __future__ import annotations

import contextlib
import itertools
import json
import time
from typing import Any, Callable, Dict, Iterator, List

import payorder
from payorder import _running

from .counted import CountedTestCase
from .service import CREDENTIALS, PATIENCE, STATUS, Request, Service


def known(request: Request) -> Dict[str, Any]:
    """Responds to every query with a completed payment."""
    asked = json.loads(request.body)
    data = {
        **STATUS["data"],
        "orderId": asked["orderId"],
        "transactionId": asked.get("transactionId", "TXN-1"),
    }
    return {**STATUS, "data": data}


def wait_until(true: Callable[[], bool]) -> bool:
    give_up = time.monotonic() + PATIENCE
    while not true() and time.monotonic() < give_up:
        time.sleep(0.01)
    return true()


def numbers() -> Iterator[str]:
    return (f"ORD-{number}" for number in itertools.count())


class Forgetting(List[Request]):
    """Stores no request."""

    def append(self, request: Request) -> None:
        pass


class StatusesTestCase(CountedTestCase):
    def tearDown(self) -> None:
        # Queries that are still running after their results were dropped end on their own.
        self.assertTrue(wait_until(lambda: not _running._calls), "calls still running")
        super().tearDown()

    @contextlib.contextmanager
    def client(self, *answers: Any, **config: Any) -> Iterator[payorder.Client]:
        with Service(*answers) as self.service:
            with payorder.Client(
                self.service.url, proxy="none", **{**CREDENTIALS, **config}
            ) as client:
                yield client

    service: Service

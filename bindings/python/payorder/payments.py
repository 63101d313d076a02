"""What a program uses of a client, for tests that replace it."""

from __future__ import annotations

from typing import Any, Protocol

from .orders import Checkout
from .recovery import Recovered
from .statuses import Status
from .waiting import Waited


class PaymentClient(Protocol):
    """The calls of a `Client`. A test's own class that has them can take its place.

    The results can be made with `Checkout.from_json`, `Status.from_json` and `Waited.from_json`.
    """

    def create_order(self, *args: Any, **given: Any) -> Checkout:
        """As `Client.create_order`."""

    def get_status(self, *args: Any, **given: Any) -> Status:
        """As `Client.get_status`."""

    def wait_for_payment(self, *args: Any, **given: Any) -> Waited:
        """As `Client.wait_for_payment`."""

    def recover(self, *args: Any, **given: Any) -> Recovered:
        """As `Client.recover`."""

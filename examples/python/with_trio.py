"""Orders in Trio: one task takes the answers of all calls.

python3 with_trio.py SECONDS ORDER_ID...

Creates the orders at the same time. After SECONDS it cancels those that have no answer yet. On
Windows, `take_done(1.0)` in `trio.to_thread.run_sync` takes the place of `wait_readable`.
"""

from __future__ import annotations

import contextlib
import sys
from typing import Any, AsyncIterator, Dict

import payorder
import trio


class Calls:
    """Awaits the calls of one client."""

    def __init__(self, client: payorder.Client) -> None:
        self._client = client
        self._ended: Dict[payorder.StartedCall[Any], trio.Event] = {}

    async def take(self) -> None:
        while True:
            await trio.lowlevel.wait_readable(self._client.fileno())
            for call in self._client.take_done():
                self._ended.pop(call).set()

    async def result(
        self, operation: payorder.Startable, *args: Any, **given: Any
    ) -> Any:
        """What the client's method of this name would return or raise."""
        call = self._client.start(operation, *args, **given)
        ended = self._ended[call] = trio.Event()
        try:
            await ended.wait()
        except trio.Cancelled:
            # The order may be out. The call ends soon, and then it says so.
            call.cancel()
            with trio.CancelScope(shield=True):
                await ended.wait()
            log_cancelled(call)
            raise
        return call.result()


@contextlib.asynccontextmanager
async def calls_of(client: payorder.Client) -> AsyncIterator[Calls]:
    calls = Calls(client)
    async with trio.open_nursery() as nursery:
        # Cancelled tasks still need their answers.
        taking = trio.CancelScope(shield=True)

        async def take() -> None:
            with taking:
                await calls.take()

        nursery.start_soon(take)
        try:
            yield calls
        finally:
            taking.cancel()


def log_cancelled(call: payorder.StartedCall[Any]) -> None:
    try:
        print("cancelled, but created:", call.result().url)
    except payorder.OutcomeUnknownError as error:
        print("cancelled, and may exist:", error.status_query)
    except payorder.PayorderError as error:
        print("cancelled:", error)


async def sell(calls: Calls, order_id: str) -> None:
    try:
        checkout = await calls.result("create_order", **order(order_id))
        print(order_id, checkout.url)
    except payorder.PayorderError as error:
        print(order_id, error.outcome, error.action)


def order(order_id: str) -> payorder.OrderFields:
    return payorder.OrderFields(
        amount="249.50",
        merchant_txn_id=f"{order_id}-1",
        order_id=order_id,
        pay_mode="all",
        merchant_id="M-1",
        product_info="Tea",
        customer_name="Asha Rao",
        customer_mobile="9000000001",
        customer_email="asha@example.com",
        redirection_url="https://shop.example.com/return",
        currency_code="INR",
    )


async def main(seconds: float, *order_ids: str) -> None:
    with payorder.Client.from_env() as client:
        async with calls_of(client) as calls:
            with trio.move_on_after(seconds):
                async with trio.open_nursery() as nursery:
                    for order_id in order_ids:
                        nursery.start_soon(sell, calls, order_id)


if __name__ == "__main__":
    trio.run(main, float(sys.argv[1]), *sys.argv[2:])

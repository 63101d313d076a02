"""Orders in Trio: one task takes the answers of all calls.

python3 with_trio.py SECONDS FILE

Creates the orders in a file, one as JSON on each line, at the same time. After SECONDS it cancels
those that have no answer yet. On Windows, `take_done(1.0)` in `trio.to_thread.run_sync` takes the
place of `wait_readable`.
"""

from __future__ import annotations

import json
import sys
from typing import Any, Dict

import payorder
import trio


class Calls:
    """Awaits the calls of one client."""

    def __init__(self, client: payorder.Client) -> None:
        self._client = client
        self._ended: Dict[payorder.StartedCall[Any], trio.Event] = {}
        # Tasks that are cancelled still need their answers. So only `close` ends `take`.
        self._taking = trio.CancelScope(shield=True)

    async def take(self) -> None:
        with self._taking:
            while True:
                await trio.lowlevel.wait_readable(self._client.fileno())
                for call in self._client.take_done():
                    self._ended.pop(call).set()

    def close(self) -> None:
        self._taking.cancel()

    async def result(self, operation: payorder.Startable, *args: Any, **given: Any) -> Any:
        """What the client's method of this name would return or raise."""
        # A task that is already cancelled ends here, and nothing is sent.
        await trio.lowlevel.checkpoint()
        call = self._client.start(operation, *args, **given)
        ended = self._ended[call] = trio.Event()
        try:
            await ended.wait()
        except trio.Cancelled:
            # The order may be out. The call ends soon, and then its result says so.
            call.cancel()
            with trio.CancelScope(shield=True):
                await ended.wait()
        return call.result()


async def sell(calls: Calls, order: Dict[str, Any]) -> None:
    try:
        print(order["orderId"], (await calls.result("create_order", order)).url)
    except payorder.PayorderError as error:
        print(order["orderId"], error.outcome, error.action)


async def main(seconds: float, path: str) -> None:
    with open(path, encoding="utf-8") as file, payorder.Client.from_env() as client:
        calls = Calls(client)
        async with trio.open_nursery() as taking:
            taking.start_soon(calls.take)
            try:
                # Not in the nursery of `take`, which must end last.
                with trio.move_on_after(seconds):
                    async with trio.open_nursery() as selling:
                        for line in file:
                            selling.start_soon(sell, calls, json.loads(line))
            finally:
                calls.close()


if __name__ == "__main__":
    trio.run(main, float(sys.argv[1]), sys.argv[2])

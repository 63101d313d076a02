"""An asyncio service: programs connect, send an order as one line of JSON, and get one line back.

    python service.py --port 9000

The answer is {"url": ...}, or the library's error object. Its settings come from the environment;
see README.md. SIGTERM ends it without losing an order: it stops accepting, gives running orders
time, then cancels them and says which may exist. At each start and every minute it asks for the
orders that are open. It verifies no payment: the programs do that for each sale that is not
finished in their own records.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal
import sys
from typing import Any, Dict, Set

import payorder
from payorder import aio

#: How long running orders may take after SIGTERM, in seconds.
GRACE = float(os.environ.get("SERVICE_GRACE", "20"))
RESOLVE_EVERY = 60.0


class Service:
    def __init__(self, client: aio.AsyncClient) -> None:
        self.client = client
        self.orders: Set["asyncio.Task[Dict[str, Any]]"] = set()
        self.connections: Set["asyncio.Task[Any]"] = set()
        #: The connections that wait for a line.
        self.idle: Set["asyncio.Task[Any]"] = set()
        self.ending = False

    async def connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection. If it breaks, its orders go on: the journal has their outcome."""
        own = asyncio.current_task()
        assert own is not None
        self.connections.add(own)
        try:
            while not self.ending:
                self.idle.add(own)
                line = await reader.readline()
                self.idle.discard(own)
                if not line:
                    break
                # A task of its own, so that nothing but the shutdown cancels the order.
                order = asyncio.ensure_future(self.create(line))
                self.orders.add(order)
                order.add_done_callback(self.orders.discard)
                answer = await asyncio.shield(order)
                writer.write(json.dumps(answer).encode() + b"\n")
                await writer.drain()
        except (OSError, ValueError) as error:
            # ValueError: a line that is too long.
            log(f"a connection broke: {error}")
        except asyncio.CancelledError:
            # The service ends.
            pass
        finally:
            self.idle.discard(own)
            self.connections.discard(own)
            writer.close()

    async def create(self, line: bytes) -> Dict[str, Any]:
        if self.ending:
            return not_sent("the service is ending")
        try:
            order = json.loads(line)
            if not isinstance(order, dict):
                raise ValueError("not a JSON object")
        except (ValueError, RecursionError) as error:
            return not_sent(error)
        try:
            checkout = await self.client.create_order(order, timeout=30)
        except payorder.PayorderError as error:
            # A duplicate has the journal's entry in "previous".
            return error.to_dict()
        except (TypeError, ValueError) as error:
            # For example an amount that is a number: raised before anything is sent.
            return not_sent(error)
        except asyncio.CancelledError as stop:
            # The service ends. The other program still gets the outcome.
            cancelled = aio.OrderCancelled.find(stop)
            if cancelled is None:
                # The call had not begun.
                return not_sent("the service is ending")
            if cancelled.checkout is not None:
                return {"url": cancelled.checkout.url}
            assert cancelled.error is not None
            return cancelled.error.to_dict()
        return {"url": checkout.url}

    async def resolve(self) -> None:
        """Asks for the orders that are open, now and every minute."""
        while True:
            try:
                resolved = await self.client.journal.resolve(rate_per_second=5)
            except payorder.PayorderError as error:
                log(f"the journal cannot be resolved: {error}")
            else:
                for entry in resolved.entries:
                    log(f"it may exist: {entry.order_id} ({entry.state})")
                summary = resolved.summary
                log(
                    f"resolved, {len(resolved.entries)} orders may exist, and "
                    f"{summary.asked - summary.ok} of {summary.asked} could not be asked about"
                )
            await asyncio.sleep(RESOLVE_EVERY)

    async def finish(self) -> None:
        """Waits for the running orders, and then cancels those that are left."""
        self.ending = True
        if self.orders:
            await asyncio.wait(set(self.orders), timeout=GRACE)
        running = set(self.orders)
        for order in running:
            order.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        for connection in set(self.idle):
            connection.cancel()
        if self.connections:
            # The others still send their last answer.
            await asyncio.wait(set(self.connections), timeout=5)
        for left in self.client.take_undelivered():
            # The journal has these too.
            log(f"ended during an order that may exist: {left}")


def not_sent(error: object) -> Dict[str, Any]:
    return {"error": {"outcome": "not_sent", "message": str(error)}}


def log(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


async def main() -> None:
    parser = argparse.ArgumentParser(description="Creates orders for other programs.")
    parser.add_argument("--port", type=int, default=9000, help="0 for any free one")
    port = parser.parse_args().port
    settings = payorder.Config()
    if not os.environ.get("PAYORDER_JOURNAL"):
        settings["journal"] = "service-orders.sqlite"
    ending = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, ending.set)
    async with aio.AsyncClient.from_env(**settings) as client:
        service = Service(client)
        server = await asyncio.start_server(service.connected, "127.0.0.1", port)
        resolving = asyncio.ensure_future(service.resolve())
        log(f"listens at 127.0.0.1:{server.sockets[0].getsockname()[1]}")
        await ending.wait()
        server.close()
        await service.finish()
        resolving.cancel()
        await asyncio.gather(resolving, return_exceptions=True)
    log("ended")


if __name__ == "__main__":
    asyncio.run(main())

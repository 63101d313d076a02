"""A till in a terminal with Textual, whose event loop is asyncio's: each call is a task.

python3 window_textual.py ORDER, a file with one order as JSON
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from typing import Any, Dict, Optional

import payorder
from payorder.aio import AsyncClient
from textual.app import App, ComposeResult
from textual.widgets import Button, Static


class Till(App[str]):
    def __init__(self, client: AsyncClient, order: Dict[str, Any]) -> None:
        super().__init__()
        self.client, self.order = client, order
        self.sale: Optional[asyncio.Task[str]] = None

    def compose(self) -> ComposeResult:
        yield Button("Sell")
        yield Static("ready")

    async def on_button_pressed(self, pressed: Button.Pressed) -> None:
        # A second click would be a second call.
        pressed.button.disabled = True
        self.sale = asyncio.create_task(self.sell())

    async def sell(self) -> str:
        try:
            checkout = await self.client.create_order(self.order)
            said = f"pay at {checkout.url}"
        except payorder.PayorderError as error:
            said = f"{error.outcome} {error.action}: {error}"
        self.query_one(Static).update(said)
        return said

    async def action_quit(self) -> None:
        # An order that is being sent gets its time: a cancel would lose its checkout URL.
        self.exit(await self.sale if self.sale else None)


async def main() -> None:
    with open(sys.argv[1], encoding="utf-8") as file:
        order = json.load(file)
    journal = os.environ.get("PAYORDER_JOURNAL") or "till-orders.sqlite"
    async with AsyncClient.from_env(journal=journal) as client:
        print(await Till(client, order).run_async())


if __name__ == "__main__":
    asyncio.run(main())

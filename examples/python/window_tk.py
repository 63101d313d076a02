"""A till with a window of tkinter: calls run in a thread, and their results come in a queue.

python3 window_tk.py ORDER, a file with one order as JSON
"""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
import tkinter
from typing import Any, Dict, Optional

import payorder


class Till(tkinter.Tk):
    def __init__(self, client: payorder.Client, order: Dict[str, Any]) -> None:
        super().__init__()
        self.service, self.order = client, order
        self.results: "queue.SimpleQueue[str]" = queue.SimpleQueue()
        self.thread: Optional[threading.Thread] = None
        self.closing = False
        self.button = tkinter.Button(self, text="Sell", command=self.sell)
        self.shown = tkinter.Label(self, text="ready")
        self.button.pack()
        self.shown.pack()
        self.protocol("WM_DELETE_WINDOW", self.close)
        self.look()

    def sell(self) -> None:
        # A second click would be a second call.
        self.button["state"] = tkinter.DISABLED
        self.thread = threading.Thread(target=self.create)
        self.thread.start()

    def create(self) -> None:
        """In the thread, which must not touch the window."""
        try:
            checkout = self.service.create_order(self.order)
            self.results.put(f"pay at {checkout.url}")
        except payorder.PayorderError as error:
            self.results.put(f"{error.outcome} {error.action}: {error}")

    def look(self) -> None:
        while not self.results.empty():
            self.shown["text"] = self.results.get()
            print(self.shown["text"], flush=True)
            self.thread = None
        if self.closing and self.thread is None:
            self.destroy()
        else:
            self.after(20, self.look)

    def close(self) -> None:
        # An order that is being sent gets its time: a cancel would lose its checkout URL.
        self.closing = True


if __name__ == "__main__":
    journal = os.environ.get("PAYORDER_JOURNAL") or "till-orders.sqlite"
    with open(sys.argv[1], encoding="utf-8") as file, payorder.Client.from_env(
        journal=journal
    ) as client:
        Till(client, json.load(file)).mainloop()

"""The asyncio service answers every line, and ends without losing an order."""

from __future__ import annotations

import json
import re
import signal
import socket
import time
from typing import Any, Dict

from programs import EXAMPLES, Program, ProgramTestCase, order
from tests.support import PATIENCE


class Connection:
    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), PATIENCE)
        self.file = self.socket.makefile("rw", encoding="utf-8")

    def send(self, line: object) -> None:
        text = line if isinstance(line, str) else json.dumps(line)
        self.file.write(text + "\n")
        self.file.flush()

    def ask(self, line: object) -> Dict[str, Any]:
        self.send(line)
        answer: Dict[str, Any] = json.loads(self.file.readline())
        return answer

    def close(self) -> None:
        self.file.close()
        self.socket.close()


class Service(ProgramTestCase):
    def service(self) -> Program:
        service = self.start(str(EXAMPLES / "service.py"), "--port", "0")
        found = re.search(r":(\d+)$", service.until("listens at"))
        assert found is not None
        self.port = int(found[1])
        return service

    def connect(self) -> Connection:
        connection = Connection(self.port)
        self.addCleanup(connection.close)
        return connection

    def until_order_is(self, state: str) -> None:
        give_up = time.monotonic() + PATIENCE
        while [one.state for one in self.entries()] != [state]:
            self.assertLess(time.monotonic(), give_up, f"the order is not {state}")
            time.sleep(0.05)

    def test_orders_and_errors(self) -> None:
        service = self.service()
        connection = self.connect()
        created = connection.ask(order(1))
        self.assertEqual(created["url"], f"{self.sandbox.url}/checkout/1")
        again = connection.ask(order(1))["error"]
        self.assertEqual(again["outcome"], "unknown")
        self.assertEqual(again["previous"]["url"], created["url"])
        refused = connection.ask(order(2, "Tea sandbox:reject"))["error"]
        self.assertEqual(refused["outcome"], "rejected")
        for line in ("nonsense", "[]", "[" * 5000, {**order(3), "amount": 1.5}):
            self.assertEqual(connection.ask(line)["error"]["outcome"], "not_sent")
        service.signal(signal.SIGTERM)
        self.assertEqual(service.end(), 0)
        self.assertEqual(service.output[-1], "ended")

    def test_a_broken_connection_does_not_end_its_order(self) -> None:
        self.service()
        connection = self.connect()
        connection.send(order(1))
        connection.close()
        self.until_order_is("created")

    def test_ending_waits_for_a_running_order(self) -> None:
        service = self.service()
        connection = self.connect()
        connection.send(order(1))
        other = self.connect()
        self.assertIn("url", other.ask(order(2)))
        service.signal(signal.SIGTERM)
        self.assertEqual(service.end(), 0)
        self.assertEqual([one.state for one in self.entries()], ["created"] * 2)

    def test_an_order_that_is_running_at_the_end_is_named_and_resolved_later(
        self,
    ) -> None:
        self.environment["SERVICE_GRACE"] = "1"
        service = self.service()
        # Otherwise this could already ask for the order.
        service.until("resolved, 0 orders")
        connection = self.connect()
        connection.send(order(1, "Tea sandbox:stall"))
        self.until_order_is("sending")
        service.signal(signal.SIGTERM)
        answer = json.loads(connection.file.readline())
        self.assertEqual(answer["error"]["outcome"], "unknown")
        self.assertEqual(service.end(), 0)
        self.assertIn("ORD-1", service.until("may exist"))
        self.assertEqual([one.state for one in self.entries()], ["unknown"])
        again = self.service()
        again.until("resolved, 0 orders")
        self.assertEqual([one.state for one in self.entries()], ["created"])

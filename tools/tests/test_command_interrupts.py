"""Ctrl-C: it ends every command at once, and the exit status says what may have happened."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
from typing import Iterator, Tuple

from .commands import (
    INTERRUPTED,
    ORDER,
    UNKNOWN,
    CommandTestCase,
    environment,
    interrupted,
)
from .service import CHECKOUT_URL, CREATED, Service, hold, raw_service

CREATE = ["create", "--order-id", "ORD-1", "--amount", "5", *ORDER]


@contextlib.contextmanager
def silent() -> Iterator[Tuple[str, threading.Event]]:
    """The URL of a service that sends nothing, and an event that a request sets."""
    arrived = threading.Event()

    def script(connection: socket.socket) -> None:
        connection.recv(1)
        arrived.set()
        hold(connection)

    with raw_service(script) as address:
        yield f"http://{address}", arrived


class Interrupts(CommandTestCase):
    def test_an_order_in_flight_may_exist(self) -> None:
        with silent() as (url, arrived):
            variables = environment(self.sandbox, PAYORDER_BASE_URL=url)
            status, output, complaint, took = interrupted(
                variables, 0.2, *CREATE, after=arrived
            )
        self.assertEqual((status, output), (UNKNOWN, ""), complaint)
        self.assertIn("may exist", complaint)
        self.assertIn("payorder status ORD-1", complaint)
        self.assertLess(took, 5)

    def test_a_response_that_arrives_with_ctrl_c_is_not_lost(self) -> None:
        """The signal arrives when the library has the response but the command has not used it."""
        with Service(CREATED) as service:
            path = self.with_slow_answers()
            variables = environment(
                self.sandbox, PAYORDER_BASE_URL=service.url, PYTHONPATH=path
            )
            status, output, complaint, _ = interrupted(
                variables, 0.2, *CREATE, until="the library answered"
            )
        self.assertEqual(status, INTERRUPTED, complaint)
        self.assertIn(CHECKOUT_URL, output)
        self.assertIn("order ORD-1 was created", complaint)

    def with_slow_answers(self) -> str:
        """A PYTHONPATH that makes `create_order` take a second longer than the library."""
        (self.folder / "sitecustomize.py").write_text(SLOW_ANSWERS)
        return f"{self.folder}:{environment()['PYTHONPATH']}"

    def test_a_status_query_ends_at_once(self) -> None:
        with silent() as (url, arrived):
            variables = environment(self.sandbox, PAYORDER_BASE_URL=url)
            for arguments in (
                ["status", "ORD-1"],
                ["wait", "ORD-1"],
                ["wait", "ORD-1", "--seconds", "0"],
                ["status", "ORD-1", "--json"],
            ):
                with self.subTest(arguments):
                    arrived.clear()
                    status, output, complaint, took = interrupted(
                        variables, 0.2, *arguments, after=arrived
                    )
                    self.assertEqual(status, INTERRUPTED, complaint)
                    self.assertIn("payorder: interrupted", complaint)
                    self.assertLess(took, 5)
                    if "--json" in arguments:
                        self.assertEqual(
                            json.loads(output)["error"]["cause"], "cancelled"
                        )

    def test_resolving_a_journal_ends_at_once(self) -> None:
        with silent() as (url, arrived):
            variables = environment(
                self.sandbox, PAYORDER_BASE_URL=url, PAYORDER_JOURNAL=self.journal
            )
            self.assertEqual(
                interrupted(variables, 0.2, *CREATE, after=arrived)[0], UNKNOWN
            )
            arrived.clear()
            status, _, complaint, took = interrupted(
                variables, 0.2, "journal", "resolve", after=arrived
            )
        self.assertEqual(status, INTERRUPTED)
        self.assertIn("run the command again for the rest", complaint)
        self.assertLess(took, 6)

    def test_a_wait_shows_the_last_status(self) -> None:
        self.create("A1")
        status, _, complaint, took = interrupted(
            environment(self.sandbox), 0.5, "wait", "A1", until="Pending"
        )
        self.assertEqual(status, INTERRUPTED)
        self.assertIn(
            "the customer may still pay (it was Pending); ask again: payorder status A1",
            complaint,
        )
        self.assertLess(took, 5)

    def test_a_wait_after_an_order_names_the_order(self) -> None:
        arguments = ["create", "--order-id", "A1", "--amount", "5", *ORDER, "--wait"]
        status, _, complaint, took = interrupted(
            environment(self.sandbox), 0.5, *arguments, until="Pending"
        )
        self.assertEqual(status, INTERRUPTED)
        self.assertIn("order A1 was created; the customer pays at http://", complaint)
        self.assertIn("payorder status A1", complaint)
        self.assertLess(took, 5)


SLOW_ANSWERS = """
import time

import payorder.client
created = payorder.client.Client.create_order

def create_order(*arguments, **named):
    checkout = created(*arguments, **named)
    print("the library answered", flush=True)
    time.sleep(1)
    return checkout

payorder.client.Client.create_order = create_order
"""

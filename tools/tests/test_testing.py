"""`payorder_tools.testing`: the sandbox as a test double."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import threading
import time
import unittest
from datetime import datetime
from pathlib import Path
from typing import Any, Dict
from unittest import mock

import payorder
from payorder_tools.testing import FaultRule, Sandbox, SandboxError, fakes

from .support import ORDER, PATIENCE, WIRE_ORDER, program, run


def setUpModule() -> None:
    program()


def order(order_id: str) -> Dict[str, Any]:
    return {**ORDER, "order_id": order_id, "merchant_txn_id": f"MTX-{order_id}"}


class Orders(unittest.TestCase):
    def setUp(self) -> None:
        self.sandbox = Sandbox()
        self.addCleanup(self.sandbox.close)
        self.client = self.sandbox.client(timeout=PATIENCE)
        self.addCleanup(self.client.close)

    def test_a_customer_pays_and_the_shop_refunds(self) -> None:
        # An identifier with every kind of character that a path could misread.
        order_id = "O/1 ?\u00e9#%2F"
        created = self.client.create_order(**order(order_id))
        (unpaid,) = self.sandbox.orders()
        self.assertEqual(unpaid, self.sandbox.order(order_id))
        told = unpaid.to_dict()
        self.assertEqual((unpaid.number, unpaid.create_requests), (1, 1))
        self.assertEqual((unpaid.order_id, told["orderId"]), (order_id, order_id))
        self.assertEqual(unpaid.merchant_txn_id, f"MTX-{order_id}")
        self.assertEqual((unpaid.amount, unpaid.currency_code), ("100.00", "INR"))
        self.assertEqual((unpaid.state, unpaid.transactions), ("Pending", ()))
        self.assertEqual(unpaid.checkout_url, created.url)

        self.assertEqual(self.sandbox.fail(order_id).state, "Failed")
        paid = self.sandbox.pay(order_id)
        states = [one.state for one in paid.transactions]
        self.assertEqual((paid.state, states), ("Completed", ["Failed", "Completed"]))
        status = self.client.get_status(order_id=order_id)
        self.assertTrue(status.completed)
        self.assertEqual(status.transaction_id, paid.transactions[-1].transaction_id)
        self.assertFalse(paid.refunded)
        self.assertTrue(self.sandbox.refund(order_id).refunded)
        status = self.client.get_status(order_id=order_id)
        self.assertEqual(status.refund_status, "Refunded")

    def test_what_cannot_be_done_is_said(self) -> None:
        self.client.create_order(**order("O-1"))
        self.assertEqual(self.sandbox.cancel("O-1").state, "Cancelled")
        for call, words in (
            (lambda: self.sandbox.pay("O-1"), '"O-1" is Cancelled'),
            (lambda: self.sandbox.refund("O-1"), "Only a paid order can be refunded"),
            (lambda: self.sandbox.order("O-2"), "No order has the orderId"),
            (lambda: self.sandbox.fault("create:x:drop-before"), "which requests"),
            (lambda: Sandbox(faults=["nonsense"]), "did not start: .*nonsense"),
        ):
            with self.assertRaisesRegex(SandboxError, words) as refused:
                call()
            self.assertNotIn("usage", str(refused.exception))

    def test_requests_are_listed_as_they_were_received_and_answered(self) -> None:
        self.sandbox.fault("create:2:drop-after-commit")
        self.client.create_order(**order("O-1"))
        with self.assertRaises(payorder.OutcomeUnknownError):
            self.client.create_order(**order("O-2"))
        rule = FaultRule("create:2:drop-after-commit", 1)
        self.assertEqual(self.sandbox.fault_rules(), [rule])
        self.client.get_status(order_id="O-1")
        first, cut, last = self.sandbox.requests()
        self.assertEqual((first.number, first.step, first.created), (1, "create", True))
        self.assertEqual((last.number, last.step, last.created), (3, "status", False))
        self.assertEqual((first.order_id, last.order_id), ("O-1", "O-1"))
        self.assertEqual(first.method, "POST")
        self.assertEqual(first.headers["access-token"], "right")
        self.assertIn('"orderId":"O-1"', first.body)
        answer = first.response
        self.assertEqual((answer.http_status, answer.ended), (200, "complete"))
        self.assertIn("/checkout/1", answer.body)
        self.assertEqual((first.fault, cut.fault), (None, "drop-after-commit"))
        self.assertEqual((cut.created, cut.response.http_status), (True, None))
        self.assertEqual(cut.response.ended, "cut")
        self.assertEqual(self.sandbox.requests(after=2), [last])
        self.assertEqual(last.to_dict()["response"]["status"], 200)

    @unittest.skipUnless(shutil.which("curl"), "needs curl")
    def test_libcurl_sends_an_order_twice_and_this_library_does_not(self) -> None:
        guide = Path(__file__).parents[2] / "docs/guides/from-libcurl.md"
        _, _, block = guide.read_text("utf-8").partition("```sh\n")
        script, _, _ = block.partition("```")
        with Sandbox() as sandbox:
            variables = {**os.environ, **sandbox.environment()}
            shell = ["bash", "-euo", "pipefail", "-c", script]
            printed = subprocess.check_output(shell, env=variables, text=True)
            sent = [request.order_id for request in sandbox.requests()]
        self.assertEqual(sent, ["BASKET-1", "BASKET-2", "BASKET-2"])
        self.assertRegex(printed, r"2 .*BASKET-2")

        self.sandbox.fault("create:2:drop-after-commit")
        self.client.create_order(**order("BASKET-1"))
        with self.assertRaises(payorder.OutcomeUnknownError):
            self.client.create_order(**order("BASKET-2"))
        self.assertEqual(len(self.sandbox.requests()), 2)

    def test_a_test_can_wait_for_the_next_request(self) -> None:
        began = time.monotonic()
        self.assertEqual(self.sandbox.requests(wait=0.3), [])
        self.assertGreaterEqual(time.monotonic() - began, 0.3)
        asking = threading.Timer(0.2, self.client.create_order, [WIRE_ORDER])
        asking.start()
        (received,) = self.sandbox.requests(wait=PATIENCE)
        asking.join(PATIENCE)
        self.assertEqual(received.order_id, WIRE_ORDER["orderId"])

    def test_the_environment_has_what_a_program_needs(self) -> None:
        # A proxy that does not exist, and hosts for which it is not used.
        surroundings = {"http_proxy": "http://127.0.0.1:9", "NO_PROXY": "shop.example"}
        with Sandbox(faults=["create:1:reject"], slow=0.3) as sandbox:
            with mock.patch.dict(os.environ, surroundings):
                os.environ.pop("no_proxy", None)
                variables = sandbox.environment()
                self.assertEqual(variables["no_proxy"], "shop.example,127.0.0.1")
                os.environ.update(variables)
                with payorder.Client.from_env() as client:
                    began = time.monotonic()
                    with self.assertRaises(payorder.RejectedError):
                        client.create_order(**order("O-1"))
                    self.assertGreaterEqual(time.monotonic() - began, 0.3)
                    client.create_order(**order("O-1"))
                with payorder.Client(sandbox.base_url, **sandbox.config()) as client:
                    self.assertEqual(client.get_status(order_id="O-1").order_id, "O-1")
            self.assertEqual(len(sandbox.orders()), 1)


class Addresses(unittest.TestCase):
    def test_a_public_url_is_only_what_programs_are_told(self) -> None:
        for private in (False, True):
            with Sandbox(public_url="https://till.example/", private=private) as sandbox:
                self.assertEqual(sandbox.base_url, "https://till.example")
                self.assertRegex(sandbox.address, r"^http://127\.0\.0\.1:\d+$")
                with payorder.Client(sandbox.address, **sandbox.config()) as client:
                    url = client.create_order(**order("O-1")).url
                self.assertRegex(url, r"^https://till\.example/checkout/\d+$")
                sandbox.pay("O-1")


class Fakes(unittest.TestCase):
    def real_error(self, client: payorder.Client) -> payorder.PayorderError:
        with self.assertRaises(payorder.PayorderError) as raised:
            client.create_order(**order("O-1"))
        return raised.exception

    def test_a_fake_error_asks_for_the_same_as_a_real_one(self) -> None:
        lost = ["create:1:drop-after-commit"]
        with tempfile.TemporaryDirectory() as folder, Sandbox(faults=lost) as sandbox:
            with sandbox.client(journal=f"{folder}/j") as client:
                real, again = self.real_error(client), self.real_error(client)
        fake = fakes.error(payorder.Result.CONNECTION_LOST)
        duplicate = fakes.error(payorder.Result.DUPLICATE, previous={"state": "unknown"})
        for made, one in ((fake, real), (duplicate, again)):
            self.assertEqual((made.cause, made.action), (one.cause, one.action))
        assert again.previous is not None and duplicate.previous is not None
        keys = again.previous.to_dict().keys()
        self.assertEqual(duplicate.previous.to_dict().keys(), keys)
        self.assertEqual(duplicate.previous.order_id, again.previous.order_id)

    def test_a_fake_duplicate_is_one_of_the_entry_that_the_journal_has(self) -> None:
        paying = {"url": "https://pay.example/checkout/1"}
        for previous, action in (
            ({}, "ask_status"),
            (paying, "use_previous"),
            ({"state": "sending"}, "ask_status"),
        ):
            error = fakes.error(payorder.Result.DUPLICATE, previous=previous)
            self.assertEqual(error.action, action)

    def test_a_fake_status_has_the_date_of_its_text(self) -> None:
        text = "11/30/2026 04:05:13 PM"
        status = fakes.status(transactionDate=text)
        self.assertEqual(status.transaction_date, datetime(2026, 11, 30, 16, 5, 13))
        self.assertEqual(status.transaction_date_text, text)
        self.assertIsNone(fakes.status(transactionDate="2026-11-30").transaction_date)
        self.assertFalse(fakes.status(transaction_status="Pending").money_moved)


class Processes(unittest.TestCase):
    def test_a_closed_sandbox_is_gone_and_says_so(self) -> None:
        with Sandbox() as sandbox:
            client = sandbox.client()
        self.addCleanup(client.close)
        sandbox.close()
        with self.assertRaises(payorder.ConnectError):
            client.create_order(**order("O-1"))
        with self.assertRaisesRegex(SandboxError, "closed"):
            sandbox.orders()

    def test_a_sandbox_that_nobody_closes_ends_with_the_program(self) -> None:
        ended = run(
            """
            from payorder_tools.testing import Sandbox
            sandbox = Sandbox()
            print(sandbox.base_url)
            """
        )
        self.assertEqual(ended.returncode, 0, ended.stderr)
        with payorder.Client(ended.stdout.strip(), access_token="t") as client:
            with self.assertRaises(payorder.ConnectError):
                client.create_order(**order("O-1"))

    @unittest.skipUnless(hasattr(os, "fork"), "needs fork")
    def test_a_forked_child_that_ends_leaves_the_sandbox_running(self) -> None:
        ended = run(
            """
            import os, sys
            from payorder_tools.testing import Sandbox
            sandbox = Sandbox()
            child = os.fork()
            if child == 0:
                sys.exit(3)
            _, status = os.waitpid(child, 0)
            assert os.WEXITSTATUS(status) == 3, status
            assert sandbox.orders() == []
            """
        )
        self.assertEqual(ended.returncode, 0, ended.stderr)

    def test_a_program_that_cannot_be_the_sandbox_is_reported(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "sandbox")
            for text, words in (
                ("#!/bin/sh\necho Good morning\n", "did not start: Good morning"),
                ("#!/bin/sh\n", "printed nothing"),
            ):
                file.write_text(text)
                file.chmod(0o700)
                with self.subTest(words), self.assertRaisesRegex(SandboxError, words):
                    with mock.patch.dict(os.environ, PAYORDER_SANDBOX=str(file)):
                        Sandbox()

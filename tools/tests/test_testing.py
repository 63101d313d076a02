"""`payorder_tools.testing`: the sandbox as a test double."""

from __future__ import annotations

import os
import tempfile
import threading
import time
import unittest
from pathlib import Path
from typing import Any, Dict
from unittest import mock

import payorder
from payorder_tools.testing import FaultRule, Sandbox, SandboxError

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
        order_id = "O/1 ?é#%2F"
        created = self.client.create_order(**order(order_id))
        (unpaid,) = self.sandbox.orders()
        self.assertEqual(
            (unpaid.number, unpaid.order_id, unpaid.amount, unpaid.currency_code),
            (1, order_id, "100.00", "INR"),
        )
        self.assertEqual(unpaid.merchant_txn_id, f"MTX-{order_id}")
        self.assertEqual(unpaid.checkout_url, created.url)
        self.assertEqual((unpaid.state, unpaid.transactions), ("Pending", ()))
        self.assertEqual(unpaid.create_requests, 1)

        failed = self.sandbox.fail(order_id)
        paid = self.sandbox.pay(order_id)
        self.assertEqual((failed.state, paid.state), ("Failed", "Completed"))
        self.assertEqual(
            [one.state for one in paid.transactions], ["Failed", "Completed"]
        )
        status = self.client.get_status(order_id=order_id)
        self.assertTrue(status.completed)
        self.assertEqual(status.transaction_id, paid.transactions[-1].transaction_id)

        self.assertFalse(paid.refunded)
        self.assertTrue(self.sandbox.refund(order_id).refunded)
        self.assertEqual(
            self.client.get_status(order_id=order_id).refund_status, "Refunded"
        )
        self.assertEqual(self.sandbox.order(order_id), self.sandbox.orders()[0])
        self.assertEqual(self.sandbox.order(order_id).to_dict()["orderId"], order_id)

    def test_a_cancelled_order_cannot_be_paid(self) -> None:
        self.client.create_order(**order("O-1"))
        self.assertEqual(self.sandbox.cancel("O-1").state, "Cancelled")
        with self.assertRaisesRegex(SandboxError, '"O-1" is Cancelled'):
            self.sandbox.pay("O-1")
        with self.assertRaisesRegex(SandboxError, "Only a paid order can be refunded"):
            self.sandbox.refund("O-1")
        with self.assertRaisesRegex(SandboxError, "No order has the orderId"):
            self.sandbox.order("O-2")

    def test_requests_are_listed_as_they_were_received_and_answered(self) -> None:
        self.client.create_order(**order("O-1"))
        self.client.get_status(order_id="O-1")
        first, second = self.sandbox.requests()
        self.assertEqual((first.number, first.step, first.created), (1, "create", True))
        self.assertEqual(
            (second.number, second.step, second.created), (2, "status", False)
        )
        self.assertEqual((first.order_id, second.order_id), ("O-1", "O-1"))
        self.assertEqual(
            (first.method, first.headers["access-token"]), ("POST", "right")
        )
        self.assertIn(f'"amount":"{WIRE_ORDER["amount"]}"', first.body)
        self.assertEqual(
            (first.response.http_status, first.response.ended), (200, "complete")
        )
        self.assertIn("/checkout/1", first.response.body)
        self.assertIsNone(first.fault)
        self.assertEqual(self.sandbox.requests(after=1), [second])
        self.assertEqual(second.to_dict()["response"]["status"], 200)

    def test_a_test_can_wait_for_the_next_request(self) -> None:
        began = time.monotonic()
        self.assertEqual(self.sandbox.requests(wait=0.3), [])
        self.assertGreaterEqual(time.monotonic() - began, 0.3)
        asking = threading.Timer(0.2, self.client.create_order, [WIRE_ORDER])
        asking.start()
        (received,) = self.sandbox.requests(wait=PATIENCE)
        asking.join(PATIENCE)
        self.assertEqual(received.order_id, WIRE_ORDER["orderId"])

    def test_a_fault_rule_applies_to_the_requests_that_it_names(self) -> None:
        self.sandbox.fault("create:2:drop-after-commit")
        self.client.create_order(**order("O-1"))
        with self.assertRaises(payorder.OutcomeUnknownError):
            self.client.create_order(**order("O-2"))
        self.client.create_order(**order("O-3"))
        self.assertEqual(
            self.sandbox.fault_rules(), [FaultRule("create:2:drop-after-commit", 1)]
        )
        cut = self.sandbox.requests()[1]
        self.assertEqual((cut.fault, cut.created), ("drop-after-commit", True))
        self.assertEqual((cut.response.http_status, cut.response.ended), (None, "cut"))
        self.assertEqual(self.sandbox.order("O-2").state, "Pending")

    def test_faults_are_cleared_and_everything_is_forgotten(self) -> None:
        self.sandbox.fault("status:*:drop")
        self.client.create_order(**order("O-1"))
        self.sandbox.clear_faults()
        self.assertEqual(self.sandbox.fault_rules(), [])
        self.client.get_status(order_id="O-1")
        self.sandbox.fault("create:*:reject")
        self.sandbox.reset()
        self.assertEqual((self.sandbox.orders(), self.sandbox.requests()), ([], []))
        self.assertEqual(self.sandbox.fault_rules(), [])
        # The same order again, which the sandbox would refuse if it remembered it.
        self.client.create_order(**order("O-1"))

    def test_an_invalid_rule_is_refused_in_words(self) -> None:
        with self.assertRaisesRegex(SandboxError, "which requests"):
            self.sandbox.fault("create:x:drop-before")
        with self.assertRaisesRegex(
            SandboxError, "did not start: .*nonsense"
        ) as refused:
            Sandbox(faults=["nonsense"])
        self.assertNotIn("usage", str(refused.exception))


class Settings(unittest.TestCase):
    def test_faults_and_slowness_can_be_given_at_the_start(self) -> None:
        with Sandbox(
            faults=["create:1:reject", "create:2:rate-limit"], slow=0.3
        ) as slow:
            self.assertEqual(
                [one.rule for one in slow.fault_rules()],
                ["create:1:reject", "create:2:rate-limit"],
            )
            with slow.client(timeout=PATIENCE) as client:
                began = time.monotonic()
                with self.assertRaises(payorder.RejectedError):
                    client.create_order(**order("O-1"))
                self.assertGreaterEqual(time.monotonic() - began, 0.3)
                with self.assertRaises(payorder.RateLimitedError):
                    client.create_order(**order("O-1"))

    def test_the_environment_has_what_a_program_needs(self) -> None:
        # A proxy that does not exist, and hosts for which it is not used.
        surroundings = {"http_proxy": "http://127.0.0.1:9", "NO_PROXY": "shop.example"}
        with Sandbox() as sandbox, mock.patch.dict(os.environ, surroundings):
            os.environ.pop("no_proxy", None)
            variables = sandbox.environment()
            self.assertEqual(variables["no_proxy"], "shop.example,127.0.0.1")
            with mock.patch.dict(os.environ, variables):
                with payorder.Client.from_env() as client:
                    client.create_order(**order("O-1"))
            with sandbox.client() as client:
                self.assertEqual(client.get_status(order_id="O-1").order_id, "O-1")
            with payorder.Client(sandbox.base_url, **sandbox.config()) as client:
                self.assertEqual(client.get_status(order_id="O-1").order_id, "O-1")
            self.assertEqual(len(sandbox.orders()), 1)


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
                ("\0", "cannot be started"),
            ):
                file.write_text(text)
                file.chmod(0o700)
                with self.subTest(words), self.assertRaisesRegex(SandboxError, words):
                    with mock.patch.dict(os.environ, PAYORDER_SANDBOX=str(file)):
                        Sandbox()
            with self.assertRaisesRegex(SandboxError, "which is not a file"):
                with mock.patch.dict(os.environ, PAYORDER_SANDBOX=f"{folder}/none"):
                    Sandbox()


if __name__ == "__main__":
    unittest.main()

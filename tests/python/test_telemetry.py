"""The programs of the guide about telemetry give real metrics and real spans."""

from __future__ import annotations

import logging
import re
import unittest
from pathlib import Path
from typing import Any, Dict, List

import payorder
from payorder_tools.testing import Sandbox
from programs import order

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "guides" / "telemetry.md"


def program(name: str) -> Dict[str, Any]:
    """What a program of the guide defines."""
    text = GUIDE.read_text(encoding="utf-8")
    found = re.search(rf"^```python\n(# {name}\n.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert found is not None
    defined: Dict[str, Any] = {}
    exec(found[1], defined)
    return defined


class Telemetry(unittest.TestCase):
    def setUp(self) -> None:
        self.sandbox = Sandbox()
        self.addCleanup(self.sandbox.close)
        self.client = self.sandbox.client()
        self.addCleanup(self.client.close)
        self.addCleanup(logging.getLogger("payorder").handlers.clear)

    def test_metrics_count_calls_and_failures(self) -> None:
        from prometheus_client import generate_latest

        program("metrics.py")
        client = self.client
        client.create_order(order(1))
        self.sandbox.fault("create:1:drop-after-commit")
        with self.assertRaises(payorder.ConnectionLostError):
            client.create_order(order(2))
        client.get_status(order_id="ORD-2")
        lines = generate_latest().decode().splitlines()
        for line in (
            'payment_calls_total{operation="create_order",result="PAYORDER_OK"} 1.0',
            'payment_calls_total{operation="create_order",result="PAYORDER_CONNECTION_LOST"} 1.0',
            'payment_calls_total{operation="get_status",result="PAYORDER_OK"} 1.0',
            'payment_call_seconds_count{operation="create_order"} 2.0',
            'payment_failed_attempts_total{cause="connection_closed",operation="create_order"} 1.0',
            "payment_journal_failures_total 0.0",
        ):
            self.assertIn(line, lines)

    def test_a_call_and_its_attempts_are_spans_and_the_service_gets_the_trace(self) -> None:
        from opentelemetry import trace
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import SimpleSpanProcessor
        from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

        exporter: Any = InMemorySpanExporter()
        provider = TracerProvider()
        provider.add_span_processor(SimpleSpanProcessor(exporter))
        trace.set_tracer_provider(provider)
        traced = program("tracing.py")["traced"]
        client = self.client

        client.create_order(order(1))
        self.sandbox.pay("ORD-1")
        self.sandbox.fault("status:1:slow=100")
        self.sandbox.fault("status:1:transactionStatus=Pending")
        with traced("wait_for_payment") as options:
            client.wait_for_payment("ORD-1", wait=60, interval=0.1, **options)
        *attempts, call = exporter.get_finished_spans()
        self.assertEqual(len(attempts), 2)
        times = [call.start_time]
        for attempt in attempts:
            self.assertEqual(attempt.parent.span_id, call.context.span_id)
            self.assertEqual(attempt.attributes["http.response.status_code"], 200)
            times += [attempt.start_time, attempt.end_time]
        times.append(call.end_time)
        self.assertEqual(times, sorted(times))
        self.assertGreaterEqual(attempts[0].end_time - attempts[0].start_time, 99e6)
        self.assertEqual(self.traces(), [None] + [self.name(call)] * len(attempts))

        exporter.clear()
        self.sandbox.fault("create:1:drop-after-commit")
        with self.assertRaises(payorder.ConnectionLostError), traced("create_order") as options:
            client.create_order(order(2), **options)
        attempt, call = exporter.get_finished_spans()
        self.assertEqual(attempt.parent.span_id, call.context.span_id)
        self.assertEqual(attempt.attributes["error.type"], "connection_closed")
        self.assertEqual(
            attempt.attributes["server.address"], self.sandbox.base_url[len("http://") :]
        )
        self.assertEqual(call.attributes["error.type"], "PAYORDER_CONNECTION_LOST")
        self.assertEqual(call.attributes["payorder.outcome"], "unknown")
        self.assertEqual([attempt.status.is_ok, call.status.is_ok, call.events], [False, False, ()])
        self.assertEqual(self.traces()[-1], self.name(call))

    def traces(self) -> "List[str | None]":
        return [request.headers.get("traceparent") for request in self.sandbox.requests()]

    def name(self, span: Any) -> str:
        return f"00-{span.context.trace_id:032x}-{span.context.span_id:016x}-{span.context.trace_flags:02x}"

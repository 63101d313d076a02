"""Time limits in seconds are the library's milliseconds, and nothing else."""

from __future__ import annotations

import functools
from decimal import Decimal
from typing import Any, Callable, Dict, List, Tuple
from unittest import mock

import payorder
from payorder import client, journals
from payorder.configuration import wire_settings

from .counted import CountedTestCase
from .service import CREATED, CREDENTIALS, ORDER, Service

#: What no time limit can be.
REFUSED: Tuple[Any, ...] = (
    *(float("nan"), float("inf"), float("-inf"), -1, -0.5, 1e300, 10**400, 86_401),
    *(True, False, "30", Decimal(30), b"30", [30]),
)


class Settings(CountedTestCase):
    def test_seconds_become_whole_milliseconds(self) -> None:
        for seconds, milliseconds in [
            *((1, 1000), (0.001, 1), (1.001, 1001), (4.35, 4350), (0.1 + 0.2, 300)),
            *((600, 600_000), (600.0, 600_000), (2.0004, 2000), (1.0015, 1002)),
        ]:
            with self.subTest(seconds):
                given = {"timeout": seconds, "connect_timeout": seconds}
                settings = wire_settings({"max_idle": seconds, **given})
                wanted = {"timeoutMs", "connectTimeoutMs", "maxIdleMs"}
                self.assertEqual(settings, dict.fromkeys(wanted, milliseconds))
                self.assertTrue(all(type(one) is int for one in settings.values()))

    def test_a_value_that_is_no_time_limit_is_refused(self) -> None:
        for name in ("timeout", "connect_timeout", "max_idle"):
            for value in (*REFUSED, 601, 600.001):
                with self.subTest(name, value=value):
                    with self.assertRaises(payorder.InvalidConfigError) as raised:
                        payorder.Client("https://a.example", **{name: value})
                    error = raised.exception
                    self.assertEqual(error.cause, payorder.Cause.INVALID_VALUE)
                    self.assertEqual(error.outcome, "not_sent")
                    self.assertRegex(error.message, rf"\b{name} must be a number")
                    self.assertLess(len(error.message), 200)

    def test_zero_keeps_no_idle_connection_and_is_no_time_limit(self) -> None:
        payorder.Client("https://a.example", max_idle=0).close()
        for zero in (0, 0.0, 0.0004):
            with self.assertRaises(payorder.InvalidConfigError):
                payorder.Client("https://a.example", timeout=zero)
            with self.assertRaises(payorder.InvalidConfigError):
                payorder.Client("https://a.example", connect_timeout=zero)


class Calls(CountedTestCase):
    def calls(
        self, client: payorder.Client
    ) -> List[Tuple[str, Callable[..., object], Tuple[str, ...]]]:
        waiting = ("timeout", "wait", "interval", "max_interval")
        call = functools.partial
        return [
            ("create_order", call(client.create_order, **ORDER), ("timeout",)),
            ("get_status", call(client.get_status, "ORD-1"), ("timeout",)),
            ("wait_for_payment", call(client.wait_for_payment, "ORD-1"), waiting),
            ("get_statuses", call(client.get_statuses, ["ORD-1"]), ("timeout",)),
            ("journal_resolve", client.journal.resolve, ("timeout",)),
        ]

    def test_seconds_reach_the_library_as_milliseconds(self) -> None:
        seen: List[Dict[str, Any]] = []

        class Seen(Exception):
            pass

        def record(*arguments: Any, **others: object) -> str:
            seen.append(arguments[3])
            raise Seen

        def record_statuses(*arguments: Any) -> Any:
            seen.append(arguments[2])
            raise Seen

        with payorder.Client("https://a.example") as opened, mock.patch.multiple(
            client, call=record, Statuses=record_statuses
        ), mock.patch.object(journals, "call", record):
            for operation, call, names in self.calls(opened):
                for name in names:
                    with self.subTest(operation, name=name):
                        with self.assertRaises(Seen):
                            call(**{name: 12.345})
                        key = payorder._text.wire_name(f"{name}_ms")
                        self.assertEqual(seen.pop(), {key: 12_345})

    def test_what_cannot_be_used_is_refused_before_anything_is_sent(self) -> None:
        with Service(CREATED) as service, payorder.Client(
            service.url, proxy="none", **CREDENTIALS
        ) as opened:
            for operation, call, names in self.calls(opened):
                for name in names:
                    for value in REFUSED:
                        options = {name: value}
                        with self.subTest(operation, options=options):
                            with self.assertRaises(
                                payorder.InvalidArgumentError
                            ) as raised:
                                call(**options)
                            error = raised.exception
                            self.assertEqual(error.cause, payorder.Cause.INVALID_VALUE)
                            self.assertEqual(error.action, payorder.Action.FIX_REQUEST)
                            self.assertEqual(error.operation, operation)
                            self.assertRegex(error.message, rf"option {name} ")
            self.assertEqual(service.requests, [])

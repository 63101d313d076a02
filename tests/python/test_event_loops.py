"""The programs for Trio and gevent create orders without blocking, and lose none."""

from __future__ import annotations

import json
import os
import textwrap
import time
from typing import List

from programs import EXAMPLES, ProgramTestCase, order
from tests.support import HELD, PATIENCE, Service


class EventLoops(ProgramTestCase):
    #: How many orders: more than run at once.
    COUNT = 100

    def run_program(self, name: str, seconds: float, service: Service) -> List[str]:
        self.environment["PAYORDER_BASE_URL"] = service.url
        self.environment["PAYORDER_JOURNAL"] = str(self.folder / f"{name}-{seconds}.sqlite")
        orders = self.folder / "orders.jsonl"
        lines = (json.dumps(order(number)) for number in range(self.COUNT))
        orders.write_text("\n".join(lines), encoding="utf-8")
        return self.output(str(EXAMPLES / name), str(seconds), str(orders))

    def output(self, *command: str) -> List[str]:
        program = self.start(*command)
        self.assertEqual(program.end(), 0, program.output)
        return program.output

    def check_late(self, program: str, service: Service) -> None:
        """Runs a program whose two orders are for time limits: one is over, one ends the call."""
        self.environment["PAYORDER_BASE_URL"] = service.url
        self.environment["PYTHONPATH"] += os.pathsep + str(EXAMPLES)
        orders = json.dumps([order(1), order(2)])
        self.assertEqual(
            self.output("-c", textwrap.dedent(program), orders),
            ["too late, because None", "too late, because unknown ask_status"],
        )
        self.assertEqual([one.body()["orderId"] for one in service.requests], ["ORD-2"])

    def test_all_orders_are_created(self) -> None:
        for name in ("with_trio.py", "with_gevent.py"):
            with self.subTest(name), Service() as service:
                output = self.run_program(name, PATIENCE, service)
                expected = {
                    f"ORD-{number} https://checkout.example.com/pay/ORD-{number}"
                    for number in range(self.COUNT)
                }
                self.assertEqual(set(output), expected)

    def test_cancelled_orders_say_whether_they_may_exist(self) -> None:
        for name in ("with_trio.py", "with_gevent.py"):
            with self.subTest(name):
                # Where one is cancelled, another one may begin before it is cancelled too. A busy
                # machine needs more time for the first ones.
                sent = (self.count_of_cancelled(name, seconds) for seconds in (1, 5, 15))
                self.assertTrue(any(count >= 64 for count in sent))

    def count_of_cancelled(self, name: str, seconds: float) -> int:
        """How many orders were sent, when all are cancelled after this time."""
        with Service(create=[HELD]) as service:
            began = time.monotonic()
            output = self.run_program(name, seconds, service)
            self.assertLess(time.monotonic() - began, PATIENCE)
            may_exist = [line for line in output if "unknown ask_status" in line]
            self.assertEqual(len(may_exist), len(service.requests))
            self.assertEqual(len(output), self.COUNT, output)
            return len(may_exist)

    def test_gevent_sends_no_order_after_its_time_limit_and_drops_no_outcome(self) -> None:
        with Service(create=[HELD]) as service:
            self.check_late(LATE_IN_GEVENT, service)

    def test_trio_sends_no_order_after_its_time_limit(self) -> None:
        with Service(create=[HELD]) as service:
            self.check_late(LATE_IN_TRIO, service)

    def test_trio_ends_when_a_scope_around_it_is_cancelled(self) -> None:
        with Service(create=[HELD]) as service:
            self.environment["PAYORDER_BASE_URL"] = service.url
            self.environment["PYTHONPATH"] += os.pathsep + str(EXAMPLES)
            orders = self.folder / "orders.jsonl"
            orders.write_text(json.dumps(order(1)), encoding="utf-8")
            output = self.output("-c", textwrap.dedent(CANCELLED_IN_TRIO), str(orders))
            self.assertEqual(output, ["ORD-1 unknown ask_status", "ended"])


LATE_IN_GEVENT = """
    import with_gevent
    import gevent, json, payorder, sys, time

    class TooLate(Exception):
        pass

    with payorder.Client.from_env() as client:
        calls = with_gevent.Calls(client)
        for order, computes in zip(json.loads(sys.argv[1]), (1.5, 0)):
            try:
                with gevent.Timeout(1, TooLate):
                    time.sleep(computes)
                    calls.result("create_order", order)
            except TooLate as stop:
                error = stop.__cause__
                said = error and f"{error.outcome} {error.action}"
                print("too late, because", said)
        calls.close()
"""

LATE_IN_TRIO = """
    import json, payorder, sys, time, trio, with_trio

    async def main():
        with payorder.Client.from_env() as client:
            calls = with_trio.Calls(client)
            async with trio.open_nursery() as taking:
                taking.start_soon(calls.take)
                for order, computes in zip(json.loads(sys.argv[1]), (1.5, 0)):
                    said = None
                    with trio.move_on_after(1):
                        time.sleep(computes)
                        try:
                            await calls.result("create_order", order)
                        except payorder.PayorderError as error:
                            said = f"{error.outcome} {error.action}"
                    print("too late, because", said)
                calls.close()

    trio.run(main)
"""

CANCELLED_IN_TRIO = """
    import sys, trio, with_trio

    async def main():
        with trio.move_on_after(1):
            await with_trio.main(600, sys.argv[1])
        print("ended")

    trio.run(main)
"""

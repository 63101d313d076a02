"""The programs for Trio and gevent create orders without blocking, and lose none."""

from __future__ import annotations

import json
import time
from typing import List

from programs import EXAMPLES, ProgramTestCase, order
from tests.support import HELD, PATIENCE, Service


class EventLoops(ProgramTestCase):
    #: How many orders: more than run at once.
    COUNT = 100

    def run_program(self, name: str, seconds: float, service: Service) -> List[str]:
        self.environment["PAYORDER_BASE_URL"] = service.url
        self.environment["PAYORDER_JOURNAL"] = str(self.folder / f"{name}.sqlite")
        orders = self.folder / "orders.jsonl"
        lines = (json.dumps(order(number)) for number in range(self.COUNT))
        orders.write_text("\n".join(lines), encoding="utf-8")
        program = self.start(str(EXAMPLES / name), str(seconds), str(orders))
        self.assertEqual(program.end(), 0, program.output)
        return program.output

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
            with self.subTest(name), Service(create=[HELD]) as service:
                began = time.monotonic()
                output = self.run_program(name, 1, service)
                self.assertLess(time.monotonic() - began, PATIENCE)
                may_exist = [line for line in output if "unknown ask_status" in line]
                self.assertEqual(len(may_exist), len(service.requests))
                # Where one is cancelled, another one may begin before it is cancelled too.
                self.assertGreaterEqual(len(may_exist), 64)
                self.assertEqual(len(output), self.COUNT, output)

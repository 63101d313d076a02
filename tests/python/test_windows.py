"""A window goes on during a call, and loses no checkout URL when it is closed."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import threading
import time
import unittest
from typing import Dict, Tuple

from programs import EXAMPLES, ProgramTestCase, order
from tests.support import HELD, PATIENCE, WANTS_ALL, Service

#: What a toolkit needs to press the button, to have a timer of 20 ms, and to close the window.
MEASURED = """
import json, sys, time
sys.path.insert(0, {examples!r})
import payorder, {module} as program
gaps, last, ends = [], [time.monotonic()], [float("inf")]
def tick():
    gaps.append(time.monotonic() - last[0])
    last[0] = time.monotonic()
    return last[0] > ends[0]
def clicks():
    gaps.clear()
    last[0] = time.monotonic()
    ends[0] = last[0] + float(sys.argv[2])
def told():
    print("longest", max(gaps), flush=True)
order = json.load(open(sys.argv[1]))
client = payorder.Client.from_env(proxy="none")
{toolkit}
client.close()
"""
TOOLKITS: Dict[str, Tuple[str, str, str]] = {
    "tkinter": (
        "window_tk",
        "python3-tk",
        """
till = program.Till(client, order)
def timer():
    if tick(): told(); till.close()
    else: till.after(20, timer)
till.after(20, timer)
till.after(100, lambda: (clicks(), till.button.invoke()))
till.mainloop()
""",
    ),
    "PyQt5": (
        "window_qt",
        "PyQt5",
        """
from PyQt5.QtCore import QTimer
application = program.QApplication([])
till = program.Till(client, order)
till.show()
timer = QTimer()
def timed():
    if tick(): timer.stop(); told(); till.close()
timer.timeout.connect(timed)
timer.start(20)
QTimer.singleShot(100, lambda: (clicks(), till.click()))
application.exec()
""",
    ),
    "textual": (
        "window_textual",
        "textual",
        """
import asyncio
async def used():
    async with program.AsyncClient.from_env(proxy="none") as client:
        till = program.Till(client, order)
        async with till.run_test() as pilot:
            clicks()
            await pilot.click("Button")
            while not tick(): await asyncio.sleep(0.02)
            told()
            shown = till.query_one("Static")
            assert shown.size.width >= len(str(shown.render())), shown.size
            await till.action_quit()
        print(till.return_value)
asyncio.run(used())
""",
    ),
}


def python_with(module: str) -> str:
    """Debian's Python has tkinter, and one from elsewhere may not."""
    for python in (sys.executable, "/usr/bin/python3"):
        if python == sys.executable and importlib.util.find_spec(module):
            return python
        if (
            subprocess.run([python, "-c", f"import {module}"], stderr=subprocess.DEVNULL).returncode
            == 0
        ):
            return python
    return ""


class Windows(ProgramTestCase):
    def run_window(self, toolkit: str, seconds: float, service: Service) -> Tuple[str, float]:
        """What the till printed, and the longest gap between two ticks."""
        module, package, lines = TOOLKITS[toolkit]
        python = python_with(toolkit)
        if not python or not shutil.which("xvfb-run"):
            self.assertFalse(WANTS_ALL, f"needs xvfb and {package}")
            self.skipTest(f"needs xvfb and {package}")
        self.environment["PAYORDER_BASE_URL"] = service.url
        self.environment["PAYORDER_JOURNAL"] = ""
        file = self.folder / "order.json"
        file.write_text(json.dumps(order(1)), encoding="utf-8")
        program = MEASURED.format(examples=str(EXAMPLES), module=module, toolkit=lines)
        window = subprocess.run(
            ["xvfb-run", "-a", python, "-c", program, str(file), str(seconds)],
            env={**os.environ, **self.environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            universal_newlines=True,
            timeout=PATIENCE * 2,
        )
        self.assertEqual(window.returncode, 0, window.stdout)
        said = [line for line in window.stdout.splitlines() if line[:7] in ("pay at ", "unknown")]
        self.assertEqual(len(said), 1, window.stdout)
        return said[0], float(window.stdout.partition("longest ")[2].split()[0])

    def answer_late(self, service: Service, seconds: float) -> None:
        if service.received():
            time.sleep(seconds)
        service.release()

    def test_a_window_goes_on_while_the_service_is_slow(self) -> None:
        for toolkit in TOOLKITS:
            with self.subTest(toolkit):
                # The machine may be busy: the best of three.
                gaps = [self.gap_while_the_service_is_slow(toolkit)]
                while gaps[-1] > 0.2 and len(gaps) < 3:
                    gaps.append(self.gap_while_the_service_is_slow(toolkit))
                self.assertLessEqual(min(gaps), 0.2)

    def gap_while_the_service_is_slow(self, toolkit: str) -> float:
        return self.sell_in_a_window(toolkit, answered=1, closed=2)

    def sell_in_a_window(self, toolkit: str, answered: float, closed: float) -> float:
        """The longest gap between two ticks. Both are seconds after the click."""
        with Service(create=[HELD]) as service:
            slow = threading.Thread(target=self.answer_late, args=(service, answered))
            slow.start()
            said, longest = self.run_window(toolkit, closed, service)
            self.assertTrue(said.startswith("pay at https://"), said)
            slow.join()
            self.assertEqual(len(service.requests), 1)
            return longest

    def test_a_window_that_is_closed_during_a_call_lets_the_order_finish(self) -> None:
        for toolkit in TOOLKITS:
            with self.subTest(toolkit):
                self.sell_in_a_window(toolkit, answered=3, closed=1)


if __name__ == "__main__":
    unittest.main()

"""A test case that fails if a client or a string is left over."""

from __future__ import annotations

import gc
import time
import unittest

from payorder._library import library

from .service import PATIENCE


class CountedTestCase(unittest.TestCase):
    """Fails if the library still counts a live client or string after the test."""

    def tearDown(self) -> None:
        gc.collect()
        # A thread for many statuses may still be ending.
        give_up = time.monotonic() + PATIENCE
        while _left() and time.monotonic() < give_up:
            time.sleep(0.01)
            gc.collect()
        self.assertEqual(
            library.payorder_live_clients(), 0, "clients that were not freed"
        )
        self.assertEqual(
            library.payorder_live_strings(), 0, "strings that were not freed"
        )


def _left() -> int:
    clients: int = library.payorder_live_clients()
    strings: int = library.payorder_live_strings()
    return clients + strings

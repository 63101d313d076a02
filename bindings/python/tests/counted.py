"""A test case that fails if a client or a string is left over."""

from __future__ import annotations

import gc
import unittest

from payorder._library import library


class CountedTestCase(unittest.TestCase):
    """Fails if the library still counts a live client or string after the test."""

    def tearDown(self) -> None:
        gc.collect()
        self.assertEqual(
            library.payorder_live_clients(), 0, "clients that were not freed"
        )
        self.assertEqual(
            library.payorder_live_strings(), 0, "strings that were not freed"
        )

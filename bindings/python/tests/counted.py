"""A test that leaves no client and no string behind."""

from __future__ import annotations

import gc
import unittest

from payorder._library import library


class CountedTestCase(unittest.TestCase):
    """Fails where the library still counts a live client or string when the test is over."""

    def tearDown(self) -> None:
        gc.collect()
        self.assertEqual(
            library.payorder_live_clients(), 0, "clients that were not freed"
        )
        self.assertEqual(
            library.payorder_live_strings(), 0, "strings that were not freed"
        )

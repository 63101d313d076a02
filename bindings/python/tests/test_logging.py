"""The library's events in `logging`."""

from __future__ import annotations

import contextlib
import io
import json
import logging
import os
import unittest
import warnings
from typing import Any, Iterator, List
from unittest import mock

from payorder import _events
from payorder._library import LOG_FN, library

from .support import CHECKOUT_URL, ORDER, PATIENCE, CountedTestCase, eventually, served


@contextlib.contextmanager
def listening(handler: logging.Handler, level: int = logging.DEBUG) -> Iterator[None]:
    logger = logging.getLogger("payorder")
    before = logger.level
    logger.setLevel(level)
    with mock.patch.multiple(logger, handlers=[handler], propagate=False):
        try:
            yield
        finally:
            logger.setLevel(before)


class Logging(CountedTestCase):
    def test_each_event_has_its_level(self) -> None:
        busy = {"http": 503, "text": "busy"}
        with served(status=[busy, {"found": {}}]) as (_, client), self.assertLogs(
            "payorder", logging.DEBUG
        ) as logged:
            client.create_order(**ORDER)
            client.get_status(order_id="ORD-1")
            # Also an event that this version does not know.
            _events._STORE(b'{"event":"journal_failed"}', None)
            _events.log_pending_events()
        records: List[Any] = logged.records
        levels = {one.payorder["event"]: one.levelname for one in records}
        self.assertEqual(
            levels,
            {
                "attempt_started": "DEBUG",
                "attempt_finished": "DEBUG",
                "attempt_failed": "WARNING",
                "call_finished": "INFO",
                "journal_failed": "WARNING",
            },
        )
        for record in records:
            self.assertEqual(record.name, "payorder")
            self.assertEqual(json.loads(record.getMessage()), record.payorder)

    def test_without_a_handler_the_library_makes_no_events(self) -> None:
        heard: List[bytes] = []
        keep = LOG_FN(lambda event, user_data: heard.append(event))
        with served() as (_, client), mock.patch.object(_events, "_STORE", keep):
            with listening(logging.NullHandler(), logging.ERROR):
                client.create_order(**ORDER)
                self.assertEqual(heard, [])
                logging.getLogger("payorder").setLevel(logging.WARNING)
                client.create_order(**ORDER)
                self.assertEqual(len(heard), 3)
                with mock.patch.object(logging.getLogger("payorder"), "handlers", []):
                    client.create_order(**ORDER)
                self.assertEqual(len(heard), 3)

    @unittest.skipUnless(hasattr(os, "fork"), "this system does not fork")
    def test_a_forked_child_logs_none_of_its_parents_events(self) -> None:
        events: List[str] = []
        handler = logging.Handler()
        with served() as (_, client), listening(handler), mock.patch.object(
            handler, "emit", lambda record: events.append(record.payorder["orderId"])
        ):
            client.start("get_status", "ORD-PARENT")
            # Its events wait until it is taken.
            self.assertTrue(eventually(lambda: library.payorder_live_calls() == 0))
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", DeprecationWarning)
                child = os.fork()
            if child == 0:
                with contextlib.suppress(BaseException):
                    client.get_status("ORD-CHILD")
                os._exit(len(set(events)) if "ORD-CHILD" in events else 99)
            self.assertEqual(os.waitpid(child, 0)[1] >> 8, 1)
            self.assertEqual(len(client.take_done(PATIENCE)), 1)
        self.assertEqual(set(events), {"ORD-PARENT"})

    def test_nothing_that_logging_raises_hides_the_result(self) -> None:
        def broken(*_: Any, **__: Any) -> Any:
            raise RuntimeError("broken")

        handler, closed = logging.Handler(), io.StringIO()
        closed.close()
        factory = logging.getLogRecordFactory()
        self.addCleanup(logging.setLogRecordFactory, factory)
        with served() as (_, client), listening(handler):
            with contextlib.redirect_stderr(closed):
                with mock.patch.object(handler, "emit", broken):
                    self.assertEqual(client.create_order(**ORDER).url, CHECKOUT_URL)
            logging.setLogRecordFactory(broken)
            self.assertEqual(client.create_order(**ORDER).url, CHECKOUT_URL)

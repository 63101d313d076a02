from __future__ import annotations

import contextlib
import io
import json
import logging
from typing import Any, Iterator, List
from unittest import mock

from payorder import _events
from payorder._library import LOG_FN

from .counted import CountedTestCase
from .service import (
    served,
    CHECKOUT_URL,
    CREATED,
    ORDER,
    STATUS,
    Answer,
)


class Kept(logging.Handler):
    """A handler that stores its records."""

    def __init__(self) -> None:
        super().__init__()
        self.records: List[Any] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)


@contextlib.contextmanager
def listening(handler: logging.Handler, level: int = logging.DEBUG) -> Iterator[None]:
    logger = logging.getLogger("payorder")
    before = (logger.level, logger.propagate)
    logger.setLevel(level)
    logger.propagate = False
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.level, logger.propagate = before
        logger.setLevel(before[0])


class Logging(CountedTestCase):
    def test_a_call_logs_its_attempts_and_its_end(self) -> None:
        kept = Kept()
        with served(CREATED) as (service, client):
            with listening(kept):
                client.create_order(**ORDER)
        self.assertEqual([record.name for record in kept.records], ["payorder"] * 3)
        self.assertEqual(
            [(record.payorder["event"], record.levelname) for record in kept.records],
            [
                ("attempt_started", "DEBUG"),
                ("attempt_finished", "DEBUG"),
                ("call_finished", "INFO"),
            ],
        )
        finished = kept.records[-1]
        self.assertEqual(json.loads(finished.getMessage()), finished.payorder)
        self.assertEqual(
            (finished.payorder["orderId"], finished.payorder["result"]), ("ORD-1", 0)
        )

    def test_a_failed_attempt_is_a_warning(self) -> None:
        kept = Kept()
        with served(Answer("busy", 503), STATUS) as (service, client):
            with listening(kept, logging.WARNING):
                client.get_status(order_id="ORD-1")
        (record,) = kept.records
        self.assertEqual(
            (record.levelname, record.payorder["event"]), ("WARNING", "attempt_failed")
        )
        self.assertEqual(record.payorder["name"], "PAYORDER_SERVICE_FAILED")

    def test_an_unknown_failure_event_is_a_warning(self) -> None:
        kept = Kept()
        with listening(kept, logging.INFO):
            for event in (b'{"event":"journal_failed"}', b'{"event":"something_new"}'):
                _events._STORE(event, None)
            _events.log_pending_events()
        self.assertEqual([record.levelname for record in kept.records], ["WARNING"])

    def test_without_a_handler_the_library_makes_no_events(self) -> None:
        heard: List[bytes] = []
        keep = LOG_FN(lambda event, user_data: heard.append(event))
        with served(CREATED) as (service, client):
            with mock.patch.object(_events, "_STORE", keep), listening(
                Kept(), logging.ERROR
            ):
                client.create_order(**ORDER)
                self.assertEqual(heard, [])
                logging.getLogger("payorder").setLevel(logging.WARNING)
                client.create_order(**ORDER)
                self.assertEqual(len(heard), 3)
                with mock.patch.object(logging.getLogger("payorder"), "handlers", []):
                    client.create_order(**ORDER)
                self.assertEqual(len(heard), 3)

    def test_nothing_that_logging_raises_hides_the_result(self) -> None:
        def broken(*arguments: Any, **others: Any) -> logging.LogRecord:
            raise RuntimeError("broken factory")

        class Broken(logging.Handler):
            def emit(self, record: logging.LogRecord) -> None:
                raise RuntimeError("broken handler")

        closed = io.StringIO()
        closed.close()
        factory = logging.getLogRecordFactory()
        with served(CREATED) as (service, client):
            with listening(Broken()), contextlib.redirect_stderr(closed):
                self.assertEqual(client.create_order(**ORDER).url, CHECKOUT_URL)
            with listening(Kept()):
                logging.setLogRecordFactory(broken)
                try:
                    self.assertEqual(client.create_order(**ORDER).url, CHECKOUT_URL)
                finally:
                    logging.setLogRecordFactory(factory)

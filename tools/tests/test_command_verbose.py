"""The lines of `--verbose`."""

from __future__ import annotations

import io
import json
import re
import time
import unittest
from contextlib import redirect_stderr
from typing import Any, List
from unittest import mock

from payorder import _events
from payorder_tools.command.log_lines import LogLines

from .commands import (
    DONE,
    NOT_SENT,
    ORDER,
    REJECTED,
    UNKNOWN,
    VARIABLES,
    CommandTestCase,
    readme_block,
    run,
)
from .service import CREATED, STATUS, Answer, Service, closed_port

CREATE = ["create", "--order-id", "ORD-1", "--amount", "100.00", *ORDER, "--verbose"]
#: What a merchant's log must not contain.
SECRETS = (
    *VARIABLES.values(),
    "Asha",
    "9000000001",
    "asha@",
    "shop.example",
    "100.00",
)


def lines(stderr: str) -> List[str]:
    """The lines of the log, without their times."""
    found = re.findall(r"^\d\d:\d\d:\d\d\.\d\d\d  (.*)$", stderr, re.MULTILINE)
    return [re.sub(r"\d+ ms", "N ms", line) for line in found]


class Lines(CommandTestCase):
    def verbose(self, service: Service, *arguments: str, status: int) -> List[str]:
        ended = run(None, *arguments, PAYORDER_BASE_URL=service.url, **VARIABLES)
        self.assertEqual(ended.returncode, status, ended)
        return lines(ended.stderr)

    def test_the_lines_say_what_happens_where_and_how_it_ended(self) -> None:
        with Service(CREATED, Answer("busy", 503), STATUS, Answer("{}", 401)) as one:
            host = one.url.partition("//")[2]
            self.assertEqual(
                self.verbose(one, *CREATE, status=DONE),
                [
                    f"create order ORD-1: attempt 1 begins, to {host}",
                    "create order ORD-1: attempt 1 has a response after N ms (HTTP 200)",
                    "create order ORD-1: ended after N ms: done",
                ],
            )
            asked = self.verbose(one, "status", "ORD-1", "--verbose", status=DONE)
            self.assertEqual(
                asked,
                [
                    f"get status ORD-1: attempt 1 begins, to {host}",
                    "get status ORD-1: attempt 1 failed after N ms: no usable response "
                    "(service_error, HTTP 503, PAYORDER_SERVICE_FAILED)",
                    f"get status ORD-1: attempt 2 begins, to {host}",
                    "get status ORD-1: attempt 2 has a response after N ms (HTTP 200), "
                    "the payment is Completed",
                    "get status ORD-1: ended after N ms: done",
                ],
            )
            refused = self.verbose(one, *CREATE, status=REJECTED)
            self.assertIn("the service refused the request", refused[-1])

    def test_the_lines_of_the_readme_are_the_real_ones(self) -> None:
        written = lines(readme_block("text", "03:04:07.500"))
        with Service(CREATED) as service:
            host = service.url.partition("//")[2]
            real = self.verbose(service, *CREATE, status=DONE)
        expected = [line.replace(host, "pay.example.com:443") for line in real]
        self.assertEqual(written, [line.replace("ORD-1", "ORD-5") for line in expected])

    def test_a_lost_response_is_called_an_order_that_may_exist(self) -> None:
        with Service(Answer("no JSON")) as service:
            ended = self.verbose(service, *CREATE, status=UNKNOWN)
        self.assertIn("ended after N ms: the order may exist (", ended[-1])
        nobody = {"PAYORDER_BASE_URL": f"http://127.0.0.1:{closed_port()}"}
        refused = run(None, *CREATE, **nobody, **VARIABLES)
        self.assertEqual(refused.returncode, NOT_SENT)
        self.assertIn(
            "ended after N ms: nothing was sent (connection_refused, ",
            lines(refused.stderr)[-1],
        )

    def test_no_line_has_a_credential_or_personal_data(self) -> None:
        private = {**STATUS["data"], "customerName": "Asha Rao", "amount": "100.00"}
        echoed = Answer(json.dumps({"responseMessage": " ".join(SECRETS)}), 403)
        with Service(CREATED, {**STATUS, "data": private}, echoed) as service:
            told = self.verbose(service, *CREATE, status=DONE)
            told += self.verbose(service, "status", "ORD-1", "--verbose", status=DONE)
            told += self.verbose(service, *CREATE, status=REJECTED)
        self.assertGreater(len(told), 8)
        for secret in SECRETS:
            self.assertNotIn(secret, "\n".join(told))


class Times(unittest.TestCase):
    def shown(self, *events: str) -> str:
        handler = LogLines()
        with redirect_stderr(io.StringIO()) as stderr:
            for text in events:
                handler.emit(self.record(text))
        return stderr.getvalue()

    def record(self, text: str) -> Any:
        records: List[Any] = []
        with mock.patch.object(_events._log, "handle", records.append):
            with mock.patch.object(_events._log, "isEnabledFor", return_value=True):
                _events._log_event(text)
        records[0].created = time.mktime((2024, 1, 2, 3, 4, 10, 0, 0, -1))
        return records[0]

    def test_each_line_has_the_time_of_its_event(self) -> None:
        of_call = '"operation":"get_status","orderId":"A","host":"h:1"'
        shown = self.shown(
            f'{{"event":"attempt_started",{of_call},"attempt":1,"elapsedMs":0}}',
            f'{{"event":"call_finished",{of_call},"elapsedMs":2500,"result":0,"name":"x"}}',
        )
        self.assertEqual(
            shown,
            "03:04:07.500  get status A: attempt 1 begins, to h:1\n"
            "03:04:10.000  get status A: ended after 2500 ms: done\n",
        )

    def test_a_text_cannot_change_the_terminal(self) -> None:
        shown = self.shown(
            '{"event":"call_finished","operation":"get_status","orderId":"A\\u001b[2J",'
            '"host":"h","elapsedMs":1,"result":0,"name":"x"}'
        )
        self.assertNotIn("\x1b", shown)
        self.assertIn('"A\\u001b[2J"', shown)

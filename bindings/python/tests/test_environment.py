"""`Client.from_env` reads the environment, and never shows a credential."""

from __future__ import annotations

import asyncio
import os
import tempfile
import unittest
from pathlib import Path
from typing import Any
from unittest import mock

import payorder
from payorder import aio
from payorder_tools.command import settings as command
from payorder.configuration import CA_VARIABLE, FILE_VARIABLE, VARIABLES

from .counted import CountedTestCase
from .service import CREATED, ORDER, STATUS, Service

SECRETS = {
    "PAYORDER_ACCESS_TOKEN": "token-7Hq2",
    "PAYORDER_CLIENT_KEY": "key-9Xw4",
    "PAYORDER_CLIENT_ID": "id-3Lm8",
    "PAYORDER_SECRET_KEY": "secret-5Rt6",
}
ADDRESS = {"PAYORDER_BASE_URL": "https://pay.example.com"}
ALL = {**ADDRESS, **SECRETS}


class Environment(CountedTestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        kept = {
            name: value
            for name, value in os.environ.items()
            if name == "PAYORDER_LIBRARY" or not name.startswith("PAYORDER_")
        }
        patched = mock.patch.dict(os.environ, kept, clear=True)
        patched.start()
        self.addCleanup(patched.stop)

    def test_every_variable_is_used(self) -> None:
        journal = str(self.folder / "orders.sqlite")
        with Service(CREATED, STATUS) as service:
            variables = {**SECRETS, "PAYORDER_BASE_URL": service.url}
            with mock.patch.dict(
                os.environ, {**variables, "PAYORDER_JOURNAL": journal}
            ):
                client = payorder.Client.from_env(proxy="none")
            with client:
                client.create_order(**ORDER)
                client.get_status(order_id="ORD-1")
                (entry,) = client.journal.list()
            created, asked = service.requests
        self.assertEqual(entry.order_id, "ORD-1")
        self.assertEqual(created.headers["access-token"], "token-7Hq2")
        self.assertEqual(asked.headers["x-client-key"], "key-9Xw4")
        self.assertEqual(asked.headers["x-client-id"], "id-3Lm8")
        self.assertEqual(asked.headers["x-secret-key"], "secret-5Rt6")
        self.assertEqual(repr(client), "<payorder.Client of PAYORDER_BASE_URL>")

    def test_a_client_for_asyncio_has_the_same_settings(self) -> None:
        async def keys() -> None:
            async with aio.AsyncClient.from_env(proxy="none") as client:
                await client.get_status(order_id="ORD-1")

        with Service(STATUS) as service:
            variables = {**SECRETS, "PAYORDER_BASE_URL": service.url}
            with mock.patch.dict(os.environ, variables):
                asyncio.run(keys())
            (asked,) = service.requests
        self.assertEqual(asked.headers["x-secret-key"], "secret-5Rt6")
        with self.assertRaisesRegex(payorder.InvalidConfigError, "PAYORDER_BASE_URL"):
            aio.AsyncClient.from_env()

    def test_arguments_override_the_environment(self) -> None:
        with mock.patch.dict(os.environ, ALL):
            with self.assertRaisesRegex(payorder.InvalidConfigError, r"\btimeout\b"):
                payorder.Client.from_env(timeout=0)
            with self.assertRaises(payorder.InvalidConfigError) as raised:
                payorder.Client.from_env(access_token=" padded ")
            self.assertNotIn("padded", f"{raised.exception!r} {raised.exception.raw}")
            other = "https://other.example.com"
            with payorder.Client.from_env(other, timeout=5) as client:
                self.assertIn("other.example.com", repr(client))
            unknown: Any = {"time_out": 5}
            with self.assertRaisesRegex(TypeError, "from_env.*'time_out'"):
                payorder.Client.from_env(**unknown)

    def test_the_variables_are_documented_for_programs_and_for_the_command_line(
        self,
    ) -> None:
        documented = payorder.Client.from_env.__doc__ or ""
        for name in (*VARIABLES.values(), CA_VARIABLE, FILE_VARIABLE):
            self.assertIn(name, documented)
            self.assertIn(name, command.HELP)


if __name__ == "__main__":
    unittest.main()

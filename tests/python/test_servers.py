"""Two servers of the shop with one journal, and what the guide about them says."""

from __future__ import annotations

import os
import random
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from textwrap import dedent
from typing import Dict, Set

import payorder
from browser import Browser
from programs import EXAMPLES, Program, ProgramTestCase
from tests.database import PASSWORD, Database
from tests.support import CREDENTIALS, ORDER, PATIENCE, PROJECT, WANTS_ALL, eventually


#: What the balancer's cookie says.
SERVERS = ["SERVER=one", "SERVER=two"]


class Servers(ProgramTestCase, Browser):
    def setUp(self) -> None:
        if shutil.which("haproxy") is None and not WANTS_ALL:
            raise unittest.SkipTest("haproxy is not installed")
        super().setUp()
        database = Database()
        self.addCleanup(database.__exit__)
        self.port = three_free_ports()
        self.served: Set[str] = set()
        self.environment.update(
            PATH=f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            PAYORDER_JOURNAL=database.uri("postgres"),
            PORT=str(self.port),
            SHOP_URL="https://shop.example",
        )
        servers = Program(["sh", str(EXAMPLES / "two-servers")], self.environment)
        self.addCleanup(servers.close)
        self.addCleanup(servers.end)
        self.addCleanup(servers.signal, signal.SIGTERM)
        servers.until("Booting worker", times=2)
        self.address = f"127.0.0.1:{self.port}"
        self.assertTrue(eventually(self.both_serve), servers.output)

    def both_serve(self) -> bool:
        self.cookie = ""
        try:
            self.ask("GET", "/")
        except ConnectionRefusedError:  # haproxy has not started yet.
            return False
        self.served.add(self.cookie)
        return self.served >= set(SERVERS)

    def kill_its_server(self) -> None:
        """Kills the server that serves this customer, with all its processes."""
        port = self.port + 1 + SERVERS.index(self.cookie)
        main = (self.folder / f"server-{port}.pid").read_text().strip()
        workers = subprocess.check_output(["pgrep", "-P", main]).decode().split()
        for process in (main, *workers):
            os.kill(int(process), signal.SIGKILL)
        self.assertTrue(eventually(lambda: is_free(port)))

    def is_delivered_once(self, form: Dict[str, str]) -> None:
        for _ in range(2):
            returned = self.ask("GET", f"/return/{form['order_id']}?txn=1")
            self.assertEqual(returned.status, 200, returned.text)
            self.assertIn("Paid: 249.50", returned.text)
        with sqlite3.connect(self.folder / "shop.sqlite") as shop:
            sales = shop.execute("select state from orders").fetchall()
        self.assertEqual(sales, [("paid",)])
        self.assertEqual(len(self.sandbox.requests()), 2, "an order, and a question")
        [entry] = self.entries()
        self.assertEqual((entry.state, entry.transaction_status), ("created", "Completed"))

    def test_a_server_is_killed_while_the_customer_pays(self) -> None:
        form, sold = self.buy("coffee")
        self.assertEqual(sold.status, 303)
        self.kill_its_server()
        self.sandbox.pay(form["order_id"])
        self.is_delivered_once(form)

    def test_a_server_is_killed_while_it_sends_the_order(self) -> None:
        form = self.form("coffee")
        self.sandbox.fault("create:*:stall")
        with ThreadPoolExecutor(1) as clicks:
            first = clicks.submit(self.ask, "POST", "/buy", **form)
            self.assertTrue(eventually(lambda: len(self.sandbox.orders()) == 1))
            self.kill_its_server()
            self.assertEqual(first.result().status, 502)
        # The other one sends nothing, also when the first one's time limit is over.
        give_up = time.monotonic() + PATIENCE
        state = ""
        while state != "unknown":
            self.assertEqual(self.ask("POST", "/buy", **form).status, 202)
            self.assertLess(time.monotonic(), give_up, state)
            state = self.entries()[0].state
        self.assertEqual(self.ask("POST", "/buy", **form).status, 202)
        self.sandbox.pay(form["order_id"])
        self.is_delivered_once(form)


class Guide(ProgramTestCase):
    """Runs the blocks of docs/guides/several-servers.md."""

    def setUp(self) -> None:
        super().setUp()
        self.database = Database()
        self.addCleanup(self.database.__exit__)
        text = (PROJECT / "docs/guides/several-servers.md").read_text(encoding="utf-8")
        address = f"127.0.0.1:{self.database.port}"
        for promised, real in (
            (
                "host=db.example port=5432",
                "host=127.0.0.1 port=%d" % self.database.port,
            ),
            ("db.example:5432", address),
            ("?sslmode=verify-full'", "'"),
        ):
            self.assertIn(promised, text)
            text = text.replace(promised, real)
        blocks = re.findall(r"^ *```(\w+)\n(.*?)^ *```", text, re.DOTALL | re.MULTILINE)
        self.blocks = {
            language: [dedent(text) for kind, text in blocks if kind == language]
            for language, _ in blocks
        }
        command = self.folder / "payorder"
        command.write_text(f"#!/bin/sh\nexec '{sys.executable}' -m payorder \"$@\"\n")
        command.chmod(0o755)
        passwords = self.folder / ".pgpass"
        passwords.write_text(f"{address}:*:postgres:{PASSWORD}\n")
        passwords.chmod(0o600)
        self.environment.update(
            PATH=f"{self.folder}:{os.environ['PATH']}",
            HOME=str(self.folder),
            PGPASSFILE=str(passwords),
            PGHOST="127.0.0.1",
            PGPORT=str(self.database.port),
            PGUSER="postgres",
        )
        self.database.sql("DROP DATABASE shop", "postgres")

    def run_it(self, script: str) -> str:
        return subprocess.check_output(
            ["bash", "-e", "-c", script],
            env=self.environment,
            stderr=subprocess.STDOUT,
            universal_newlines=True,
        )

    def test_the_commands_and_the_queries_do_what_it_says(self) -> None:
        script = "".join(self.blocks["sh"])
        self.assertEqual(self.run_it(script), self.blocks["text"][0])
        uri = f"postgresql://shop:change-me@127.0.0.1:{self.database.port}/shop"
        self.sandbox.fault("create:*:stall")
        with payorder.Client(self.sandbox.url, journal=uri, timeout=1, **CREDENTIALS) as client:
            with self.assertRaises(payorder.OutcomeUnknownError):
                client.create_order(ORDER)
            # While the client has its connection.
            shown = self.database.sql(self.blocks["sql"][0])
        self.assertRegex(shown, r"^unknown\|1\|20.*\n127.0.0.1\|idle\|1\n$")
        cleaner = uri.replace("shop:", "cleaner:", 1)
        with payorder.Client(self.sandbox.url, journal=cleaner) as client:
            self.assertEqual(client.journal.prune(), 0)

    def test_a_pooler_works_in_each_mode(self) -> None:
        if shutil.which("pgbouncer") is None and not WANTS_ALL:
            raise unittest.SkipTest("pgbouncer is not installed")
        self.run_it(self.blocks["sh"][0])
        port = three_free_ports()
        users = self.folder / "users"
        users.write_text('"shop" "change-me"\n')
        settings = self.folder / "pgbouncer.ini"
        self.folder.chmod(0o755)
        for mode in ("transaction", "session", "statement"):
            text = self.blocks["ini"][0].replace("transaction", mode)
            settings.write_text(
                f"{text}listen_addr = 127.0.0.1\nlisten_port = {port}\nauth_type = plain\n"
                f"auth_file = {users}\nunix_socket_dir =\nuser = postgres\n"
            )
            pooler = Program(["pgbouncer", str(settings)], self.environment)
            self.addCleanup(pooler.close)
            pooler.until("process up")
            uri = f"postgresql://shop:change-me@127.0.0.1:{port}/shop"
            with payorder.Client(self.sandbox.url, journal=uri, **CREDENTIALS) as client:
                client.create_order({**ORDER, "order_id": mode, "merchant_txn_id": mode})
                [entry] = client.journal.list(order_id=mode, events=True)
            self.assertEqual((entry.state, len(entry.events or ())), ("created", 2))
            pooler.close()


def is_free(port: int) -> bool:
    with socket.socket() as asks:
        return asks.connect_ex(("127.0.0.1", port)) != 0


def three_free_ports() -> int:
    """The first of them. Systems give higher ports to outgoing connections."""
    while True:
        port = random.randrange(10000, 30000)
        if all(map(is_free, range(port, port + 3))):
            return port

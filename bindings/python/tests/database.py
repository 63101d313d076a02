"""A PostgreSQL server in a folder of its own."""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from .support import PATIENCE, WANTS_ALL

#: Of each role. No message shows it.
PASSWORD = "Only4The/Database"
_ESCAPED = PASSWORD.replace("/", "%2F")


class Database:
    """A server with an empty database `shop`, and PgBouncer or others by their own means."""

    def __init__(self) -> None:
        found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
        if not found:
            words = "PostgreSQL is not installed"
            raise AssertionError(words) if WANTS_ALL else unittest.SkipTest(words)
        self._programs = found[-1].parent
        self._exits = contextlib.ExitStack()
        folder = tempfile.mkdtemp()
        self._exits.callback(shutil.rmtree, folder)
        self._data = os.path.join(folder, "data")
        password = Path(folder, "password")
        password.write_text(PASSWORD)
        # The server refuses to run as root.
        self._user = pwd.getpwnam("postgres").pw_uid if os.getuid() == 0 else None
        if self._user is not None:
            for path in (folder, password):
                os.chown(path, self._user, -1)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        options = "--username=postgres --encoding=UTF8 --no-locale --no-sync --auth=scram-sha-256"
        make = ["initdb", self._data, *options.split(), f"--pwfile={password}"]
        self._start(*make).communicate(timeout=PATIENCE)
        self.start()
        self.sql("CREATE DATABASE shop", "postgres")

    def __enter__(self) -> Database:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        self._exits.close()

    def start(self) -> None:
        given = f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories="
        run = ["postgres", "-D", self._data, *given.split(), "-c", "fsync=off"]
        self._server = self._start(*run)
        give_up = time.monotonic() + PATIENCE
        ready = [str(self._programs / "pg_isready"), "-q", "-d", self.uri("postgres")]
        while subprocess.run(ready).returncode != 0:
            assert time.monotonic() < give_up and self._server.poll() is None
            time.sleep(0.05)

    def stop(self) -> None:
        # An immediate shutdown: nothing is waited for.
        self._server.send_signal(signal.SIGQUIT)
        self._server.communicate(timeout=PATIENCE)

    def uri(self, role: str, database: str = "shop") -> str:
        return f"postgresql://{role}:{_ESCAPED}@127.0.0.1:{self.port}/{database}"

    def sql(self, text: str, database: str = "shop") -> str:
        """What psql prints for these statements of the owner."""
        psql = ["psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1"]
        return subprocess.run(
            [*psql, self.uri("postgres", database)],
            input=text,
            stdout=subprocess.PIPE,
            check=True,
            universal_newlines=True,
        ).stdout

    def role(self, name: str) -> str:
        """The URI of a new role that may make nothing."""
        self.sql(
            f"CREATE ROLE {name} LOGIN PASSWORD '{PASSWORD}';"
            "REVOKE CREATE ON SCHEMA public FROM PUBLIC"
        )
        return self.uri(name)

    def _start(self, program: str, *arguments: str) -> subprocess.Popen[bytes]:
        user = self._user
        return subprocess.Popen(
            [str(self._programs / program), *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd="/",
            preexec_fn=None if user is None else lambda: os.setuid(user),
        )

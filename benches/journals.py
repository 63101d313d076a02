"""Compares orders without a journal, with one in a file, and with one in PostgreSQL."""

from __future__ import annotations

import os
import pwd
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import measure
from measure import MADE, Target

CALLS = 500
THREADS = (1, 8, 64)


@contextmanager
def database() -> Iterator[str]:
    """The URI of a server of its own, with PostgreSQL's own settings."""
    programs = max(Path("/usr/lib/postgresql").glob("*/bin"))
    # It refuses to run as root.
    user = pwd.getpwnam("postgres").pw_uid if os.getuid() == 0 else os.getuid()

    def start(program: str, *arguments: object) -> subprocess.Popen[bytes]:
        words = [str(word) for word in (programs / program, *arguments)]
        quiet = subprocess.DEVNULL
        return subprocess.Popen(
            words, stdout=quiet, stderr=quiet, cwd="/", preexec_fn=lambda: os.setuid(user)
        )

    with tempfile.TemporaryDirectory() as folder, socket.socket() as free:
        os.chown(folder, user, -1)
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        free.close()
        data = f"{folder}/data"
        start("initdb", data, "-U", "postgres", "-A", "trust", "-E", "UTF8").wait()
        with start("postgres", "-D", data, "-p", port, "-k", folder) as server:
            uri = f"postgresql://postgres@127.0.0.1:{port}/postgres"
            ready = [str(programs / "pg_isready"), "-q", "-d", uri]
            while subprocess.run(ready, check=False).returncode != 0:
                time.sleep(0.1)
            yield uri
            server.terminate()


def start(target: Target, work: str, calls: int, journal: str, threads: int) -> list[str]:
    env = [f"THREADS={threads}", *([f"JOURNAL={journal}"] if journal else [])]
    return ["env", *env, str(MADE / "payorder"), *target, work, str(calls)]


def orders_per_second(target: Target, journal: str, threads: int, programs: int) -> int:
    command = start(target, "threads", 1, journal, threads)
    running = [
        subprocess.Popen(command, env=measure.environment(), stdout=subprocess.PIPE, text=True)
        for _ in range(programs)
    ]
    return sum(int(one.communicate()[0].splitlines()[0]) for one in running)


def instructions(target: Target, journal: str) -> float:
    tool = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]

    def count(calls: int) -> int:
        done = measure.run(*tool, "--trace-children=yes", *start(target, "new-order", calls, journal, 1))
        # That of `env` comes first.
        return int(done.stderr.split("Collected : ")[-1].split()[0])

    return (count(2 * CALLS) - count(CALLS)) / CALLS


def main() -> None:
    measure.build_library()
    text = "| a new order | instructions | µs | " + " | ".join(
        f"orders/s, {count} threads" for count in THREADS
    )
    text += " | two programs of 8 threads |\n|---|" + "---:|" * (3 + len(THREADS)) + "\n"
    with (
        measure.responder("localhost") as targets,
        database() as uri,
        tempfile.TemporaryDirectory() as folder,
    ):
        target = targets["plain"]
        for name, journal in (("none", ""), ("file", f"{folder}/orders.db"), ("PostgreSQL", uri)):
            taken = measure.run(*start(target, "new-order", CALLS, journal, 1)).stdout
            row = [f"{instructions(target, journal):.0f}", f"{float(taken) / 1000:.0f}"]
            row += [str(orders_per_second(target, journal, count, 1)) for count in THREADS]
            row += [str(orders_per_second(target, journal, 8, 2))]
            text += f"| journal: {name} | {' | '.join(row)} |\n"
    (MADE / "journals.md").write_text(text)
    print(text)


if __name__ == "__main__":
    main()

"""Builds the contenders and the responder, runs them, and counts what a call of one needs."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

BENCHES = Path(__file__).resolve().parent
PROJECT = BENCHES.parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR") or PROJECT / "target").absolute()
#: The folder for everything that the benchmarks make.
MADE = TARGET / "bench"
LIBRARY = TARGET / "release" / "libpayorder.so"

#: A URL and a file with certificate authorities, which is "" without TLS.
Target = tuple[str, str]

#: System calls for DNS lookups, threads and connections, which a warm call does not need.
NOT_WARM = {"clone", "clone3", "fork", "vfork", "open", "openat", "socket", "connect"}


def environment() -> dict[str, str]:
    """The environment of a contender: without a proxy or other root certificates."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return {**kept, "LC_ALL": "C.UTF-8"}


def build(contender: str, *links: str) -> None:
    command = [os.environ.get("CC", "cc"), "-O2", "-std=gnu11", "-Wall", "-Wextra"]
    command += ["-Werror", "-I", str(PROJECT / "include"), "-o", str(MADE / contender)]
    source = str(BENCHES / "contenders" / f"{contender}.c")
    subprocess.run([*command, source, *links], check=True)


def build_library() -> None:
    """Builds the library as it is shipped, the contender that uses it, and the responder."""
    MADE.mkdir(parents=True, exist_ok=True)
    cargo = ["cargo", "rustc", "--release", "--locked", "--quiet"]
    library = [*cargo, "--package", "payorder", "--lib", "--crate-type", "cdylib"]
    subprocess.run(library, cwd=PROJECT, check=True)
    # Fast, not small as the library is.
    fast = ["--config", "profile.release.package.responder.opt-level=3"]
    subprocess.run([*cargo, *fast, "--package", "responder"], cwd=PROJECT, check=True)
    folder = LIBRARY.parent
    build("payorder", f"-L{folder}", "-lpayorder", f"-Wl,-rpath,{folder}")


@contextmanager
def responder(host: str) -> Iterator[dict[str, Target]]:
    """A running responder. Its targets are `plain` and `tls`."""
    ca = str(MADE / "ca.pem")
    program = str(TARGET / "release" / "responder")
    with subprocess.Popen(
        [program, ca], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin and process.stdout
        plain, tls = process.stdout.readline().split()
        yield {
            "plain": (f"http://{host}:{plain}", ""),
            "tls": (f"https://{host}:{tls}", ca),
        }
        process.stdin.close()


def run(*command: object) -> subprocess.CompletedProcess[str]:
    words = [str(word) for word in command]
    done = subprocess.run(
        words, capture_output=True, check=False, env=environment(), text=True
    )
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(words)} failed:\n{done.stderr}")
    return done


Count = Callable[..., float]


def _number(pattern: str, text: str) -> int:
    found = re.search(pattern, text)
    if not found:
        raise SystemExit(f"no {pattern!r} in\n{text}")
    return int(found.group(1).replace(",", ""))


def instructions(*command: object) -> float:
    tool = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    return _number(r"Collected : ([0-9]+)", run(*tool, *command).stderr)


def allocations(*command: object) -> float:
    tool = ["valgrind", "--tool=memcheck", "--undef-value-errors=no"]
    return _number(r"total heap usage: ([0-9,]+) allocs", run(*tool, *command).stderr)


def _system_calls(command: tuple[object, ...]) -> dict[str, int]:
    printed = run("strace", "-f", "-q", "-c", "-U", "calls,name", *command).stderr
    rows = (line.split() for line in printed.splitlines())
    counted = (row for row in rows if len(row) == 2 and row[0].isdigit())
    return {name: int(calls) for calls, name in counted if name != "total"}


def system_calls(*command: object) -> float:
    return sum(_system_calls(command).values())


def not_warm(*command: object) -> float:
    return sum(n for name, n in _system_calls(command).items() if name in NOT_WARM)


def each(
    count: Count, program: str, target: Target, work: str, n: int, timeout: int = 30000
) -> float:
    """What one call needs: the difference between a run of 2N calls and one of N.

    So the start and the connection are not counted.
    """
    command = (MADE / program, *target, work)
    once, twice = (count(*command, calls, timeout) for calls in (n, 2 * n))
    return (twice - once) / n

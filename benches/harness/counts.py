"""Figures that do not depend on the machine's load: instructions, allocations, system calls.

Each is the difference between a run of 2N calls and one of N calls, so that the start and the
connection are not counted.

`python -m harness.counts` compares the library's counts with the file `limits`.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Callable, Dict, List, Tuple

from . import places
from .contender import counted
from .responder import Responder

N = 100
#: So many that a system call more or less at the start does not matter.
N_SYSTEM_CALLS = 1000
WARM = 20
#: Offline functions are short, so they need more calls.
N_OFFLINE = 1000
OFFLINE = (
    "build-order",
    "build-query",
    "return-url",
    "verify",
    "json-object",
    "json-get",
)
TIMEOUTS = (1000, 5000, 30000, 600000)
#: How far the average may exceed a limit, because interrupts can add some work.
STRAY = 0.01
#: DNS lookups, threads, new connections: a call over a kept connection must not need any.
NOT_WARM = {"clone", "clone3", "fork", "vfork", "open", "openat", "socket", "connect"}


def _run(tool: List[str], command: List[str], text: str) -> str:
    done = subprocess.run(
        [*tool, *command],
        input=text,
        capture_output=True,
        text=True,
        env=places.environment(),
    )
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(tool)} failed:\n{done.stderr}")
    return done.stderr


def _number(pattern: str, text: str) -> int:
    found = re.search(pattern, text)
    if not found:
        raise SystemExit(f"no {pattern!r} in\n{text}")
    return int(found.group(1).replace(",", ""))


def _instructions(command: List[str], text: str) -> int:
    output = _run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"],
        command,
        text,
    )
    return _number(r"Collected : ([0-9]+)", output)


def _allocations(command: List[str], text: str) -> int:
    output = _run(
        ["valgrind", "--tool=memcheck", "--undef-value-errors=no"], command, text
    )
    return _number(r"total heap usage: ([0-9,]+) allocs", output)


def _system_calls(command: List[str], text: str) -> Dict[str, int]:
    output = _run(["strace", "-f", "-q", "-c", "-U", "calls,name"], command, text)
    rows = (line.split() for line in output.splitlines())
    return {
        row[1]: int(row[0])
        for row in rows
        if len(row) == 2 and row[0].isdigit() and row[1] != "total"
    }


Count = Callable[[List[str], str], int]


def _each(
    count: Count,
    program: str,
    target: Dict[str, str],
    work: str,
    n: int,
    **settings: object,
) -> float:
    once = count(*counted(program, target, work, n, WARM, **settings))
    twice = count(*counted(program, target, work, 2 * n, WARM, **settings))
    return (twice - once) / n


def instructions(
    program: str, target: Dict[str, str], work: str, n: int = N, **settings: object
) -> float:
    return _each(_instructions, program, target, work, n, **settings)


def allocations(program: str, target: Dict[str, str], work: str, n: int = N) -> float:
    return _each(_allocations, program, target, work, n)


def system_calls(
    program: str, target: Dict[str, str], work: str, timeout: int
) -> Tuple[float, float]:
    """All system calls of one call, and those in NOT_WARM."""
    n = N_SYSTEM_CALLS
    once = _system_calls(*counted(program, target, work, n, WARM, timeout=timeout))
    twice = _system_calls(*counted(program, target, work, 2 * n, WARM, timeout=timeout))
    each = {name: (calls - once.get(name, 0)) / n for name, calls in twice.items()}
    return sum(each.values()), sum(
        calls for name, calls in each.items() if name in NOT_WARM
    )


def of_library(responder: Responder) -> Dict[str, float]:
    """All counts that have a limit, by the limit's name."""
    # Counts do not depend on the machine's load, so all processors count at the same time.
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        pending: Dict[str, Future[float]] = {}
        calls: Dict[str, Future[Tuple[float, float]]] = {}

        def count(name: str, *of: object) -> None:
            pending[f"instructions {name}"] = pool.submit(instructions, "payorder", *of)
            pending[f"allocations {name}"] = pool.submit(allocations, "payorder", *of)

        for port in ("plain", "tls"):
            # With a host name, so that a DNS lookup would be counted.
            target = responder.target(port, host="localhost")
            for work in ("create", "status", "client"):
                count(f"{work} {port}", target, work)
            for timeout in TIMEOUTS:
                calls[f"create {port} {timeout}ms"] = pool.submit(
                    system_calls, "payorder", target, "create", timeout
                )
            calls[f"status {port} {TIMEOUTS[0]}ms"] = pool.submit(
                system_calls, "payorder", target, "status", TIMEOUTS[0]
            )
        for work in OFFLINE:
            count(work, responder.target("plain"), work, N_OFFLINE)
        counts = {name: future.result() for name, future in pending.items()}
        for name, future in calls.items():
            (
                counts[f"system-calls {name}"],
                counts[f"lookups-threads-connections {name}"],
            ) = future.result()
        return counts


def beside(responder: Responder) -> List[Dict[str, object]]:
    """The counts of a warm create for the library, the raw socket and libcurl."""

    def row(program: str, port: str) -> Dict[str, object]:
        target = responder.target(port)
        return {
            "program": program,
            "port": port,
            "instructions": instructions(program, target, "create"),
            "allocations": allocations(program, target, "create"),
            "system_calls": system_calls(program, target, "create", 30000)[0],
        }

    rows = [
        (program, port)
        for program in ("raw", "payorder", "libcurl")
        for port in ("plain", "tls")
    ]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(row, *zip(*rows)))


def limits() -> Dict[str, float]:
    rows = (
        line.split("#")[0].rsplit(None, 1)
        for line in (places.BENCHES / "limits").read_text().splitlines()
    )
    return {row[0].strip(): float(row[1]) for row in rows if row}


def main() -> int:
    places.build_counted()
    allowed = limits()
    with Responder() as responder:
        counts = of_library(responder)
    above = 0
    for name, count in counts.items():
        limit = allowed.pop(name, None)
        verdict = "ok"
        if limit is None:
            verdict, above = "NO LIMIT in benches/limits", above + 1
        elif count > limit + STRAY:
            percent = 100 * (count / limit - 1) if limit else 100
            verdict = f"ABOVE its limit by {count - limit:.2f} ({percent:.1f} %)"
            above += 1
        shown_limit = "-" if limit is None else limit
        print(f"{name:56} {count:12.2f}  limit {shown_limit:>10}  {verdict}")
    for name in allowed:
        print(f"{name:56} is in benches/limits, but was not counted")
    if above or allowed:
        print(
            f"\n{above + len(allowed)} counts do not agree with benches/limits",
            file=sys.stderr,
        )
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Compares the library's counts with the file `limits`. They do not depend on the machine's load."""

from __future__ import annotations

import os
import sys
from concurrent.futures import Future, ThreadPoolExecutor

import measure
from measure import BENCHES, MADE, Target, each

N = 100
#: So many that a system call more or less at the start does not matter.
N_SYSTEM_CALLS = 1000
#: Functions without the network are short, so they need more calls.
N_OFFLINE = 1000
OFFLINE = (
    "token",
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


def memory(target: Target) -> float:
    """The bytes of heap of a connected client."""
    printed = measure.run(MADE / "payorder", *target, "memory", 1).stdout
    return float(printed.splitlines()[-2])


def ten_thousand_waits(target: Target) -> tuple[float, float]:
    """The bytes of each wait between its queries, and the threads of all."""
    printed = measure.run(MADE / "payorder", *target, "waits", 1).stdout
    bytes_of_one, threads = printed.splitlines()[0].split()
    return float(bytes_of_one), float(threads)


def count(targets: dict[str, Target]) -> dict[str, float]:
    """All counts that have a limit, by the limit's name."""
    counts: dict[str, Future[float]] = {}
    with ThreadPoolExecutor(os.cpu_count()) as pool:

        def work(name: str, target: Target, of: str, n: int) -> None:
            for what in (measure.instructions, measure.allocations):
                job = pool.submit(each, what, "payorder", target, of, n)
                counts[f"{what.__name__} {name}"] = job

        for port, target in targets.items():
            for of in ("create", "status", "client", "started"):
                work(f"{of} {port}", target, of, N)
            counts[f"heap-bytes client {port}"] = pool.submit(memory, target)
            timed = [("create", timeout) for timeout in TIMEOUTS]
            for of, timeout in [*timed, ("status", TIMEOUTS[0])]:
                for kind, what in (
                    ("system-calls", measure.system_calls),
                    ("lookups-threads-connections", measure.not_warm),
                ):
                    counts[f"{kind} {of} {port} {timeout}ms"] = pool.submit(
                        each, what, "payorder", target, of, N_SYSTEM_CALLS, timeout
                    )
        waits = pool.submit(ten_thousand_waits, targets["plain"])
        for place, name in enumerate(("bytes", "threads")):
            figure = pool.submit(lambda place=place: waits.result()[place])
            counts[f"{name} wait"] = figure
        for of in OFFLINE:
            work(of, targets["plain"], of, N_OFFLINE)
    return {name: job.result() for name, job in counts.items()}


def limits() -> dict[str, float]:
    lines = (BENCHES / "limits").read_text().splitlines()
    rows = (line.split("#")[0].rsplit(None, 1) for line in lines)
    return {row[0].strip(): float(row[1]) for row in rows if row}


def main() -> int:
    measure.build_library()
    allowed = limits()
    # With a host name, so that a DNS lookup would be counted.
    with measure.responder("localhost") as targets:
        counts = count(targets)
    wrong = len(allowed.keys() - counts.keys())
    for name in allowed.keys() - counts.keys():
        print(f"{name:56} is in benches/limits, but was not counted")
    for name, counted in counts.items():
        limit = allowed.get(name)
        verdict = "ok"
        if limit is None or counted > limit + STRAY:
            wrong += 1
            verdict = "ABOVE its limit" if limit is not None else "has NO LIMIT"
        print(f"{name:56} {counted:12.2f}  limit {limit!s:>10}  {verdict}")
    if wrong:
        print(f"\n{wrong} counts do not agree with benches/limits", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

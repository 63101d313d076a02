"""Compares the library with others, and writes target/bench/figures.md."""

from __future__ import annotations

import os
import random
import sys
from statistics import median, quantiles

import measure
from measure import BENCHES, MADE, Target, each

#: Each round of a contender is a process of its own.
ROUNDS, QUICK_ROUNDS = 41, 5
RAW = "raw socket"
PYTHON = BENCHES / "contenders" / "contenders.py"

#: The command of each contender, and how many calls it makes in a round.
CONTENDERS: dict[str, tuple[list[object], int]] = {
    RAW: ([MADE / "raw"], 2000),
    "payorder, C": ([MADE / "payorder"], 2000),
    "libcurl and cJSON, C": ([MADE / "libcurl"], 2000),
    "payorder, Python": ([sys.executable, PYTHON, "payorder"], 1000),
    "requests, Python": ([sys.executable, PYTHON, "requests"], 100),
    "stripe, Python": ([sys.executable, PYTHON, "stripe"], 100),
}


def times(target: Target, rounds: int) -> dict[str, list[float]]:
    """The microseconds of one call, for each round.

    The contenders take turns in random order, so that other work of the machine affects all alike.
    """
    taken: dict[str, list[float]] = {name: [] for name in CONTENDERS}
    for _ in range(rounds):
        for name in random.sample(list(CONTENDERS), len(CONTENDERS)):
            command, calls = CONTENDERS[name]
            work = [] if command[0] == sys.executable else ["both"]
            printed = measure.run(*command, *target, *work, calls).stdout
            # Two calls of the service.
            taken[name].append(float(printed) / 2000)
    return taken


def table(port: str, taken: dict[str, list[float]]) -> list[str]:
    lines = [
        f"| {port} | µs a call | above the raw socket | in its time | middle half |",
        "|---|---:|---:|---:|---:|",
    ]
    raw = taken[RAW]
    for name, mine in taken.items():
        time, floor = median(mine), median(raw)
        low, _, high = quantiles((a / b for a, b in zip(mine, raw)), n=4)
        lines.append(
            f"| {name} | {time:.1f} | {time - floor:.1f} | {time / floor:.2f} "
            f"| {low:.2f} to {high:.2f} |"
        )
    return [*lines, ""]


def counts(targets: dict[str, Target]) -> list[str]:
    lines = [
        "| a create | instructions | allocations | system calls |",
        "|---|---:|---:|---:|",
    ]
    of = (measure.instructions, measure.allocations, measure.system_calls)
    for program in ("raw", "payorder", "libcurl"):
        for port, target in targets.items():
            row = (each(what, program, target, "create", 100) for what in of)
            cells = " | ".join(f"{count:,.0f}" for count in row)
            lines.append(f"| {program}, {port} | {cells} |")
    return lines


def main() -> None:
    rounds = QUICK_ROUNDS if "--quick" in sys.argv else ROUNDS
    measure.build_library()
    measure.build("raw", "-lssl", "-lcrypto")
    measure.build("libcurl", "-lcurl", "-lcjson")
    # All processes on one processor: a caller and the service never work at the same time, and
    # waking another processor would take most of the time.
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    with measure.responder("localhost") as targets:
        lines = []
        for port, target in targets.items():
            lines += table(port, times(target, rounds))
        lines += counts(targets)
    text = "\n".join(lines) + "\n"
    (MADE / "figures.md").write_text(text)
    print(text)


if __name__ == "__main__":
    main()

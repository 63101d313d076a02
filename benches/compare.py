"""Compares the time of a call with that of libcurl with cJSON, and a started order with one that
blocks: writes target/bench/figures.md."""

from __future__ import annotations

import os
import random
import sys
from statistics import median, quantiles

import measure
from measure import MADE, Target

#: Each round of a contender is a process of its own.
ROUNDS, QUICK_ROUNDS = 41, 5
CALLS = 2000
#: The program and the work of each contender, and how many calls of the service that is.
CONTENDERS = {
    "payorder": ("payorder", "both", 2),
    "libcurl": ("libcurl", "both", 2),
    "blocking": ("payorder", "create", 1),
    "started": ("payorder", "started", 1),
}


def times(target: Target, rounds: int) -> dict[str, list[float]]:
    """The microseconds of one call, for each round.

    The contenders take turns in random order, so that other work of the machine affects both alike.
    """
    taken: dict[str, list[float]] = {name: [] for name in CONTENDERS}
    for _ in range(rounds):
        for name in random.sample(list(CONTENDERS), len(CONTENDERS)):
            program, work, calls = CONTENDERS[name]
            printed = measure.run(MADE / program, *target, work, CALLS).stdout
            taken[name].append(float(printed) / 1000 / calls)
    return taken


def main() -> None:
    rounds = QUICK_ROUNDS if "--quick" in sys.argv else ROUNDS
    measure.build_library()
    measure.build("libcurl", "-lcurl", "-lcjson")
    # All processes on one processor: a caller and the service never work at the same time, and
    # waking another processor would take most of the time.
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    text = "| µs a call | payorder | libcurl and cJSON | in its time | middle half |"
    text += " a started order takes more |\n|---|---:|---:|---:|---:|---:|\n"
    with measure.responder("localhost") as targets:
        for port, target in targets.items():
            mine, theirs, blocking, started = times(target, rounds).values()
            low, _, high = quantiles((a / b for a, b in zip(mine, theirs)), n=4)
            text += (
                f"| {port} | {median(mine):.1f} | {median(theirs):.1f} "
                f"| {median(mine) / median(theirs):.2f} | {low:.2f} to {high:.2f} "
                f"| {median(started) - median(blocking):.1f} |\n"
            )
    (MADE / "figures.md").write_text(text)
    print(text)


if __name__ == "__main__":
    main()

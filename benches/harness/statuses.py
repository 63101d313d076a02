"""Many statuses with a single call, and as many over raw sockets: throughput and memory."""

from __future__ import annotations

import sys
from statistics import median
from typing import Dict, List

from .contender import Contender
from .race import Entry, Pace, Times, race
from .responder import Responder

#: How many queries run at the same time: the library's default, and the number of raw sockets.
CONCURRENCY = 8
#: How many queries, and in how many rounds.
COUNTS = {1_000: 31, 10_000: 15, 100_000: 5, 1_000_000: 3}
QUICK = {1_000: 3, 10_000: 3}
#: Queries before each round, so that every connection is open.
WARM = 1000


def _rows(responder: Responder, counts: Dict[int, int]) -> List[Dict[str, object]]:
    target = responder.target("plain")
    rows = []
    for count, rounds in counts.items():
        print(f"many statuses, {count:,}", file=sys.stderr, flush=True)
        entries = {
            "raw": Entry(
                Contender("raw", target, threads=CONCURRENCY),
                "status",
                calls=count // CONCURRENCY,
                calls_of_warm=WARM // CONCURRENCY,
                warm=0,
            ),
            "payorder": Entry(
                Contender("payorder", target, concurrency=CONCURRENCY),
                "statuses",
                calls=count,
                calls_of_warm=WARM,
                warm=0,
            ),
        }
        times = race(entries, Pace(rounds, 0), responder)
        raw, own = times["raw"], times["payorder"]
        ratio, low, high = raw.to(own)
        rows.append(
            {
                "count": count,
                "raw_rate": 1e9 / median(raw.wall),
                "rate": 1e9 / median(own.wall),
                "ratio": ratio,
                "low": low,
                "high": high,
                "processor_ratio": _processor(raw) / _processor(own),
                # The highest of the rounds: memory that is freed afterwards counts too.
                "grown": max(own.grown) / 1024,
                "resident": max(own.resident) / 1024,
            }
        )
    return rows


def _processor(times: Times) -> float:
    return median(times.cpu) + median(times.responder_cpu)


def statuses(responder: Responder, quick: bool) -> Dict[str, List[Dict[str, object]]]:
    """The curve on one core, and its last but one point on all cores."""
    counts = QUICK if quick else COUNTS
    with responder.one_core():
        one = _rows(responder, counts)
    wide = list(counts)[-2]
    return {"one core": one, "all cores": _rows(responder, {wide: counts[wide]})}

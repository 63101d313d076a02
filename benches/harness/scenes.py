"""Measures the times of the two calls over kept connections."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from statistics import median
from typing import Dict, List

from .contender import Contender
from .race import Entry, Pace, Times, race
from .responder import Responder

RAW, PAYORDER, PAYORDER_PYTHON, LIBCURL = (
    "raw socket",
    "payorder, C",
    "payorder, Python",
    "libcurl and cJSON, C",
)
REQUESTS, STRIPE = "requests, Python", "stripe, Python"

#: The programs that make the two calls.
PROGRAMS = {
    RAW: "raw",
    PAYORDER: "payorder",
    LIBCURL: "libcurl",
    PAYORDER_PYTHON: "payorder_client.py",
    REQUESTS: "requests_session.py",
    STRIPE: "stripe_client.py",
}


def _row(name: str, times: Times, floor: Times) -> Dict[str, object]:
    ratio, low, high = times.to(floor)
    return {
        "contender": name,
        "us": median(times.wall) / 1000,
        "above": (median(times.wall) - median(floor.wall)) / 1000,
        "fastest": min(times.wall) / 1000,
        "ratio": ratio,
        "low": low,
        "high": high,
        "cpu_us": median(times.cpu) / 1000,
        "rate": 1e9 / median(times.wall),
        "responder_cpu_us": median(times.responder_cpu) / 1000,
        "connections": times.connections / times.calls,
    }


def warm(responder: Responder, pace: Pace) -> List[Dict[str, object]]:
    """The two calls over kept connections."""
    scenes = []
    for port in ("plain", "tls"):
        for threads in (1, 8):
            print(f"{port}, {threads} threads", file=sys.stderr, flush=True)
            with responder.one_core() if threads == 1 else nullcontext():
                entries = {
                    name: Entry(
                        Contender(program, responder.target(port), threads=threads),
                        "both",
                        calls_in_one=2,
                    )
                    for name, program in PROGRAMS.items()
                }
                times = race(entries, pace, responder)
            rows = [_row(name, times[name], times[RAW]) for name in entries]
            scenes.append({"port": port, "threads": threads, "rows": rows})
    return scenes

"""Measures times.

The two calls over kept and over fresh connections, the functions without the network, and the first
call of a process.
"""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import nullcontext
from statistics import median
from typing import Dict, List

from . import places
from .contender import Contender
from .race import Entry, Pace, Times, race
from .responder import Responder

RAW, PAYORDER, PAYORDER_PYTHON, LIBCURL = (
    "raw socket",
    "payorder, C",
    "payorder, Python",
    "libcurl and cJSON, C",
)
REQUESTS, HTTPX, STRIPE, PYDANTIC = (
    "requests, Python",
    "httpx, Python",
    "stripe, Python",
    "pydantic, Python",
)

#: The programs that make the two calls.
PROGRAMS = {
    RAW: "raw",
    PAYORDER: "payorder",
    LIBCURL: "libcurl",
    PAYORDER_PYTHON: "payorder_client.py",
    REQUESTS: "requests_session.py",
    HTTPX: "httpx_client.py",
    STRIPE: "stripe_client.py",
}


def _progress(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _row(name: str, times: Times, floor: Times) -> Dict[str, object]:
    ratio, low, high = times.to(floor)
    row = {
        "contender": name,
        "us": median(times.wall) / 1000,
        "above": (median(times.wall) - median(floor.wall)) / 1000,
        "fastest": min(times.wall) / 1000,
        "ratio": ratio,
        "low": low,
        "high": high,
        "cpu_us": median(times.cpu) / 1000,
        "rate": 1e9 / median(times.wall),
    }
    if times.responder_cpu:
        row["responder_cpu_us"] = median(times.responder_cpu) / 1000
        row["connections"] = times.connections / times.calls
    return row


def warm(responder: Responder, pace: Pace) -> List[Dict[str, object]]:
    """The two calls over kept connections."""
    scenes = []
    for port in ("plain", "tls"):
        for threads in (1, 8):
            _progress(f"kept connections, {port}, {threads} threads")
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


def fresh(responder: Responder, pace: Pace) -> List[Dict[str, object]]:
    """Create Order with a connection of its own for each call."""
    scenes = []
    for port in ("plain", "full", "tls"):
        _progress(f"fresh connections, {port}")
        with responder.one_core():
            entries = {
                name: Entry(
                    Contender(program, responder.target(port), connections="fresh"),
                    "create",
                )
                for name, program in PROGRAMS.items()
            }
            times = race(entries, pace, responder)
        scenes.append(
            {
                "port": port,
                "rows": [_row(name, times[name], times[RAW]) for name in entries],
            }
        )
    return scenes


def local(pace: Pace) -> List[Dict[str, object]]:
    """Parsing, checking and building an order, without the network."""
    _progress("local work")
    programs = {
        PAYORDER: "payorder",
        "cJSON, C": "libcurl",
        PAYORDER_PYTHON: "payorder_client.py",
        PYDANTIC: "pydantic_order.py",
    }
    entries = {
        name: Entry(Contender(program, {}), "build-order")
        for name, program in programs.items()
    }
    times = race(entries, pace)
    return [_row(name, times[name], times[PAYORDER]) for name in entries]


def parts(pace: Pace) -> Dict[str, float]:
    """Microseconds of the library's other functions without the network."""
    _progress("parts")
    works = ("client", "build-query", "return-url", "verify", "json-object", "json-get")
    plain, tls = (
        {"url": "http://127.0.0.1:1"},
        {"url": "https://127.0.0.1:1", "ca": str(places.CA)},
    )
    entries = {work: Entry(Contender("payorder", plain), work) for work in works}
    entries["client, TLS, a file of roots"] = Entry(
        Contender("payorder", tls), "client"
    )
    entries["client, TLS"] = Entry(
        Contender("payorder", {"url": "https://127.0.0.1:1"}), "client"
    )
    return {
        work: median(times.wall) / 1000 for work, times in race(entries, pace).items()
    }


def cold(responder: Responder, times: int) -> List[Dict[str, object]]:
    """Milliseconds of a process's first call: loading, creating a client, creating an order."""
    rows = []
    for port in ("plain", "tls"):
        _progress(f"cold start, {port}")
        target = responder.target(port)
        first: Dict[str, List[Dict[str, float]]] = {PAYORDER: []}
        first.update(
            {name: [] for name, program in PROGRAMS.items() if program.endswith(".py")}
        )
        with responder.one_core():
            for _ in range(times + 1):
                for name, runs in first.items():
                    runs.append(
                        _cold_library(target)
                        if name == PAYORDER
                        else _cold_package(PROGRAMS[name], target)
                    )
        for name, runs in first.items():
            # Without the first run, which may have compiled files or read from the disk.
            parts = {
                part: median(run[part] for run in runs[1:]) / 1e6
                for part in ("load", "client", "call")
            }
            total = median(sum(run[part] for part in parts) for run in runs[1:]) / 1e6
            fastest = min(sum(run[part] for part in parts) for run in runs[1:]) / 1e6
            second = median(run.get("second", 0) for run in runs[1:]) / 1e6
            rows.append(
                {
                    "contender": name,
                    "port": port,
                    **parts,
                    "total": total,
                    "fastest": fastest,
                    "second": second or None,
                }
            )
    return rows


def _cold_library(target: Dict[str, str]) -> Dict[str, float]:
    command = [*places.command("cold"), str(places.LIBRARY), *target.values()]
    return json.loads(
        subprocess.run(
            command, check=True, capture_output=True, env=places.environment()
        ).stdout
    )


def _cold_package(program: str, target: Dict[str, str]) -> Dict[str, float]:
    contender = Contender(program, target)
    call = contender.round("create", 1, 0)["ns"]
    contender.close()
    return {
        "load": contender.ready["load"],
        "client": contender.ready["client"],
        "call": call,
    }

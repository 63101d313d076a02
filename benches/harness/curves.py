"""How the cost grows with the length of the text, the threads and the clients."""

from __future__ import annotations

import sys
from statistics import median
from typing import Dict, List

from .contender import Contender
from .counts import instructions
from .footprint import memory
from .race import Entry, Pace, race
from .responder import Responder

FIELDS = (0, 10, 100, 1000)
THREADS = (1, 2, 4, 8, 16, 32, 64)
CLIENTS = (1, 10, 100, 1000)


def fields(responder: Responder, pace: Pace) -> Dict[str, List[float]]:
    """The cost by the number of further fields.

    Microseconds to build an order, to create one, and to get a status whose response has the
    fields; and the instructions to build an order.
    """
    print("curves: fields", file=sys.stderr, flush=True)
    entries = {}
    plain = responder.target("plain")
    with responder.one_core():
        for count in FIELDS:
            long_response = responder.target("plain", path=f"/{count}" if count else "")
            entries[f"built {count}"] = Entry(
                Contender("payorder", plain, fields=count), "build-order"
            )
            entries[f"created {count}"] = Entry(
                Contender("payorder", plain, fields=count), "create"
            )
            entries[f"status {count}"] = Entry(
                Contender("payorder", long_response), "status"
            )
        times = race(entries, pace, responder)
    works = ("built", "created", "status")
    curves = {
        f"{work}, µs": [
            median(times[f"{work} {count}"].wall) / 1000 for count in FIELDS
        ]
        for work in works
    }
    curves["built, instructions"] = [
        instructions("payorder", plain, "build-order", fields=count) for count in FIELDS
    ]
    return curves


def threads(responder: Responder, pace: Pace) -> Dict[str, List[float]]:
    """The cost by the number of threads: one client for all, and a raw socket for each.

    Calls per second, and microseconds of processor time per call. The latter is the cost of a call.
    With few threads, the calls per second mostly depend on how fast one core wakes the other.
    """
    curves: Dict[str, List[float]] = {}
    # As many calls for all, so that their rounds are alike. With 64 threads, fewer would mostly
    # measure the first call of each thread, and connections that became too old meanwhile.
    calls = round(640 * pace.round_ms)
    pace = Pace((pace.rounds + 1) // 2, pace.round_ms)
    for port in ("plain", "tls"):
        print(f"curves: threads, {port}", file=sys.stderr, flush=True)
        entries = {
            f"{program} {count}": Entry(
                Contender(program, responder.target(port), threads=count),
                "both",
                calls_in_one=2,
                calls=calls // count,
            )
            for program in ("raw", "payorder")
            for count in THREADS
        }
        times = race(entries, pace)
        for program in ("raw", "payorder"):
            own = [times[f"{program} {count}"] for count in THREADS]
            curves[f"{program}, {port}, calls/s"] = [
                1e9 / median(one.wall) for one in own
            ]
            curves[f"{program}, {port}, µs"] = [median(one.cpu) / 1000 for one in own]
    return curves


def clients(responder: Responder, pace: Pace) -> Dict[str, List[float]]:
    """The cost by the number of clients.

    Microseconds of a call if the clients take turns, and KiB of heap for each client after the
    first.
    """
    curves: Dict[str, List[float]] = {}
    for port in ("plain", "tls"):
        print(f"curves: clients, {port}", file=sys.stderr, flush=True)
        target = responder.target(port)
        with responder.one_core():
            entries = {
                str(count): Entry(
                    Contender("payorder", target, clients=count), "create", before=count
                )
                for count in CLIENTS
            }
            times = race(entries, pace, responder)
        curves[f"us, {port}"] = [
            median(times[str(count)].wall) / 1000 for count in CLIENTS
        ]
        curves[f"KiB, {port}"] = [
            memory(responder, port, count)["heap"] for count in CLIENTS[1:]
        ]
    return curves

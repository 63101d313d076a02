"""The goals, and whether they were met. A goal is an upper limit, or a lower one if it says so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, List

from .scenes import LIBCURL, PAYORDER, PAYORDER_PYTHON, PYDANTIC, RAW, REQUESTS, STRIPE


@dataclass
class Figures:
    """The results of a run, in real time, or in processor time of the caller and the responder."""

    results: Dict
    processor: bool = False

    def warm(self, port: str, threads: int, contender: str) -> float:
        """Microseconds of a call."""
        scene = next(
            scene
            for scene in self.results["warm"]
            if (scene["port"], scene["threads"]) == (port, threads)
        )
        return self._time(scene["rows"], contender)

    def local(self, contender: str) -> float:
        """Microseconds of an order."""
        return self._time(self.results["local"], contender)

    def _time(self, rows: List[Dict], contender: str) -> float:
        row = next(row for row in rows if row["contender"] == contender)
        return (
            row["cpu_us"] + row.get("responder_cpu_us", 0)
            if self.processor
            else row["us"]
        )


def _goal(
    what: str, wanted: float, got: float, at_least: bool = False
) -> Dict[str, object]:
    met = got >= wanted if at_least else got <= wanted
    return {
        "what": what,
        "wanted": wanted,
        "got": got,
        "processor": None,
        "at_least": at_least,
        "met": met,
    }


def goals(results: Dict) -> List[Dict[str, object]]:
    timed = zip(_timed(Figures(results)), _timed(Figures(results, processor=True)))
    rows = [{**goal, "processor": processor["got"]} for goal, processor in timed]
    return (
        rows
        + _many(results["statuses"]["one core"])
        + _once(results)
        + _kept(results)
        + _counted(results["counts"])
    )


def _timed(of: Figures) -> List[Dict[str, object]]:
    rows = []
    for port, wanted in (("plain", 2.0), ("tls", 1.8)):
        got = of.warm(port, 1, PAYORDER)
        rows.append(
            _goal(
                f"warm call from C, {port}, in raw sockets",
                wanted,
                got / of.warm(port, 1, RAW),
            )
        )
        rows.append(
            _goal(
                "the same, in libcurl and cJSON", 0.45, got / of.warm(port, 1, LIBCURL)
            )
        )
    for port in ("plain", "tls"):
        got = of.warm(port, 8, RAW) / of.warm(port, 8, PAYORDER)
        rows.append(
            _goal(
                f"8 threads on one client, {port}, in the raw sockets' throughput",
                0.55,
                got,
                at_least=True,
            )
        )
    for port in ("plain", "tls"):
        got = of.warm(port, 1, PAYORDER_PYTHON)
        rows.append(
            _goal(
                f"warm call from Python, {port}, in requests",
                1 / 15,
                got / of.warm(port, 1, REQUESTS),
            )
        )
        rows.append(
            _goal("the same, in stripe", 1 / 40, got / of.warm(port, 1, STRIPE))
        )
    rows.append(
        _goal("an order parsed, checked and built, µs", 1.5, of.local(PAYORDER))
    )
    rows.append(
        _goal("the same, in cJSON", 0.1, of.local(PAYORDER) / of.local("cJSON, C"))
    )
    rows.append(
        _goal("the same, in pydantic", 0.1, of.local(PAYORDER) / of.local(PYDANTIC))
    )
    return rows


def _many(rows: List[Dict]) -> List[Dict[str, object]]:
    few, many = rows[0], rows[-1]
    throughput = _goal(
        f"{many['count']:,} statuses, in the raw sockets' throughput",
        0.8,
        many["ratio"],
        at_least=True,
    )
    return [
        {**throughput, "processor": many["processor_ratio"]},
        _goal(
            f"memory of {many['count']:,} statuses above that of {few['count']:,}, KiB",
            1024,
            many["grown"] - few["grown"],
        ),
    ]


def _once(results: Dict) -> List[Dict[str, object]]:
    wanted = {"plain": 1.0, "tls": 2.0}
    return [
        _goal(
            f"library, client and first call, {row['port']}, ms",
            wanted[row["port"]],
            row["total"],
        )
        for row in results["cold"]
        if row["contender"] == PAYORDER
    ]


def _kept(results: Dict) -> List[Dict[str, object]]:
    parts, (made, resumed) = results["parts"], results["resumed"]
    rows = [
        _goal("a client made and freed, plain, µs", 50, parts["client"]),
        _goal("a client made and freed, TLS, µs", 50, parts["client, TLS"]),
        _goal(
            "of 99 reconnects, sessions resumed", 99, 99 * resumed / made, at_least=True
        ),
    ]
    wanted = {"plain": 32, "tls": 56}
    return rows + [
        _goal(
            f"memory of a connected client, {row['port']}, KiB",
            wanted[row["port"]],
            row["heap"],
        )
        for row in results["memory"]
    ]


def _counted(counts: Dict[str, float]) -> List[Dict[str, object]]:
    rows = []
    for port in ("plain", "tls"):
        rows.append(
            _goal(
                f"instructions of a warm create, {port}",
                {"plain": 34000, "tls": 42000}[port],
                counts[f"instructions create {port}"],
            )
        )
        rows.append(
            _goal(
                f"allocations of a warm create, {port}",
                20,
                counts[f"allocations create {port}"],
            )
        )
        named = {
            name: count for name, count in counts.items() if f" create {port} " in name
        }
        most = max(
            count for name, count in named.items() if name.startswith("system-calls")
        )
        besides = max(
            count for name, count in named.items() if name.startswith("lookups")
        )
        # A delay can rarely cause another system call: one in two hundred calls is allowed.
        rows.append(
            _goal(
                f"system calls of a warm create, {port}, the most at any timeout",
                3.005,
                most,
            )
        )
        rows.append(
            _goal(
                f"name lookups, threads and connections of a warm create, {port}",
                0,
                besides,
            )
        )
    rows.append(
        _goal(
            "instructions of an order parsed, checked and built",
            9000,
            counts["instructions build-order"],
        )
    )
    return rows

"""Writes the results as Markdown."""

from __future__ import annotations

from typing import Dict, Iterable, List, Sequence

from .curves import CLIENTS, FIELDS, THREADS
from .scenes import RAW
from .statuses import CONCURRENCY

_CONNECTION = {"plain": "plain", "tls": "TLS 1.3", "full": "TLS 1.3"}


def _figure(value: object) -> str:
    if not isinstance(value, (int, float)):
        return "-" if value is None else str(value)
    if value == 0 or abs(value) >= 1000:
        return f"{value:,.0f}"
    if abs(value) >= 100:
        return f"{value:.0f}"
    return (
        f"{value:.1f}"
        if abs(value) >= 10
        else f"{value:.2f}"
        if abs(value) >= 0.1
        else f"{value:.4f}"
    )


def _table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> List[str]:
    lines = ["| " + " | ".join(heads) + " |", "|---" + "|---:" * (len(heads) - 1) + "|"]
    lines += ["| " + " | ".join(_figure(cell) for cell in row) + " |" for row in rows]
    return lines + [""]


def _raced(rows: List[Dict], floor: str) -> List[str]:
    heads = [
        "",
        "µs a call",
        f"above {floor}, µs",
        f"x {floor}",
        "middle half of the rounds",
        "fastest round, µs",
        "its processor, µs",
        "responder's, µs",
    ]
    return _table(
        heads,
        (
            (
                row["contender"],
                row["us"],
                row["above"],
                row["ratio"],
                f"{row['low']:.2f} to {row['high']:.2f}",
                row["fastest"],
                row["cpu_us"],
                row.get("responder_cpu_us"),
            )
            for row in rows
        ),
    )


def _warm(results: Dict) -> List[str]:
    lines = [
        "## The two calls over kept connections",
        "",
        "",
    ]
    lines += [
        "With one thread, here and below, the caller and the service are pinned to one processor:",
        "the two never work at the same time, and waking another processor would take most of the",
        "time. With several threads they use all processors, and the time of a call is the time of",
        "all threads together, divided by their calls. The contenders take turns in short rounds,",
        "and a figure is the median of the rounds. The part above the raw socket is what a library",
        "adds to what the system and the service need in any case.",
        "",
    ]
    for scene in results["warm"]:
        threads = (
            "one thread" if scene["threads"] == 1 else f"{scene['threads']} threads"
        )
        lines += [f"### {_CONNECTION[scene['port']]}, {threads}", ""] + _raced(
            scene["rows"], "raw"
        )
        again = [
            f"{row['contender']} {row['connections']:.1%}"
            for row in scene["rows"]
            if row["connections"] > 0.001
        ]
        if again:
            lines += [
                "Of these calls some needed a new connection: "
                + ", ".join(again)
                + ".",
                "",
            ]
    return lines


def _bottleneck(results: Dict) -> List[str]:
    lines = [
        "## The responder is not the bottleneck",
        "",
        "It can serve every contender as fast as raw sockets. It slows a contender down only if",
        "that contender's rate comes close to the rate of raw sockets.",
        "",
    ]
    rows = []
    for scene in results["warm"]:
        raw = next(row for row in scene["rows"] if row["contender"] == RAW)
        fastest = max(
            (row for row in scene["rows"] if row["contender"] != RAW),
            key=lambda row: row["rate"],
        )
        place = f"{_CONNECTION[scene['port']]}, {scene['threads']}"
        share = fastest["responder_cpu_us"] / (
            fastest["responder_cpu_us"] + fastest["cpu_us"]
        )
        rows.append(
            (place, raw["rate"], fastest["contender"], fastest["rate"], f"{share:.0%}")
        )
    heads = (
        "connections, threads",
        "calls/s to raw sockets",
        "fastest contender",
        "its calls/s",
        "responder's share of all processor time then",
    )
    return lines + _table(heads, rows)


def _fresh(results: Dict) -> List[str]:
    lines = ["## A connection for each call", ""]
    names = {
        "plain": "plain",
        "full": "TLS 1.3, full handshake",
        "tls": "TLS 1.3, resumed by those who can",
    }
    for scene in results["fresh"]:
        lines += [f"### {names[scene['port']]}", ""] + _raced(scene["rows"], "raw")
    made, resumed = results["resumed"]
    return lines + [
        f"Of {made} reconnects of one client {resumed} resumed the session.",
        "",
    ]


def _alone(results: Dict) -> List[str]:
    lines = [
        "## The work without the network",
        "",
        "An order parsed, checked and built:",
        "",
    ] + _raced(results["local"], "payorder")
    lines += ["The library's other parts, microseconds (`client`: made and freed):", ""]
    return lines + _table(("", "µs"), results["parts"].items())


def _start(results: Dict) -> List[str]:
    lines = [
        "## The first call of a process",
        "",
        "Milliseconds, from the loading of the library or package on:",
        "",
    ]
    heads = (
        "",
        "",
        "load",
        "client",
        "first call",
        "all",
        "fastest",
        "a second client and its call",
    )
    keys = ("contender", "port", "load", "client", "call", "total", "fastest", "second")
    return lines + _table(
        heads, ([row[key] for key in keys] for row in results["cold"])
    )


def _footprint(results: Dict) -> List[str]:
    lines = [
        "## Footprint",
        "",
        f"The stripped library has {results['size'] / 1024:,.0f} KiB. Memory, in KiB:",
        "",
    ]
    heads = (
        "",
        "clients",
        "process with one: heap",
        "resident",
        "each further one: heap",
        "resident",
    )
    keys = ("port", "clients", "first_heap", "first_resident", "heap", "resident")
    return lines + _table(
        heads, ([row[key] for key in keys] for row in results["memory"])
    )


def _curves(results: Dict) -> List[str]:
    curves = results["curves"]
    lines = ["## How it grows", ""]
    lines += _table(
        ["further fields", *map(str, FIELDS)],
        ([name, *curve] for name, curve in curves["fields"].items()),
    )
    lines += _table(
        ["threads; µs are the processor's, a call", *map(str, THREADS)],
        ([name, *curve] for name, curve in curves["threads"].items()),
    )
    rows = (
        [name, *(["-"] if name.startswith("KiB") else []), *curve]
        for name, curve in curves["clients"].items()
    )
    return lines + _table(["clients", *map(str, CLIENTS)], rows)


def _statuses(results: Dict) -> List[str]:
    lines = [
        "## Many statuses with one call",
        "",
        f"One call of `payorder_get_statuses`, {CONCURRENCY} queries at a time, and {CONCURRENCY} "
        "raw sockets, each with its thread,",
        "that send as many queries to the same service on the same processors. Memory: by how much",
        "the resident memory of the process exceeded at its highest what it had before the call,",
        "when it had the text of the queries already.",
        "",
    ]
    heads = (
        "queries",
        "raw sockets: results/s",
        "payorder: results/s",
        "x raw sockets",
        "middle half of the rounds",
        "x raw sockets, by processor time",
        "memory of the call, KiB",
        "resident memory, KiB",
    )
    for cores, rows in results["statuses"].items():
        lines += [f"On {cores}:", ""]
        lines += _table(
            heads,
            (
                (
                    row["count"],
                    row["raw_rate"],
                    row["rate"],
                    row["ratio"],
                    f"{row['low']:.2f} to {row['high']:.2f}",
                    row["processor_ratio"],
                    row["grown"],
                    row["resident"],
                )
                for row in rows
            ),
        )
    return lines


def _counts(results: Dict) -> List[str]:
    lines = ["## Counts", "", "A warm create:", ""]
    keys = ("program", "port", "instructions", "allocations", "system_calls")
    lines += _table(
        ("", "", "instructions", "allocations", "system calls"),
        ([row[key] for key in keys] for row in results["beside"]),
    )
    lines += ["The counts that `benches/counts` compares with `benches/limits`:", ""]
    return lines + _table(("", "count"), results["counts"].items())


def report(results: Dict) -> str:
    lines = ["# Figures of a run", "", "Made by `benches/run`.", ""]
    lines += [f"- {name}: {value}" for name, value in results["machine"].items()] + [""]
    for part in (
        _warm,
        _bottleneck,
        _fresh,
        _alone,
        _start,
        _footprint,
        _curves,
        _statuses,
        _counts,
    ):
        lines += part(results)
    return "\n".join(lines)

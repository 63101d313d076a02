"""Writes the results as Markdown."""

from __future__ import annotations

from typing import Dict, Iterable, List, Sequence

from .scenes import RAW

_CONNECTION = {"plain": "plain", "tls": "TLS 1.3"}


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


def _raced(rows: List[Dict]) -> List[str]:
    heads = [
        "",
        "µs a call",
        "above raw, µs",
        "x raw",
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
                row["responder_cpu_us"],
            )
            for row in rows
        ),
    )


def _warm(results: Dict) -> List[str]:
    lines = [
        "## The two calls over kept connections",
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
            scene["rows"]
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


def _counts(results: Dict) -> List[str]:
    lines = ["## Counts", "", "A warm create:", ""]
    keys = ("program", "port", "instructions", "allocations", "system_calls")
    return lines + _table(
        ("", "", "instructions", "allocations", "system calls"),
        ([row[key] for key in keys] for row in results["beside"]),
    )


def report(results: Dict) -> str:
    lines = ["# Figures of a run", "", "Made by `benches/run`.", ""]
    lines += [f"- {name}: {value}" for name, value in results["machine"].items()] + [""]
    for part in (
        _warm,
        _bottleneck,
        _footprint,
        _counts,
    ):
        lines += part(results)
    return "\n".join(lines)

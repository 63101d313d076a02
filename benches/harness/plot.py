"""Draws the results."""

from __future__ import annotations

from pathlib import Path
from typing import Dict

import matplotlib

matplotlib.use("svg")
# So that the same results give the same file.
matplotlib.rcParams["svg.hashsalt"] = "payorder"

import matplotlib.pyplot as plt  # noqa: E402

from .curves import CLIENTS, FIELDS, THREADS  # noqa: E402

_OURS, _FLOOR, _PEERS = "#1f6fb2", "#9a9a9a", "#d98e04"


def _save(figure: "plt.Figure", path: Path) -> None:
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)


def _color(contender: str) -> str:
    return (
        _OURS
        if contender.startswith("payorder")
        else _FLOOR
        if contender.startswith("raw")
        else _PEERS
    )


def warm(results: Dict, path: Path) -> None:
    """A bar for each contender. The axis is logarithmic, because they differ by a factor of 100."""
    figure, places = plt.subplots(2, 2, figsize=(11, 6.5), sharex="row")
    for place, scene in zip(places.flat, results["warm"]):
        rows = scene["rows"][::-1]
        names = [row["contender"] for row in rows]
        bars = place.barh(
            names, [row["us"] for row in rows], color=[_color(name) for name in names]
        )
        place.bar_label(
            bars,
            [f" {row['us']:.0f} µs, x {row['ratio']:.1f}" for row in rows],
            fontsize=8,
        )
        place.set_xscale("log")
        place.set_xlim(left=5, right=place.get_xlim()[1] * 6)
        place.tick_params(labelsize=8)
        port = "plain" if scene["port"] == "plain" else "TLS 1.3"
        place.set_title(
            f"{port}, {scene['threads']} thread{'s' if scene['threads'] > 1 else ''}: µs a call",
            fontsize=9,
        )
    _save(figure, path)


def curves(results: Dict, path: Path) -> None:
    """Four plots. In the first, a curve parallel to the dotted line grows in proportion."""
    figure, places = plt.subplots(1, 4, figsize=(16, 4))
    data = results["curves"]
    fields = {
        name: curve for name, curve in data["fields"].items() if name.endswith("µs")
    }
    for name, curve in fields.items():
        places[0].plot([count + 11 for count in FIELDS], curve, marker="o", label=name)
    _slope(
        places[0],
        [count + 11 for count in FIELDS],
        min(curve[0] for curve in fields.values()),
    )
    for name, curve in (it for it in data["threads"].items() if it[0].endswith("µs")):
        places[1].plot(THREADS, curve, marker="o", label=name)
    for name, curve in data["clients"].items():
        place, xs = (
            (places[3], CLIENTS[1:]) if name.startswith("KiB") else (places[2], CLIENTS)
        )
        place.plot(xs, curve, marker="o", label=name)
    titles = (
        "µs by fields of the order or status",
        "µs of the processor a call by threads",
        "µs a call by clients in turn",
        "KiB a client by clients",
    )
    for place, title in zip(places, titles):
        place.set_title(title, fontsize=9)
        place.set_xscale("log")
        place.legend(fontsize=8)
        place.tick_params(labelsize=8)
        if place is places[0]:
            place.set_yscale("log")
        else:
            place.set_ylim(bottom=0)
    _save(figure, path)


def statuses(results: Dict, path: Path) -> None:
    """Results per second, and memory, by the number of queries of one call."""
    figure, (rate, memory) = plt.subplots(1, 2, figsize=(9, 4))
    rows = results["statuses"]["one core"]
    counts = [row["count"] for row in rows]
    rate.plot(counts, [row["raw_rate"] for row in rows], marker="o", color=_FLOOR)
    rate.plot(counts, [row["rate"] for row in rows], marker="o", color=_OURS)
    rate.legend(["raw sockets", "payorder"], fontsize=8)
    memory.plot(counts, [row["grown"] for row in rows], marker="o", color=_OURS)
    memory.set_ylim(top=max(1024, *(row["grown"] for row in rows)))
    titles = ("results per second by queries", "KiB that the call needs by queries")
    for place, title in zip((rate, memory), titles):
        place.set_title(title, fontsize=9)
        place.set_xscale("log")
        place.set_ylim(bottom=0)
        place.tick_params(labelsize=8)
    _save(figure, path)


def _slope(place: "plt.Axes", xs: "list[int]", start: float) -> None:
    place.plot(
        xs,
        [start * x / xs[0] for x in xs],
        linestyle=":",
        color=_FLOOR,
        label="in proportion",
    )

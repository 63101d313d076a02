"""Measures contenders in turn, in rounds of random order, so that disturbances affect all alike."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from statistics import median, quantiles
from typing import Dict, List, Tuple

from .contender import Contender
from .responder import Responder, cores_of

#: Calls before each round, because a connection may have become too old in the meantime.
_WARM = 2


@dataclass
class Pace:
    """How long to measure."""

    rounds: int
    round_ms: float


@dataclass
class Times:
    """One contender's nanoseconds per call, of all threads together, for each round."""

    wall: List[float] = field(default_factory=list)
    cpu: List[float] = field(default_factory=list)
    responder_cpu: List[float] = field(default_factory=list)
    calls: int = 0
    connections: int = 0

    def to(self, other: "Times") -> Tuple[float, float, float]:
        """The ratio of the medians, and the quartiles of the rounds' own ratios."""
        ratios = [mine / theirs for mine, theirs in zip(self.wall, other.wall)]
        low, _, high = quantiles(ratios, n=4)
        return median(self.wall) / median(other.wall), low, high


@dataclass
class Entry:
    contender: Contender
    work: str
    #: How many calls of the service one call of the work makes.
    calls_in_one: int = 1


def race(
    entries: Dict[str, Entry], pace: Pace, responder: Responder
) -> Dict[str, Times]:
    calls = {name: _calibrate(entry, pace.round_ms) for name, entry in entries.items()}
    if responder.core is not None:
        _check_core(entries, responder)
    times = {name: Times() for name in entries}
    for _ in range(pace.rounds):
        for name in random.sample(list(entries), len(entries)):
            _one_round(entries[name], calls[name], times[name], responder)
    for entry in entries.values():
        entry.contender.close()
    return times


def _check_core(entries: Dict[str, Entry], responder: Responder) -> None:
    """Ends the run if a thread of a contender or of the responder may use another core."""
    processes = {name: entry.contender.pid for name, entry in entries.items()}
    for name, pid in {**processes, "the responder": responder.pid}.items():
        if cores_of(pid) != {responder.core}:
            raise SystemExit(f"{name} is not on core {responder.core} alone")


def _calibrate(entry: Entry, round_ms: float) -> int:
    """How many calls a thread makes in a round: as many as fit into round_ms, after three tries."""
    entry.contender.round(entry.work, 1, _WARM)
    calls = 1
    for share in (0.02, 0.1, 1):
        taken = entry.contender.round(entry.work, calls, 0)["ns"]
        calls = max(1, round(calls * share * round_ms * 1e6 / max(taken, 1)))
    return calls


def _one_round(entry: Entry, calls: int, times: Times, responder: Responder) -> None:
    # Not a part of the round: its connections and its processor time do not count.
    entry.contender.round(entry.work, 1, _WARM)
    counts, cpu = responder.counts(), responder.cpu()
    result = entry.contender.round(entry.work, calls, 0)
    done = calls * entry.contender.threads * entry.calls_in_one
    times.wall.append(result["ns"] / done)
    times.cpu.append(result["cpu"] / done)
    times.calls += done
    times.responder_cpu.append((responder.cpu() - cpu) / done)
    times.connections += responder.counts()["connections"] - counts["connections"]

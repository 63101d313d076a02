"""Contenders timed in turn: rounds in random order, so that what the machine does besides falls on all of them alike."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from statistics import median, quantiles
from typing import Dict, List, Optional, Tuple

from .contender import Contender
from .responder import Responder


@dataclass
class Pace:
    """How long to measure."""

    rounds: int
    round_ms: float


@dataclass
class Times:
    """What one contender needed, a figure a round, in nanoseconds for each call of each thread together."""

    wall: List[float] = field(default_factory=list)
    cpu: List[float] = field(default_factory=list)
    responder_cpu: List[float] = field(default_factory=list)
    calls: int = 0
    connections: int = 0

    def to(self, other: "Times") -> Tuple[float, float, float]:
        """The ratio of the medians, and the middle half of the rounds' own ratios."""
        ratios = [mine / theirs for mine, theirs in zip(self.wall, other.wall)]
        low, _, high = quantiles(ratios, n=4)
        return median(self.wall) / median(other.wall), low, high


@dataclass
class Entry:
    contender: Contender
    work: str
    #: How many of the service's calls one call of the work is.
    calls_in_one: int = 1
    #: Calls before the first round, to make all connections.
    before: int = 3
    #: Calls at each round's start, since a connection may have grown too old in the others' rounds.
    warm: int = 2


def race(
    entries: Dict[str, Entry], pace: Pace, responder: Optional[Responder] = None
) -> Dict[str, Times]:
    calls = {name: _calibrate(entry, pace.round_ms) for name, entry in entries.items()}
    times = {name: Times() for name in entries}
    for _ in range(pace.rounds):
        for name in random.sample(list(entries), len(entries)):
            _one_round(entries[name], calls[name], times[name], responder)
    for entry in entries.values():
        entry.contender.close()
    return times


def _calibrate(entry: Entry, round_ms: float) -> int:
    """How many calls a thread does in a round: as many as last for round_ms, by the third of three tries."""
    entry.contender.round(entry.work, 1, entry.before)
    calls = 1
    for share in (0.02, 0.1, 1):
        taken = entry.contender.round(entry.work, calls, 0)["ns"]
        calls = max(1, round(calls * share * round_ms * 1e6 / max(taken, 1)))
    return calls


def _one_round(
    entry: Entry, calls: int, times: Times, responder: Optional[Responder]
) -> None:
    # Apart from the round, so that its connections and its processor's time are not the round's.
    entry.contender.round(entry.work, 1, entry.warm)
    counts, cpu = (responder.counts(), responder.cpu()) if responder else ({}, 0)
    answer = entry.contender.round(entry.work, calls, 0)
    done = calls * entry.contender.threads * entry.calls_in_one
    times.wall.append(answer["ns"] / done)
    times.cpu.append(answer["cpu"] / done)
    times.calls += done
    if responder:
        times.responder_cpu.append((responder.cpu() - cpu) / done)
        times.connections += responder.counts()["connections"] - counts["connections"]

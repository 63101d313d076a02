"""The points of a sale at which a drill kills the till, and the plan of its kills.

A plan is a function of the seed and the number of the kill, on each machine and Python version.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Sequence


@dataclass(frozen=True)
class Point:
    """A kind of moment."""

    #: Completes "killed when ...".
    when: str
    #: The step of the request that it waits for; None for a change of a file.
    step: Optional[str] = None
    #: The fault that makes the sandbox stop there; None if it is past the last one.
    fault: Optional[str] = None

    @property
    def rule(self) -> Optional[str]:
        """The sandbox's rule that makes the next request stop at this point."""
        return f"{self.step}:1:{self.fault}" if self.fault else None

    def reached(self, request: Dict[str, Any]) -> bool:
        """Whether a request that the sandbox lists shows that the till is at this point."""
        step: str = request["step"]
        if self.fault == "stall-unread":
            return step == "unread"
        if self.fault is not None:
            return step == self.step and request["fault"] == self.fault
        ended: str = request["response"]["ended"]
        return step == self.step and ended == "complete"


FILE_CHANGED = Point("a file of the till changed")
_OF_CREATE = tuple(
    Point(when, "create", fault)
    for when, fault in (
        ("Create Order was not read yet", "stall-unread"),
        ("Create Order was read and no order made", "stall-before"),
        ("the order was made and no response sent", "stall"),
        ("half of the response to Create Order was sent", "stall-mid-answer"),
        ("the response to Create Order was sent", None),
    )
)
_OF_STATUS = tuple(
    Point(when, "status", fault)
    for when, fault in (
        ("Get Status was read and no response sent", "stall"),
        ("half of the response to Get Status was sent", "stall-mid-answer"),
        ("the response to Get Status was sent", None),
    )
)
POINTS = (*_OF_CREATE, *_OF_STATUS, FILE_CHANGED)
#: Where a restarted till is killed again. It has an order already.
_AFTER_RESTART = (*_OF_STATUS, FILE_CHANGED)
_AGAIN = 0.35
_MOST_KILLS = 3
_LONGEST_DELAY = 0.004


@dataclass(frozen=True)
class Kill:
    """One kill of one run."""

    point: Point
    #: For a change of a file: which one, as a part of those in a whole sale, from 0 to below 1.
    part: float
    #: How long after the change, in seconds.
    delay: float = 0.0

    def change(self, changes: int) -> int:
        """The number of the change, if a whole sale has this many."""
        return 1 + int(self.part * changes)


def title(kills: Sequence[Kill]) -> str:
    """A plan in one line for people."""
    return "killed when " + "; then when ".join(one.point.when for one in kills)


def plan(seed: int, number: int) -> List[Kill]:
    """What one sale of a drill goes through: a run for each kill, then one to the end. The first
    points alternate, so that each kind gets its share."""
    # Only `random()` returns the same numbers in all versions of Python.
    dice = random.Random(f"payorder drill {seed} {number}")
    half, odd = divmod(number, 2)
    of_network = (*_OF_CREATE, *_OF_STATUS)
    first = of_network[half % len(of_network)] if odd else FILE_CHANGED
    kills = [_kill(first, dice)]
    while len(kills) < _MOST_KILLS and dice.random() < _AGAIN:
        point = _AFTER_RESTART[int(dice.random() * len(_AFTER_RESTART))]
        kills.append(_kill(point, dice))
    return kills


def _kill(point: Point, dice: random.Random) -> Kill:
    # Later changes are more often chosen: the first ones only make empty files.
    part = max(dice.random(), dice.random())
    late = dice.random() < 0.5
    # Between two changes, a till does other work.
    delay = dice.random() * _LONGEST_DELAY if late and point is FILE_CHANGED else 0.0
    return Kill(point, part, delay)

"""The record of an order: lines of JSON, each with a hash over itself and the line before it.

The SHA-256 of a line is over the hash of the line before it, as 64 hexadecimal digits (64 zeros
for the first line), followed by the line's own text without its `sha256`.

What happened comes first, in the order in which the journal wrote it, so that an event has the same
hash in each record that is made later. The states of the entries, and when the record was made, are
at the end.
"""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any, Dict, Iterator, List, NamedTuple, Sequence, Tuple

from payorder.journal_entries import JournalEntry

_BEFORE_THE_FIRST = "0" * 64
_LINE = re.compile(r'(\{.*),"sha256":"([0-9a-f]{64})"\}')


class Changed(Exception):
    """A line that is not as it was written. The message names it."""

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(f"line {line} {problem}")
        self.line = line
        self.problem = problem


class Line(NamedTuple):
    """A line of the record: what it says, its text, and its hash."""

    content: Dict[str, Any]
    text: str
    sha256: str


#: What of an entry does not change later. The checkout URL is left out everywhere, because a page
#: is given to other people.
_FIXED = ("orderId", "merchantTxnId", "amount", "currencyCode", "deadline")
_STATE = ("state", "result", "transactionId", "transactionStatus", "updatedAt", "note")


def lines(order_id: str, entries: Sequence[JournalEntry], end: Dict[str, str]) -> List[Line]:
    """The record of an order's entries, which must have their events.

    `end` says when, where and by what the record was made.
    """
    made: List[Line] = []
    for number, content in enumerate(_contents(order_id, entries, end), start=1):
        text = json.dumps({"line": number, **content}, separators=(",", ":"))
        before = made[-1].sha256 if made else _BEFORE_THE_FIRST
        digest = _digest(before, text)
        made.append(Line(json.loads(text), f'{text[:-1]},"sha256":"{digest}"}}', digest))
    return made


def _contents(
    order_id: str, entries: Sequence[JournalEntry], end: Dict[str, str]
) -> Iterator[Dict[str, Any]]:
    told = [entry.to_dict() for entry in entries]
    yield {"kind": "evidence", "orderId": order_id}
    yield from _as_written(told)
    for one in told:
        state = {key: one[key] for key in _STATE if key in one}
        yield {"kind": "state", "entry": one["entry"], **state}
    yield {"kind": "end", **end}


def _as_written(entries: Sequence[Dict[str, Any]]) -> Iterator[Dict[str, Any]]:
    """The entries and their events. The clock may have been set back between any two of them.

    An order is sent again only before anything else is written about it. So the entries come first,
    each with how it was sent, then what was learned later.
    """
    learned: List[Tuple[int, List[Dict[str, Any]]]] = []
    sent = ""
    for entry in sorted(entries, key=lambda entry: int(entry["entry"])):
        number, time = entry["entry"], entry["startedAt"]
        fixed = {key: entry[key] for key in _FIXED}
        yield {"kind": "entry", "entry": number, "at": time, **fixed}
        events = [
            {"kind": event.pop("event"), "entry": number, **event} for event in entry["events"]
        ]
        sending = [one for one in events if one["kind"] in ("sending", "attempt")]
        yield from sending
        sent = max([sent, *(one["at"] for one in sending)])
        learned.append((number, [one for one in events if one not in sending]))
    rows = []
    for number, events in learned:
        time = sent
        for place, event in enumerate(events):
            time = max(time, event["at"])
            rows.append((time, place, number, event))
    rows.sort(key=lambda row: row[:3])
    yield from (row[-1] for row in rows)


def verified(texts: Sequence[str]) -> List[Line]:
    """Reads the lines of a record. Raises `Changed` for the first one that is not as it was."""
    read: List[Line] = []
    for number, text in enumerate(texts, start=1):
        if read and read[-1].content["kind"] == "end":
            raise Changed(number, "was added: the record ended before it")
        parts = _LINE.fullmatch(text)
        content = _object(parts[1] + "}") if parts else None
        if parts is None or content is None:
            raise Changed(number, "was changed: it is not a line of a record")
        own_number = content.get("line")
        if isinstance(own_number, int) and own_number > number:
            raise Changed(number, f"is missing: line {own_number} stands in its place")
        if isinstance(own_number, int) and own_number < number:
            raise Changed(number, f"was added: it has the number {own_number}")
        before = read[-1].sha256 if read else _BEFORE_THE_FIRST
        if _digest(before, parts[1] + "}") != parts[2]:
            raise Changed(number, "was changed: its hash is not the one of its text")
        kind = content.get("kind")
        right = isinstance(kind, str) and (kind == "evidence") == (number == 1)
        if not right or (number == 1 and not isinstance(content.get("orderId"), str)):
            raise Changed(number, "is not a line that payorder makes")
        read.append(Line(content, text, parts[2]))
    if not read or read[-1].content["kind"] != "end":
        raise Changed(len(read) + 1, "is missing: the record has no end")
    return read


def has_records(text: str) -> bool:
    """Whether any line of a text looks like one of a record."""
    return any(_LINE.fullmatch(line.rstrip("\r")) for line in text.split("\n"))


def _digest(before: str, text: str) -> str:
    return hashlib.sha256((before + text).encode("utf-8")).hexdigest()


def _object(text: str) -> Any:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None

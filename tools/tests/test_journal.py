"""The evidence about an order names each change.

What the commands print is in sessions/evidence.txt and sessions/journal.txt.
"""

from __future__ import annotations

import hashlib
import json
import re
import tempfile
import unittest
from typing import Any, Dict, List

from payorder import JournalEntry, __version__
from payorder._text import wire_name
from payorder_tools.command.evidence_page import page, verified_page
from payorder_tools.command.evidence_record import Changed, lines

from .commands import run
from .support import WIRE_ORDER, Sandbox

#: The end of a record.
END = {"madeBy": f"payorder {__version__}", "madeAt": "2026-11-24T10:00:00.000Z"}

ENTRY_KEYS = list(map(wire_name, JournalEntry.__annotations__))


def chained(contents: List[Dict[str, Any]]) -> str:
    """A record with these lines, made here from its description in the documentation."""
    text, previous = "", "0" * 64
    for content in contents:
        line = json.dumps(content, separators=(",", ":"))
        previous = hashlib.sha256((previous + line).encode()).hexdigest()
        text += f'{line[:-1]},"sha256":"{previous}"}}\n'
    return text


class Clocks(unittest.TestCase):
    def test_an_event_keeps_its_hash_when_the_clock_is_set_back(self) -> None:
        entries: List[Dict[str, Any]] = []
        noted: List[str] = []
        # The entry, what happened to it, and the minute that the clock showed.
        for number, kind, minute in (
            *((1, "sending", 30), (1, "attempt", 31), (2, "sending", 10)),
            *((2, "attempt", 11), (1, "status", 12), (2, "status", 12)),
            *((1, "status", 13), (2, "status", 13), (1, "settled", 9)),
        ):
            time = f"2026-11-24T10:{minute:02}:00.000Z"
            if number > len(entries):
                entries.append({key: time for key in ENTRY_KEYS})
                entries[-1].update(entry=number, events=[])
            events = entries[number - 1]["events"]
            events.append({"number": len(events) + 1, "at": time, "event": kind})
            read = list(map(JournalEntry.from_mapping, entries))
            made = [line.sha256 for line in lines("O", read, END)]
            happened = made[: -1 - len(entries)]
            self.assertEqual(happened[: len(noted)], noted, (number, kind, minute))
            noted = happened


class Changes(unittest.TestCase):
    def setUp(self) -> None:
        with Sandbox() as sandbox, tempfile.TemporaryDirectory() as folder:
            with sandbox.client(journal=f"{folder}/j") as client:
                client.create_order(WIRE_ORDER)
                sandbox.press("pay")
                client.get_status(order_id=WIRE_ORDER["orderId"])
                entries = list(client.journal.list(events=True))
        self.made = lines(WIRE_ORDER["orderId"], entries, END)
        self.lines = [f"{line.text}\n" for line in self.made]
        contents = [dict(line.content) for line in self.made]
        self.assertEqual(chained(contents), "".join(self.lines))
        self.contents = contents
        verified_page("".join(self.lines))

    def is_changed(self, lines: List[str], line: int, problem: str) -> None:
        with self.assertRaises(Changed, msg=lines) as caught:
            verified_page("".join(lines))
        self.assertRegex(str(caught.exception), f"^line {line} {problem}")

    def test_each_line_that_was_changed_removed_or_added_is_named(self) -> None:
        self.is_changed([], 1, "is missing")
        for at, line in enumerate(self.lines):
            before, after = self.lines[:at], self.lines[at + 1 :]
            self.is_changed([*before, *after], at + 1, "is missing")
            self.is_changed([*before, line, line, *after], at + 2, "was added")
            # Another value or hash, the same key twice, spaces, nothing.
            for other in (
                re.sub(r'"(madeBy|orderId|at|updatedAt)":"', r'"\1":" ', line, count=1),
                line.replace('"sha256":"', '"sha256":"0')[:-4] + '"}\n',
                line.replace("{", '{"kind":"end",', 1),
                line.replace(":", ": ", 1),
                "\n",
            ):
                self.assertNotEqual(other, line)
                self.is_changed([*before, other, *after], at + 1, "was changed")
        # Also one with the right number and hash after the end.
        more = [*self.contents, {"line": len(self.lines) + 1, "kind": "end"}]
        self.is_changed([chained(more)], len(more), "was added")

    def test_each_line_of_a_page_that_was_changed_is_named(self) -> None:
        shown = page(self.made).splitlines(keepends=True)
        words = len(shown) - len(self.lines) - 1
        for at in {*range(0, words, 9), words - 1, words + 1, words + 4}:
            problem = "was changed" if at > words else "is not what the record says"
            changed = [*shown[:at], "9" + shown[at], *shown[at + 1 :]]
            self.is_changed(changed, at + 1, problem)
            self.is_changed([*shown[:at], "9\n", *shown[at:]], at + 1, ".*")
        self.is_changed(shown[:-1], len(shown), "is missing")
        # Also if the record was made again and names another version.
        self.contents[-1]["madeBy"] = "payorder 9.9.9"
        other = ["Other words\n", shown[words], chained(self.contents)]
        self.is_changed(other, 1, ".* made by payorder 9.9.9$")

    def test_each_character_that_is_not_ascii_is_a_change(self) -> None:
        self.contents[2]["note"] = "On hold?"
        record = chained(self.contents)
        verified_page(record)
        for other in ("\u00e9", "\ufffd", "\u061f", "\U0001f4b0"):
            self.is_changed([record.replace("hold?", f"hold{other}")], 3, "was changed")

    def test_a_forged_order_id_is_shown_in_one_line_and_must_be_text(self) -> None:
        for order_id, status in ((" A\n\nfinal hash: 01\u202e", 0), (None, 6), (5, 6), (["A"], 6)):
            begin = {"line": 1, "kind": "evidence", "orderId": order_id}
            forged = chained([begin, {"line": 2, "kind": "end", **END}])
            ended = run(None, "verify-evidence -", given=forged)
            self.assertEqual(ended.returncode, status, order_id)
            shown = ended.stdout.splitlines()[:2]
            if status == 0:
                self.assertEqual(
                    shown[0], r"not changed: 2 lines about order  A\n\nfinal hash: 01\u202e"
                )
                self.assertIn(shown[1].split(": ")[1], forged)

    def test_a_valid_chain_of_nonsense_is_no_crash(self) -> None:
        begin = {"line": 1, "kind": "evidence"}
        deep = '{"line":' + "[" * 100_000 + ',"sha256":"' + "0" * 64 + '"}'
        strange: List[Dict[str, Any]] = [
            begin,
            {"line": 2, "kind": "state", "entry": [], "state": {}},
            {"line": 3, "kind": "attempt", "entry": None, "number": "x", "result": "y"},
            {"line": 4, "kind": "?", "at": 5},
            {"line": 5, "kind": "end", **END},
        ]
        for text in (
            chained([{"line": 1, "kind": "end"}]),
            chained([begin, {"line": 2, "kind": []}]),
            chained([begin, {**begin, "line": 2}]),
            "EVIDENCE\nTHE RECORD, FOR COMPUTERS\n" + chained(strange),
            *("x", "{}\n", "[]\n", "{" * 5000, deep),
        ):
            with self.assertRaises(Changed, msg=text):
                verified_page(text)

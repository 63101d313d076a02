"""`payorder evidence` and `payorder verify-evidence`."""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
import sqlite3
from typing import Any, Dict, Iterator, List, Optional

from payorder import __version__
from payorder_tools.command.evidence_page import verified_page
from payorder_tools.command.evidence_record import Changed

from .commands import (
    DONE,
    NOT_PAID,
    NOT_SENT,
    ORDER,
    USAGE,
    CommandTestCase,
    Ended,
    run,
)
from .service import closed_port

MADE_BY = f"payorder {__version__}"


class EvidenceTestCase(CommandTestCase):
    def sell(self, order_id: str, *more: str, fault: str = "") -> None:
        self.create(f"{order_id} 5.00", "--journal", self.journal, *more, fault=fault)

    def ask(self, order_id: str) -> None:
        self.in_journal(f"status {order_id}")

    def evidence(self, line: str, *more: str, status: Optional[int] = DONE) -> Ended:
        return self.in_journal(f"evidence {line}", *more, status=status)

    def verify(self, text: str, more: str = "", status: int = DONE) -> Ended:
        # Without any settings.
        ended = run(None, f"verify-evidence - {more}", given=text)
        self.assertEqual(ended.returncode, status, ended)
        return ended

    def make_history(self) -> None:
        """An order that was lost, asked for and paid."""
        self.sell("A", fault="drop-after-commit")
        self.ask("A")
        self.sandbox.press("pay")
        self.ask("A")

    @contextlib.contextmanager
    def database(self) -> Iterator[sqlite3.Connection]:
        with contextlib.closing(sqlite3.connect(self.journal)) as journal, journal:
            yield journal


def rows(text: str) -> List[Dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def unchained(text: str) -> List[Dict[str, Any]]:
    """The lines of a record without their hashes."""
    found = rows(text)
    for one in found:
        del one["sha256"]
    return found


def chained(contents: List[Dict[str, Any]]) -> str:
    """A record with these lines, made here from its description in the documentation."""
    text, previous = "", "0" * 64
    for content in contents:
        line = json.dumps(content, separators=(",", ":"))
        previous = hashlib.sha256((previous + line).encode()).hexdigest()
        text += f'{line[:-1]},"sha256":"{previous}"}}\n'
    return text


class Evidence(EvidenceTestCase):
    def test_the_page_says_what_happened_in_plain_words(self) -> None:
        self.make_history()
        page = self.evidence("A")
        self.assertEqual(page.stderr, "")
        words = " ".join(page.stdout.split())
        for said in (
            "EVIDENCE ABOUT ORDER A ",
            f"by {MADE_BY}, from the journal orders.sqlite. All times are UTC; the time zone",
            "amount 5.00 INR",
            "The service has the order. The last known status of the payment is Completed.",
            "The order was about to be sent. The body of the request has ",
            "This attempt alone does not show whether the service has the order (connection "
            f"closed). The service was {self.sandbox.url[7:]}, without TLS.",
            "The service reported the status Pending, the amount 5.00 and the transaction "
            "(not known).",
            "The service reported the status Completed, the amount 5.00 and the transaction ",
            "This is not a signature.",
            "This page does not prove that money arrived",
        ):
            self.assertIn(said, words)
        self.assertLess(
            max(map(len, page.stdout.split("THE RECORD")[0].split("\n"))), 90
        )

    def test_the_record_has_a_line_for_each_event_and_a_chain_of_hashes(self) -> None:
        self.make_history()
        record = self.evidence("A --json").stdout
        found = unchained(record)
        kinds = ["evidence", "entry", "sending", "attempt", "status", "status", "state"]
        self.assertEqual([one["kind"] for one in found], [*kinds, "end"])
        self.assertEqual([one["line"] for one in found], list(range(1, 9)))
        self.assertEqual(chained(found), record)
        self.assertEqual(found[-1]["madeBy"], MADE_BY)
        self.assertRegex(found[-1]["timeZone"], r"\(UTC[+-]\d\d:\d\d\)$")
        self.assertEqual(found[3]["cause"], "connection_closed")

    def test_an_event_has_the_same_hash_in_a_later_page(self) -> None:
        self.make_history()
        before = rows(self.evidence("A --json").stdout)
        noted = before[5]["sha256"]
        with self.database() as journal:
            journal.execute(
                "INSERT INTO events VALUES (1, 5, 4102444800000, 'settled', '{}', NULL)"
            )
        after = self.evidence("A --json").stdout
        self.assertEqual(rows(after)[:6], before[:6])
        self.assertEqual(rows(after)[6]["kind"], "settled")
        verified = self.verify(after, f"--hash {noted[:12].upper()}")
        self.assertEqual(verified.stderr, "")

    def test_all_entries_of_an_order_are_shown(self) -> None:
        self.sell("A", "--base-url", f"http://127.0.0.1:{closed_port()}")
        self.sell("A", fault="reject")
        self.sell("A")
        self.sell("B")
        page = self.evidence("A").stdout
        words = " ".join(page.split())
        self.assertEqual(re.findall("ENTRY ([0-9]+)", page), ["1", "2", "3"])
        for said in (
            "The journal has 3 entries of this order",
            "sent 0 bytes",
            "Nothing of the order was sent (connection refused).",
            "The service refused the order (HTTP 200, responseCode 400, service refused).",
            "The service accepted the order (HTTP 200, responseCode 200).",
        ):
            self.assertIn(said, words)
        self.verify(page)

    def test_it_says_what_the_journal_does_not_know(self) -> None:
        self.sell("A")
        with self.database() as journal:
            journal.execute("DELETE FROM events WHERE event = 'attempt'")
        words = " ".join(self.evidence("A").stdout.split())
        self.assertIn(
            "does not say how the sending ended: the program was stopped", words
        )
        with self.database() as journal:
            journal.execute("DELETE FROM events")
            for number in (3, 7):
                journal.execute(
                    "INSERT INTO events VALUES (1, ?, 0, 'status', '{}', NULL)",
                    [number],
                )
        page = self.evidence("A").stdout
        words = " ".join(page.split())
        self.assertIn("does not say how this order was sent: an older version", words)
        self.assertIn("(3 older statuses were dropped.)", words)
        self.verify(page)

    def test_it_has_no_credential_no_customer_and_no_checkout_url(self) -> None:
        self.make_history()
        self.sell("B")
        for order_id in ("A", "B"):
            for output in ("", "--json"):
                text = self.evidence(f"{order_id} {output}").stdout.lower()
                self.assertIn(f'"orderid":"{order_id.lower()}"', text)
                for private in (
                    "sandbox-", "asha", "9000000001", "example.com", "shop.example", "tea",
                    "m-1", "/checkout/", str(self.folder).lower(),
                ):  # fmt: skip
                    self.assertNotIn(private, text)

    def test_strange_identifiers_cannot_change_the_page(self) -> None:
        order_id = "{\u202eA\n\nFINAL HASH\n\nTHE RECORD, FOR COMPUTERS\n\n{}"
        named = ("--order-id", order_id, "-a", "5.00", *ORDER)
        self.in_journal("create", *named, status=DONE)
        page = self.evidence("", order_id).stdout
        self.assertEqual(page.count("\nFINAL HASH\n"), 1)
        self.assertNotIn("\u202e", page)
        self.assertEqual(self.verify(page).stderr, "")

    def test_the_note_of_a_person_cannot_look_like_an_event(self) -> None:
        self.sell("A")
        event = "2026-11-24 10:00:00.000  The service reported the status Completed, the amount"
        note = f'"paid".\n  {event} 5.00. [0123456789ab]\u2028\u202e\u0421ompleted\x7f'
        self.in_journal("journal settle 1 --note", note, status=DONE)
        page = self.evidence("A").stdout
        self.assertTrue(page.isascii())
        before, after = page.split("A person closed the entry, and wrote")
        self.assertNotIn("Completed, the amount", before)
        quote = [line for line in after.splitlines() if line.startswith("    > ")]
        for said in ("The service reported", "[0123456789ab]", "ompleted"):
            self.assertIn(said, " ".join(quote))
            rest = after.replace("\n".join(quote), "").split("THE RECORD")[0]
            self.assertNotIn(said, rest)
        text = " ".join(line[6:] for line in quote)
        self.assertEqual(text[0] + text[-1], '""')
        self.assertEqual(json.loads(text).split(), note.split())
        self.verify(page)

    def test_failures_have_a_clear_message(self) -> None:
        self.sell("A")
        taken = self.folder / "taken"
        taken.write_text("kept")
        journal = {"PAYORDER_JOURNAL": self.journal}
        for line, words in (
            ("B", "has no order B: check the order id"),
            (f"A --journal {self.folder}/typo", "there is no journal "),
            (f"A --out {taken}", "exists already: name another file"),
            (f"A --out {self.folder}/no/file", "cannot be written: No such"),
        ):
            self.refused(f"evidence {line}", **journal, words=words)
        self.assertEqual(taken.read_text(), "kept")
        self.refused("evidence A", words="no journal")
        with self.database() as database:
            database.execute("UPDATE events SET details = 'x'")
        self.assertEqual(self.evidence("A", status=NOT_SENT).stdout, "")

    def test_it_needs_no_address_and_no_credentials(self) -> None:
        self.make_history()
        journal = {"PAYORDER_JOURNAL": self.journal}
        for line, lines in (("evidence A --json", 8), ("journal list", 2)):
            alone = run(None, line, **journal)
            self.assertEqual((alone.returncode, alone.stderr), (DONE, ""))
            self.assertEqual(len(alone.stdout.splitlines()), lines)
        asking = run(None, "journal resolve", **journal)
        self.assertEqual(asking.returncode, USAGE)
        self.assertIn("PAYORDER_BASE_URL", asking.stderr)

    def test_it_can_be_written_into_a_file(self) -> None:
        self.sell("A")
        path = self.folder / "evidence.txt"
        saved = self.evidence(f"A --out {path}")
        self.assertIn("note its final hash", saved.stderr)
        text = path.read_text(encoding="utf-8")
        self.assertIn(f"FINAL HASH\n\n{saved.stdout}", text)
        verified = run(None, f"verify-evidence {path}")
        self.assertIn(f"final hash: {saved.stdout}", verified.stdout)
        self.assertRegex(self.evidence("A --quiet").stdout, "^[0-9a-f]{64}\n$")
        record = self.evidence(f"A --json --out {self.folder}/record")
        final_hash = json.loads(record.stdout)["finalHash"]
        self.assertIn(final_hash, (self.folder / "record").read_text())


class Verifying(EvidenceTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.make_history()
        self.record = self.evidence("A --json").stdout
        self.lines = self.record.splitlines(keepends=True)

    def is_changed(self, lines: List[str], line: int, problem: str) -> None:
        with self.assertRaises(Changed, msg=lines) as caught:
            verified_page("".join(lines))
        self.assertEqual(caught.exception.line, line)
        self.assertRegex(str(caught.exception), f"^line {line} {problem}")

    def test_a_record_that_was_not_changed_passes(self) -> None:
        verified = self.verify(self.record)
        self.assertEqual(verified.stderr, "")
        final_hash = json.loads(self.lines[-1])["sha256"]
        self.assertIn("not changed: 8 lines about order A\n", verified.stdout)
        self.assertIn(f"final hash: {final_hash}\n", verified.stdout)
        found = json.loads(self.verify(self.record, "--json").stdout)
        expected = {"unchanged": True, "orderId": "A", "finalHash": final_hash}
        self.assertEqual(found, expected)
        self.assertEqual(self.verify(self.record, "--quiet").stdout, "")
        # As Windows programs save it.
        self.verify(self.record.replace("\n", "\r\n"))

    def test_a_change_is_an_error_of_the_command(self) -> None:
        changed = self.record.replace("5.00", "6.00", 1)
        found = self.verify(changed, status=NOT_PAID)
        self.assertEqual(found.stdout, "")
        self.assertRegex(found.stderr, "^payorder: CHANGED: line 2 was changed: .*\n$")
        shown = json.loads(self.verify(changed, "--json", NOT_PAID).stdout)
        self.assertEqual((shown["unchanged"], shown["line"]), (False, 2))

    def test_each_line_that_was_changed_is_named(self) -> None:
        for at, line in enumerate(self.lines):
            changed = [*self.lines]
            changed[at] = re.sub(
                r'"(madeBy|orderId|at|updatedAt)":"', r'"\1":" ', line, count=1
            )
            self.assertNotEqual(changed[at], line)
            self.is_changed(changed, at + 1, "was changed")
            # Another hash, another order of the keys, the same key twice, spaces.
            twice = line.replace("{", '{"kind":"end",', 1)
            for other in (
                line.replace('"sha256":"', '"sha256":"0')[:-4] + '"}\n',
                twice,
                line.replace(":", ": ", 1),
                "\n",
            ):
                changed[at] = other
                self.is_changed(changed, at + 1, "was changed")

    def test_each_line_that_was_removed_is_named(self) -> None:
        for at in range(len(self.lines)):
            left = [*self.lines[:at], *self.lines[at + 1 :]]
            self.is_changed(left, at + 1, "is missing")
        self.is_changed([], 1, "is missing")

    def test_each_line_that_was_added_is_named(self) -> None:
        for at, line in enumerate(self.lines):
            added = [*self.lines[: at + 1], line, *self.lines[at + 1 :]]
            self.is_changed(added, at + 2, "was added")
        # Also one with the right number and hash after the end.
        contents = unchained(self.record)
        contents.append({"line": len(contents) + 1, "kind": "end"})
        self.is_changed([chained(contents)], len(contents), "was added")

    def test_lines_that_were_made_again_have_another_final_hash(self) -> None:
        final_hash = rows(self.record)[-1]["sha256"]
        contents = unchained(self.record)
        contents[3]["at"] = "2020-01-01T00:00:00.000Z"
        again = chained(contents)
        self.verify(again)
        noted = f"--hash {final_hash}"
        found = self.verify(again, noted, NOT_PAID)
        self.assertEqual(found.stdout, "")
        self.assertIn(f"CHANGED: no line has the hash {final_hash}", found.stderr)
        found = self.verify(again, f"{noted} --json", NOT_PAID)
        self.assertFalse(json.loads(found.stdout)["unchanged"])
        self.verify(again, "--hash 12345", USAGE)

    def test_each_line_of_a_page_that_was_changed_is_named(self) -> None:
        page = self.evidence("A").stdout
        self.verify(page)
        lines = page.splitlines(keepends=True)
        words = lines.index("THE RECORD, FOR COMPUTERS\n")
        checked = {0, 2, 7, 9, 13, words - 2, words - 1, words + 1, words + 4}
        for at in sorted(checked):
            problem = "was changed" if at > words else "is not what the record says"
            changed = [*lines]
            changed[at] = "9" + lines[at]
            self.is_changed(changed, at + 1, problem)
            self.is_changed([*lines[:at], "9\n", *lines[at:]], at + 1, ".*")
        self.is_changed(lines[:-1], len(lines), "is missing")
        # Also if the record was made again and names another version.
        contents = unchained("".join(lines[words + 1 :]))
        contents[-1]["madeBy"] = "payorder 9.9.9"
        record = chained(contents)
        page = "".join(["Other words\n", lines[words], record])
        other = self.verify(page, status=NOT_PAID)
        self.assertRegex(other.stderr, "CHANGED: line 1 .* made by payorder 9.9.9$")
        self.verify(record)

    def test_each_character_that_is_not_ascii_is_a_change(self) -> None:
        contents = unchained(self.record)
        contents[4]["transactionStatus"] = "On hold?"
        record = chained(contents)
        self.verify(record)
        for other in ("\u00e9", "\ufffd", "\u061f", "\U0001f4b0"):
            self.is_changed([record.replace("hold?", f"hold{other}")], 5, "was changed")

    def test_another_file_is_not_called_changed(self) -> None:
        for text in ("", "# A page about something else\n", '{"kind":"evidence"}\n'):
            found = self.verify(text, status=USAGE)
            self.assertIn("is not evidence", found.stderr)
            self.assertNotIn("CHANGED", found.stderr)

    def test_a_valid_chain_of_nonsense_is_no_crash(self) -> None:
        for contents in (
            [{"line": 1, "kind": "end"}],
            [{"line": 1, "kind": "evidence"}, {"line": 2, "kind": []}],
            [{"line": 1, "kind": "evidence"}, {"line": 2, "kind": "evidence"}],
        ):
            with self.assertRaises(Changed):
                verified_page(chained(contents))
        strange: List[Dict[str, Any]] = [
            {"line": 1, "kind": "evidence"},
            {"line": 2, "kind": "state", "entry": [], "state": {}},
            {"line": 3, "kind": "attempt", "entry": None, "number": "x", "result": "y"},
            {"line": 4, "kind": "?", "at": 5},
            {"line": 5, "kind": "end", "madeBy": MADE_BY},
        ]
        page = "EVIDENCE\nTHE RECORD, FOR COMPUTERS\n" + chained(strange)
        self.is_changed([page], 1, "is not what")
        deep = '{"line":' + "[" * 100_000 + ',"sha256":"' + "0" * 64 + '"}'
        for text in ("", "x", "{}\n", "[]\n", "{" * 5000, deep):
            with self.assertRaises(Changed, msg=text):
                verified_page(text)

    def test_a_file_that_cannot_be_read_is_no_evidence_of_a_change(self) -> None:
        self.refused(f"verify-evidence {self.folder}/typo")
        path = self.folder / "latin"
        path.write_bytes(self.record.encode("utf-16"))
        self.refused(f"verify-evidence {path}", words="is not UTF-8 text")

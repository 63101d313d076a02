"""Changes of the files in a till's folder are noticed while they happen."""

from __future__ import annotations

import sys
import tempfile
import threading
import unittest
from pathlib import Path
from typing import List, Optional, Tuple, Type

from payorder_tools.certify.changes import (
    Changes,
    NotifiedChanges,
    PolledChanges,
    watch,
)

from .service import PATIENCE


class Noted:
    """The changes that were noticed."""

    def __init__(self) -> None:
        self.all: List[Tuple[int, str]] = []
        self._new = threading.Condition()

    def __call__(self, number: int, name: str) -> None:
        with self._new:
            self.all.append((number, name))
            self._new.notify_all()

    def wait_for(self, name: str, after: int = 0) -> int:
        """Waits for a change of this file. Returns how many changes there were."""

        def noted() -> Optional[int]:
            return any(known == name for _, known in self.all[after:])

        with self._new:
            assert self._new.wait_for(noted, PATIENCE), (name, self.all)
            return len(self.all)


class PolledChangesTest(unittest.TestCase):
    kind: Type[Changes] = PolledChanges

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.folder = Path(folder.name)
        self.addCleanup(folder.cleanup)

    def test_each_kind_of_change_is_noticed(self) -> None:
        noted = Noted()
        (self.folder / "old").write_text("1")
        with self.kind(self.folder, noted):
            path = self.folder / "journal.db"
            path.write_text("1")
            count = noted.wait_for("journal.db")
            with open(path, "a") as file:
                file.write("2")
            count = noted.wait_for("journal.db", count)
            path.replace(self.folder / "journal.bak")
            count = noted.wait_for("journal.bak", count)
            (self.folder / "old").unlink()
            noted.wait_for("old", count)
        numbers = [number for number, _ in noted.all]
        self.assertEqual(numbers, list(range(1, len(numbers) + 1)))

    def test_a_folder_made_later_is_watched_too(self) -> None:
        noted = Noted()
        with self.kind(self.folder, noted):
            below = self.folder / "state"
            below.mkdir()
            count = noted.wait_for("state")
            (below / "orders").write_text("1")
            noted.wait_for("orders", count)

    def test_nothing_is_counted_without_a_change_or_after_the_end(self) -> None:
        noted = Noted()
        (self.folder / "old").write_text("1")
        with self.kind(self.folder, noted) as changes:
            (self.folder / "old").read_text()
            # A change that is noticed shows that the watcher got as far as this.
            (self.folder / "new").write_text("")
            noted.wait_for("new")
            self.assertFalse(any(name == "old" for _, name in noted.all))
        count = changes.count
        (self.folder / "later").write_text("1")
        self.assertEqual(changes.count, count)


@unittest.skipUnless(sys.platform == "linux", "inotify is a part of Linux")
class NotifiedChangesTest(PolledChangesTest):
    kind = NotifiedChanges

    def test_it_is_the_way_that_is_used(self) -> None:
        with watch(self.folder, Noted()) as changes:
            self.assertIsInstance(changes, NotifiedChanges)


if __name__ == "__main__":
    unittest.main()

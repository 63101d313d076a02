"""The report of `payorder reconcile`: one row for each row of the input, in the input's order.

A report file is named NAME.unfinished until it is complete. An unfinished report can be continued.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import tempfile
from collections import Counter
from typing import (
    IO,
    Counter as Counts,
    Dict,
    FrozenSet,
    Iterator,
    Optional,
    Tuple,
    Union,
)

from .exits import UsageError
from .layouts import Finding, Layout
from .output import flush, output_failed, warn, write
from .rows import OrderFile, Row

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]


#: About how many findings may wait in memory for an earlier one, or for the first status.
MAX_WAITING = 20_000


class ReportFailed(Exception):
    """The report cannot be written."""


class TooManyFailures(Exception):
    """Many orders in a row had no usable response, so the service is probably failing."""


class Report:
    """Takes the findings in the input's order, counts them, and prints them."""

    def __init__(
        self,
        layout: Layout,
        most_failures: int,
        expected: FrozenSet[str],
        only_unexpected: bool = False,
    ) -> None:
        """`expected` are the verdicts that need nobody."""
        self.counts: Counts[str] = Counter()
        #: How many rows have another verdict.
        self.unexpected = 0
        self.rows = 0
        self.last_line = 0
        self._layout = layout
        self._most_failures = most_failures
        # How many orders in a row had no usable response, and what was the last one.
        self._failures = 0
        self._last_failure = ""
        self._expected = expected
        self._only_unexpected = only_unexpected
        self._kept: Dict[int, Tuple[Row, Finding]] = {}
        self._asked = 0
        self._refusals = 0
        # Whether a query got a status, which shows that refusals are about their orders.
        self._any_status = False
        #: What comes before the next row.
        self._head = layout.head

    def continue_earlier(self, orders: OrderFile) -> Iterator[Optional[Finding]]:
        """What an earlier run learned about the next rows, None for each without a response."""
        return iter(())

    def keep(self, place: int, row: Row, finding: Finding, refused: bool = False) -> None:
        """Takes a finding until those of all earlier rows are there. They come in any order.

        `refused` says whether the service refused the query, for any reason.
        """
        self._kept[place] = row, finding
        self._asked += finding.asked or refused
        self._refusals += refused
        self._any_status = self._any_status or finding.has_status
        if self._waits_for_status:
            # No row is added, so the failures count as they come.
            self._count_failure(finding)

    def add_kept(self) -> None:
        """Adds the rows that no missing one precedes. Raises `TooManyFailures`.

        A refused row waits until a query got a status.
        """
        self._add_kept()
        if not self._waits_for_status:
            return
        try:
            self._stop_after_failures()
        except TooManyFailures:
            self.add_rest()
            raise
        if self.waiting > MAX_WAITING:
            raise TooManyFailures(self._without_status(self._kept[self.rows][1]))

    def add_rest(self) -> Optional[str]:
        """Adds the rows that still wait, after the last answer.

        If no query of two or more got a status, a refusal says nothing about any order: returns
        this, with its words.
        """
        said = None
        refused = {n: one for n, one in self._kept.items() if one[1].not_known}
        if refused and self._asked > 1 and not self._any_status:
            said = self._without_status(refused[min(refused)][1])
            for place, (row, _) in refused.items():
                self._kept[place] = row, Finding("no_answer", detail=said)
        # No row waits for a status any more, and there is nothing to stop.
        self._any_status = True
        self._most_failures = 0
        self._add_kept()
        return said

    @property
    def waiting(self) -> int:
        """How many findings wait for an earlier one."""
        return len(self._kept)

    @property
    def _waits_for_status(self) -> bool:
        """Whether the next row is a refused one, which waits until a query got a status."""
        row = self._kept.get(self.rows)
        return row is not None and row[1].not_known and not self._any_status

    def _add_kept(self) -> None:
        while self.rows in self._kept and not self._waits_for_status:
            row, finding = self._kept.pop(self.rows)
            if not self._only_unexpected or self._is_unexpected(finding):
                self._write(self._head + self._layout.text(row, finding))
                self._head = ""
            self._count(row, finding)
            self._count_failure(finding)
            self._stop_after_failures()
            if self._waits_for_status:
                # It has a response.
                self._failures = 0

    def _count_failure(self, finding: Finding) -> None:
        if finding.verdict == "no_answer":
            self._failures += 1
            self._last_failure = finding.detail
        elif finding.asked:
            self._failures = 0

    def _stop_after_failures(self) -> None:
        if 0 < self._most_failures <= self._failures:
            raise TooManyFailures(
                f"{self._failures} orders in a row had no usable response; "
                f"the last one: {self._last_failure}"
            )

    def _without_status(self, refusal: Finding) -> str:
        """What a refusal says while no query got a status."""
        if self._refusals == self._asked:
            return f"the service refuses every query: {refusal.detail}"
        words = "no query got a status, so this refusal may not be about the order"
        return f"{words}: {refusal.detail}"

    def finish(self) -> None:
        """Completes the report, when it has every row."""
        # No output at all, if everything is as expected.
        if not self._only_unexpected:
            self._write(self._head)
        flush()

    def stop(self) -> None:
        """Ends an incomplete report, and prints where it is."""
        # Standard output may be what failed.
        with contextlib.suppress(ReportFailed):
            self.finish()

    def print_unexpected(self) -> None:
        """Prints the rows with an unexpected verdict, if they were not printed before."""

    def _count(self, row: Row, finding: Finding) -> None:
        self.counts[finding.verdict] += 1
        self.unexpected += self._is_unexpected(finding)
        self.rows += 1
        self.last_line = row.line

    def _is_unexpected(self, finding: Finding) -> bool:
        return finding.verdict not in self._expected

    def _write(self, text: str) -> None:
        write(text)
        if output_failed():
            raise ReportFailed


class ReportFile(Report):
    """A report in a file, which gets its name when it is complete.

    A device or a pipe is written to directly, and cannot be continued.
    """

    def __init__(
        self,
        layout: Layout,
        printed: Layout,
        most_failures: int,
        expected: FrozenSet[str],
        path: str,
        source: str,
        resume: bool,
        force: bool,
    ) -> None:
        """`printed` is the layout of the rows that are printed in addition to the file."""
        super().__init__(layout, most_failures, expected)
        self._printed = printed
        self._unexpected: IO[bytes] = tempfile.TemporaryFile()
        self._ask_again: Tuple[str, ...] = ("no_answer",)
        # A symbolic link stays a link.
        self._path = os.path.realpath(path)
        self._resume = resume
        self._in_place = os.path.exists(path) and not os.path.isfile(path)
        self.unfinished = self._path + ".unfinished"
        for taken in (self._path, self.unfinished):
            if _is_same(taken, source) and not self._in_place:
                raise UsageError(f"the report {taken} would overwrite the input: name another file")
        if os.path.isfile(path) and not force:
            raise UsageError(
                f"the report {path} exists already: name another file, or replace it with --force"
            )
        if resume and (self._in_place or not os.path.exists(self.unfinished)):
            raise UsageError(f"there is no unfinished report {self.unfinished} to continue")
        try:
            self._file = open(path, "wb") if self._in_place else self._opened()
        except OSError as error:
            raise UsageError(f"the report {path} cannot be written: {error.strerror}") from None
        if resume:
            self._head = ""
        elif not self._in_place:
            if not force and os.path.getsize(self.unfinished):
                raise UsageError(
                    f"{self.unfinished} is the unfinished report of an earlier run: continue it "
                    "with --resume, or begin a new one with --force"
                )
            self._file.truncate(0)

    def continue_earlier(self, orders: OrderFile) -> Iterator[Optional[Finding]]:
        """Keeps the rows of the unfinished report before the first one without a response.

        Returns the findings of the rows after that. Changes nothing if it is of another input.
        """
        if not self._resume:
            return iter(())
        rows = orders.rows()
        head = _encoded(self._layout.head)
        fits = keep = self._file.read(len(head)) == head
        earlier = tempfile.TemporaryFile()
        shutil.copyfileobj(self._file, earlier)
        earlier.seek(0)
        self._any_status = any(one.has_status for one in self._findings(earlier))
        if not self._any_status:
            # Nothing shows that the refusals were about the orders.
            self._ask_again += ("unknown_to_service", "missing_at_service")
        earlier.seek(0)
        kept = self._file.seek(len(head))
        for finding in self._findings(earlier) if fits else ():
            row = next(rows, None)
            text = b"" if row is None else _encoded(self._layout.text(row, finding))
            if row is None or self._file.read(len(text)) != text:
                fits = False
                break
            keep = keep and finding.verdict not in self._ask_again
            if keep:
                self._count(row, finding)
                kept = self._file.tell()
        if not fits:
            raise UsageError(
                f"the unfinished report {self.unfinished} does not belong to this input: it "
                f"differs after {self.rows} orders; to begin a new report, leave out --resume"
            )
        earlier.seek(kept - len(head))
        self._file.seek(kept)
        self._file.truncate()
        return self._later(earlier)

    def _later(self, earlier: IO[bytes]) -> Iterator[Optional[Finding]]:
        with earlier:
            for finding in self._findings(earlier):
                yield None if finding.verdict in self._ask_again else finding

    def _findings(self, file: IO[bytes]) -> Iterator[Finding]:
        # The last row may have been cut off.
        lines = (line for line in file if line.endswith(b"\n"))
        return self._layout.findings(line.decode("utf-8", "surrogateescape") for line in lines)

    def finish(self) -> None:
        try:
            self._write(self._head)
            self._file.flush()
            if not self._in_place:
                os.fsync(self._file.fileno())
                if os.path.exists(self._path):
                    shutil.copymode(self._path, self.unfinished)
                os.replace(self.unfinished, self._path)
            self._file.close()
        except OSError as error:
            raise self._failed(error) from None

    def stop(self) -> None:
        with contextlib.suppress(OSError):
            self._file.close()
        if self._in_place:
            return
        if self.rows == 0:
            with contextlib.suppress(OSError):
                os.unlink(self.unfinished)
            return
        warn(
            f"the unfinished report {self.unfinished} has {self.rows} orders, up to line "
            f"{self.last_line} of the input; to continue it, run the same command with --resume"
        )

    def print_unexpected(self) -> None:
        with self._unexpected:
            if self.unexpected:
                write(self._printed.head)
            self._unexpected.seek(0)
            for line in self._unexpected:
                write(line.decode("utf-8", "surrogateescape"))
        flush()

    def _count(self, row: Row, finding: Finding) -> None:
        super()._count(row, finding)
        if self._is_unexpected(finding):
            self._unexpected.write(_encoded(self._printed.text(row, finding)))

    def _write(self, text: str) -> None:
        try:
            self._file.write(_encoded(text))
        except OSError as error:
            raise self._failed(error) from None

    def _failed(self, error: OSError) -> ReportFailed:
        return ReportFailed(f"the report cannot be written: {error.strerror}")

    def _opened(self) -> IO[bytes]:
        """The unfinished report, locked."""
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
        file = open(os.open(self.unfinished, flags, 0o666), "r+b")
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise UsageError(f"{self.unfinished} is in the way: it is not a file")
        try:
            if fcntl is not None:
                fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
            # Another run could have renamed the file before it was locked.
            if not _is_same(self.unfinished, file.fileno()):
                raise BlockingIOError
        except BlockingIOError:
            raise UsageError(
                f"another run is writing {self.unfinished}: wait for it, or name another report"
            ) from None
        return file


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _is_same(path: str, other: Union[str, int]) -> bool:
    """Whether two paths, or a path and a descriptor, are the same file; "-" is stdin."""
    with contextlib.suppress(OSError):
        known = os.stat(0 if other == "-" else other)
        return os.path.samestat(os.stat(path), known)
    return False

"""Reads a CSV file of orders. The complete file is checked before anything is sent."""

from __future__ import annotations

import contextlib
import csv
import os
import re
import shutil
import stat
import tempfile
from io import TextIOWrapper
from typing import IO, Any, Dict, Iterator, List, NamedTuple, Optional, Sequence

from .exits import UsageError
from .inputs import open_text, unreadable
from .suggestions import did_you_mean

#: The usual names of the columns, in lower case, without spaces and underscores.
ORDER_COLUMNS = ("orderid", "order", "id")
AMOUNT_COLUMNS = ("amount", "expectedamount", "total")

_CHANGED = "changed while it was read; run the command again"


class Row(NamedTuple):
    """One row: the number of its first line (from 1), and its cells."""

    line: int
    cells: List[str]


class OrderFile:
    """A CSV file that was read and checked once, and can be read again."""

    def __init__(
        self,
        file: IO[str],
        name: str,
        order_column: Optional[str],
        amount_column: Optional[str],
        allow_empty: bool = False,
    ) -> None:
        self._file = file
        self._name = name
        self.lines = 0  #: all lines, including blank ones and that of the column names
        self.blank = 0  #: rows without any text
        self.orders = 0  #: rows that have an order
        first = self._first_line()
        # In many countries, spreadsheets separate columns by semicolons.
        self.delimiter: str = max(",;\t", key=first.count)
        rows = self._every_row()
        head = next(rows, None)
        if head is None or not any(cell.strip() for cell in head.cells):
            raise UsageError(
                f"{name} has no column names: "
                "its first line must name the columns, such as orderId,amount"
            )
        self.header = head.cells
        self._order = self._column(order_column, ORDER_COLUMNS, "--order-column")
        self._amount = self._column(amount_column, AMOUNT_COLUMNS, "--amount-column")
        if self._order == self._amount:
            raise UsageError(f"{name}: the order ids and the amounts need two columns")
        # The line in which each order id occurs first.
        self._first: Dict[str, int] = {}
        for row in rows:
            self._check_line_breaks(row)
            if self._is_blank(row):
                self.blank += 1
                continue
            self.orders += 1
            if self.what_is_wrong(row) is None:
                self._first.setdefault(self.order_id(row), row.line)
        if not self.orders and not allow_empty:
            raise UsageError(
                f"{name} has column names but no orders; nothing was asked"
            )

    @property
    def order_column(self) -> str:
        return self.header[self._order]

    @property
    def amount_column(self) -> str:
        return self.header[self._amount]

    def rows(self) -> Iterator[Row]:
        """The rows that have an order, in the file's order."""
        rows = self._every_row()
        count = 0
        for row in rows:
            if row.line > 1 and not self._is_blank(row):
                count += 1
                yield row
        if count != self.orders:
            raise UsageError(f"{self._name} {_CHANGED}")

    def order_id(self, row: Row) -> str:
        """The row's order id, or "" if there is none."""
        return _cell(row, self._order)

    def amount(self, row: Row) -> str:
        """The row's amount, or "" if there is none."""
        return _cell(row, self._amount)

    def what_is_wrong(self, row: Row) -> Optional[str]:
        """Why a row cannot be used, or None if it can."""
        width = len(self.header)
        more = row.cells[width:]
        if len(row.cells) >= width and not any(cell.strip() for cell in more):
            return None
        wrong = (
            f"the row has {len(row.cells)} fields, the line of column names has {width}"
        )
        rest = self.delimiter.join(more)
        return f"{wrong}; the rest of the row is {rest}" if rest else wrong

    def earlier_line(self, row: Row) -> Optional[int]:
        """The line of an earlier row with the same order id, or None."""
        order_id = self.order_id(row)
        first = self._first.get(order_id, row.line) if order_id else row.line
        return None if first == row.line else first

    def _first_line(self) -> str:
        try:
            first = self._file.readline()
        except OSError as error:
            raise unreadable(self._name, error) from None
        if not first:
            raise UsageError(
                f"{self._name} is empty: it needs a line of column names, such as orderId,amount"
            )
        return first

    def _every_row(self) -> Iterator[Row]:
        self._file.seek(0)
        reader = csv.reader(self._file, delimiter=self.delimiter, strict=True)
        while True:
            line = reader.line_num + 1
            try:
                cells = next(reader)
            except StopIteration:
                self.lines = reader.line_num
                return
            except csv.Error as error:
                raise self._broken(line, reader.line_num, error) from None
            except OSError as error:
                raise unreadable(f"{self._name} after line {line - 1}", error) from None
            yield Row(line, cells)

    def _broken(self, line: int, last: int, error: csv.Error) -> UsageError:
        if last > line or "unexpected end" in str(error):
            return UsageError(
                f"{self._name}, line {line}: a quoted field that begins in this line is not closed "
                f"properly (read up to line {last}): {error}"
            )
        return UsageError(f"{self._name}, line {line}: this is not valid CSV: {error}")

    def _check_line_breaks(self, row: Row) -> None:
        """Refuses a quoted field that seems to contain more rows, because they would be lost."""
        for cell in row.cells:
            further = re.split("\r\n|\r|\n", cell)[1:]
            if any(self.delimiter in text for text in further):
                raise UsageError(
                    f"{self._name}, line {row.line}: a quoted field that begins in this line "
                    f"goes on for {len(further)} further lines that look like rows; "
                    "is its closing quote missing?"
                )

    def _is_blank(self, row: Row) -> bool:
        return not any(cell.strip() for cell in row.cells)

    def _column(self, named: Optional[str], usual: Sequence[str], argument: str) -> int:
        columns = ", ".join(self.header)
        if named is not None:
            found = [place for place, name in enumerate(self.header) if name == named]
            if not found:
                raise UsageError(
                    f"{self._name} has no column {named}; it has {columns}"
                    + did_you_mean(named, self.header)
                )
        else:
            plain = [
                name.strip().lower().replace("_", "").replace(" ", "")
                for name in self.header
            ]
            found = [place for place, name in enumerate(plain) if name in usual]
            if not found:
                raise UsageError(
                    f"{self._name}: name the right column with {argument}; it has {columns}"
                )
        if len(found) > 1:
            names = " and ".join(
                f"{self.header[place]} (column {place + 1})" for place in found
            )
            more = "rename one" if named is not None else f"name one with {argument}"
            raise UsageError(
                f"{self._name} has two columns that may be meant: {names}; {more}"
            )
        return found[0]


def _cell(row: Row, place: int) -> str:
    return row.cells[place].strip() if place < len(row.cells) else ""


@contextlib.contextmanager
def open_rereadable(path: str, name: str) -> Iterator[IO[str]]:
    """Opens a text file that can be read more than once. A pipe is copied first."""
    with open_text(path, name) as file:
        if path != "-" and stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            yield file
            return
        with tempfile.TemporaryFile() as copy:
            source: Any = file
            try:
                shutil.copyfileobj(source.buffer, copy)
            except OSError as error:
                raise unreadable(name, error) from None
            copy.seek(0)
            yield TextIOWrapper(
                copy, encoding="utf-8-sig", errors="surrogateescape", newline=""
            )

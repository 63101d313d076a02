"""Reads a CSV file of orders. The complete file is checked before anything is sent."""

from __future__ import annotations

import argparse
import contextlib
import csv
import os
import re
import shutil
import stat
import tempfile
from io import TextIOWrapper
from typing import IO, Any, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple

from .exits import UsageError
from .inputs import open_text, unreadable
from .suggestions import did_you_mean

#: The usual names of the columns, in lower case, without spaces and underscores.
ORDER_COLUMNS = ("orderid", "order", "id")
AMOUNT_COLUMNS = ("amount", "expectedamount", "total")

_CHANGED = "changed while it was read; run the command again"
#: What a spreadsheet makes of an identifier: a formula, a text with its mark, a number that lost
#: its last digits, an error.
_MANGLED = re.compile("['=].*|[0-9]([.,][0-9]+)?E[+][0-9]+|#+|#N/A|#.*[!?]", re.I)
#: What stands for bytes that are not UTF-8, and what to say about them.
_UNDECODED = re.compile("[\udc80-\udcff]")
_NOT_UTF8 = "is not UTF-8 text, but perhaps cp1252: save the file as UTF-8"
#: An amount, also with a currency in front. In an address, a space follows a comma.
_LIKE_AN_AMOUNT = re.compile("[^\\w\\s]?[0-9]")


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
        delimiter: Optional[str],
        allow_empty: bool,
    ) -> None:
        self._file = file
        self._name = name
        self.lines = 0  #: all lines, including blank ones and that of the column names
        self.blank = 0  #: rows without any text
        self.orders = 0  #: rows that have an order
        self._check_first_line()
        self._find_columns(delimiter, order_column, amount_column)
        if self._order == self._amount:
            raise UsageError(f"{name}: the order ids and the amounts need two columns")
        rows = self._every_row()
        next(rows)
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
            raise UsageError(f"{name} has column names but no orders; nothing was asked")

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
        """The row's order id, exactly as it is written, or "" if there is none."""
        return _cell(row, self._order)

    def amount(self, row: Row) -> str:
        """The row's amount, or "" if there is none."""
        return _cell(row, self._amount)

    def what_is_wrong(self, row: Row) -> Optional[str]:
        """Why a row cannot be used, or None if it can."""
        width = len(self.header)
        more = row.cells[width:]
        if len(row.cells) < width or any(cell.strip() for cell in more):
            wrong = f"the row has {len(row.cells)} fields, the line of column names has {width}"
            rest = self.delimiter.join(more)
            return f"{wrong}; the rest of the row is {rest}" if rest else wrong
        order_id = self.order_id(row)
        if _MANGLED.fullmatch(order_id):
            return f"a spreadsheet has changed the order id to {order_id}: export it as text"
        wrongs = (
            _wrong_characters("order id", order_id),
            _wrong_characters("amount", self.amount(row)),
        )
        return next(filter(None, wrongs), None)

    def earlier_line(self, row: Row) -> Optional[int]:
        """The line of an earlier row with the same order id, or None."""
        order_id = self.order_id(row)
        first = self._first.get(order_id, row.line) if order_id else row.line
        return None if first == row.line else first

    def _check_first_line(self) -> None:
        try:
            first = self._file.readline()
        except OSError as error:
            raise unreadable(self._name, error) from None
        if not first:
            raise UsageError(
                f"{self._name} is empty: it needs a line of column names, such as orderId,amount"
            )
        if "\0" in first or first.startswith(("\udcff\udcfe", "\udcfe\udcff")):
            raise UsageError(f"{self._name} is UTF-16 text: save it as UTF-8", "not_utf8")
        if re.match('"?sep=', first, re.I):
            raise UsageError(
                f"{self._name} begins with {first.strip()}, which is for Excel alone: remove this "
                "line, and name the separator with --delimiter"
            )

    def _find_columns(
        self, delimiter: Optional[str], order: Optional[str], amount: Optional[str]
    ) -> None:
        """Finds the columns, and the separator that gives them: quoted names can have others."""
        wrong = []
        # In many countries, spreadsheets separate columns by semicolons.
        for self.delimiter in delimiter or ",;\t":
            self.header: List[str] = []
            try:
                head = next(self._every_row(), None)
                if head is None or not any(cell.strip() for cell in head.cells):
                    raise UsageError(
                        f"{self._name} has no column names: "
                        "its first line must name the columns, such as orderId,amount"
                    )
                self.header = head.cells
                self._order = self._column(order, ORDER_COLUMNS, "--order-column")
                self._amount = self._column(amount, AMOUNT_COLUMNS, "--amount-column")
                self.order_column = self.header[self._order]
                self.amount_column = self.header[self._amount]
                return
            except UsageError as error:
                wrong.append((len(self.header), error))
        likely = max(wrong, key=lambda one: one[0])[1]
        if _UNDECODED.search("".join(self.header)):
            raise UsageError(f"{likely}; the file {_NOT_UTF8}", "not_utf8")
        raise likely

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
        where = f"{self._name}, line {line}"
        if last > line:
            return UsageError(
                f"{where}: a quoted field that begins in this line is not closed properly (read up "
                f"to line {last}): {error}"
            )
        return UsageError(f"{where}: this is not valid CSV: {error}")

    def _check_line_breaks(self, row: Row) -> None:
        """Refuses a quoted field that seems to contain more rows, because they would be lost."""
        for cell in row.cells:
            further = re.split("\r\n|\r|\n", cell)[1:]
            rows = csv.reader(further, delimiter=self.delimiter)
            if further and any(map(self._looks_like_an_order, rows)):
                raise UsageError(
                    f"{self._name}, line {row.line}: a quoted field that begins in this line "
                    f"goes on for {len(further)} further lines that look like rows; "
                    "is its closing quote missing?"
                )

    def _looks_like_an_order(self, cells: List[str]) -> bool:
        row = Row(0, cells)
        # After the commas of an address there are spaces.
        all_of_it = len(cells) == len(self.header) > 2 and not any(
            cell[:1].isspace() for cell in cells[1:]
        )
        found = all_of_it or _LIKE_AN_AMOUNT.match(self.amount(row))
        return bool(found and self.order_id(row).strip())

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
            plain = [name.strip().lower().replace("_", "").replace(" ", "") for name in self.header]
            found = [place for place, name in enumerate(plain) if name in usual]
            if not found:
                raise UsageError(
                    f"{self._name}: name the right column with {argument}; it has {columns}"
                )
        if len(found) > 1:
            names = " and ".join(f"{self.header[place]} (column {place + 1})" for place in found)
            more = "rename one" if named is not None else f"name one with {argument}"
            raise UsageError(f"{self._name} has two columns that may be meant: {names}; {more}")
        return found[0]


def _cell(row: Row, place: int) -> str:
    return row.cells[place] if place < len(row.cells) else ""


def _wrong_characters(what: str, cell: str) -> Optional[str]:
    """Why a cell cannot be used as it is. Without these characters it could be another order's."""
    if cell.isprintable() and cell == cell.strip():
        return None
    words = "has white space at an end"
    if cell == cell.strip():
        words = "has a character that cannot be seen"
    if _UNDECODED.search(cell):
        return f"the {what} '{cell}' {_NOT_UTF8}"
    return f"the {what} {ascii(cell)} {words}"


@contextlib.contextmanager
def open_orders(args: argparse.Namespace, allow_empty: bool) -> Iterator[Tuple[OrderFile, str]]:
    """The file of orders that the arguments name, and its name in messages."""
    name = "the input" if args.file == "-" else args.file
    with _open_rereadable(args.file, name) as file:
        columns = (args.order_column, args.amount_column, args.delimiter)
        yield OrderFile(file, name, *columns, allow_empty), name


@contextlib.contextmanager
def _open_rereadable(path: str, name: str) -> Iterator[IO[str]]:
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
            yield TextIOWrapper(copy, encoding="utf-8-sig", errors="surrogateescape", newline="")

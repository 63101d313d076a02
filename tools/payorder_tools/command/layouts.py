"""The rows of a report of `payorder reconcile`, as CSV and as lines of JSON."""

from __future__ import annotations

import contextlib
import csv
import io
import json
from typing import Iterator, List, NamedTuple, Union

from payorder._text import wire_name
from .rows import OrderFile, Row


class Finding(NamedTuple):
    """What is known about the order of one row; the fields are columns."""

    verdict: str
    transaction_status: str = ""
    service_amount: str = ""
    transaction_id: str = ""
    detail: str = ""

    @property
    def asked(self) -> bool:
        """Whether the service was asked about the order."""
        return self.verdict not in ("unusable_row", "duplicate_row")

    @property
    def not_known(self) -> bool:
        """Whether the service refused as if it did not know the order. If it gives no status of
        any order, nobody knows."""
        return self.verdict in ("unknown_to_service", "missing_at_service")

    @property
    def has_status(self) -> bool:
        """Whether the service gave a status."""
        return any((self.transaction_status, self.service_amount, self.transaction_id))


#: The columns after those of the input.
RESULT_COLUMNS = tuple(map(wire_name, Finding._fields))


class CsvLayout:
    """Converts between the rows of a report and CSV: the line number, the input's columns, the
    result."""

    def __init__(self, orders: OrderFile) -> None:
        self._delimiter = orders.delimiter
        self._width = len(orders.header)
        taken = {name.strip().lower() for name in orders.header}
        line, *results = [
            f"payorder_{name}" if name.lower() in taken else name
            for name in ("line", *RESULT_COLUMNS)
        ]
        #: The text before the rows.
        self.head = self._text([line, *orders.header, *results])

    def text(self, row: Row, finding: Finding) -> str:
        """One row, with its line ending."""
        cells = (row.cells + [""] * self._width)[: self._width]
        return self._text([str(row.line), *cells, *finding])

    def findings(self, lines: Iterator[str]) -> Iterator[Finding]:
        """Reads the findings in rows that `text` made. Ends before an incomplete row."""
        with contextlib.suppress(csv.Error, TypeError):
            for cells in csv.reader(lines, delimiter=self._delimiter, strict=True):
                yield Finding(*cells[1 + self._width :])

    def _text(self, cells: List[str]) -> str:
        into = io.StringIO()
        # With this line ending, a cell with a bare CR or LF is quoted.
        csv.writer(into, delimiter=self._delimiter, lineterminator="\r\n").writerow(cells)
        return into.getvalue()[:-2] + "\n"


class JsonLayout:
    """The same with JSON lines. The input's columns are in `input`."""

    head = ""

    def __init__(self, orders: OrderFile) -> None:
        self._orders = orders
        # In an object, each column needs a name of its own.
        self._names = [
            f"{name} (column {place})".strip() if orders.header.count(name) > 1 else name
            for place, name in enumerate(orders.header, 1)
        ]

    def text(self, row: Row, finding: Finding) -> str:
        shown = {
            "line": row.line,
            "orderId": self._orders.order_id(row),
            "expectedAmount": self._orders.amount(row),
            **dict(zip(RESULT_COLUMNS, finding)),
            "input": dict(zip(self._names, row.cells)),
        }
        return json.dumps(shown) + "\n"

    def findings(self, lines: Iterator[str]) -> Iterator[Finding]:
        with contextlib.suppress(ValueError, TypeError, KeyError):
            for line in lines:
                read = json.loads(line)
                yield Finding(*(str(read[name]) for name in RESULT_COLUMNS))


Layout = Union[CsvLayout, JsonLayout]

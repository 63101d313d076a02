"""A page: blocks of text that can be written as roff or as Markdown.

Text has `code` in backticks. Nothing else in it is markup.
"""

from typing import List, NamedTuple, Tuple, Union


class Heading(NamedTuple):
    text: str


class Paragraph(NamedTuple):
    text: str


class Code(NamedTuple):
    text: str
    language: str


class Terms(NamedTuple):
    """Names and what they mean."""

    rows: List[Tuple[str, str]]


class Table(NamedTuple):
    """Only for Markdown: a terminal is too narrow."""

    columns: List[str]
    rows: List[List[str]]


class Points(NamedTuple):
    """A list with points, or with numbers."""

    items: List[str]
    numbered: bool = False


Block = Union[Heading, Paragraph, Code, Terms, Table, Points]


class Page(NamedTuple):
    #: The name of the file, without its ending.
    name: str
    #: What the page is about, in one line.
    title: str
    blocks: List[Block]

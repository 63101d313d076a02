"""Writes a page as Markdown."""

import re
import textwrap
from typing import Callable, List, Optional

from .description import manual
from .model import Code, Heading, Page, Paragraph, Points, Table, Terms

#: From a name to the address of its page.
Links = Callable[[str], Optional[str]]

_HEADINGS = "|".join(sorted(manual(), key=len, reverse=True))
_WORD = re.compile(
    rf"`[^`]+`|\b(?:payorder|PAYORDER)_\w+(?:\(\))?|\bpayorder\([17]\)|\b(?:{_HEADINGS})\b"
)


def write(page: Page, links: Links, heading: str = "##") -> str:
    """The text of the page. `heading` is what its headings begin with."""
    lines = [f"# {page.name}", "", *_filled(_sentence(page.title))]
    for block in page.blocks:
        lines.append("")
        if isinstance(block, Heading):
            text = block.text.capitalize() if block.text.isupper() else block.text
            lines.append(f"{heading} {text}")
        elif isinstance(block, Paragraph):
            lines += _filled(inline(block.text, links))
        elif isinstance(block, Code):
            lines += [f"```{block.language}", block.text, "```"]
        elif isinstance(block, Terms):
            rows = [[name, words] for name, words in block.rows]
            lines += _table(Table(["name", "meaning"], rows), links)
        elif isinstance(block, Table):
            lines += _table(block, links)
        elif isinstance(block, Points):
            marks = (f"{n}." if block.numbered else "-" for n in range(1, 100))
            for mark, item in zip(marks, block.items):
                lines += _filled(inline(item, links), f"{mark} ")
    return "\n".join(lines) + "\n"


def inline(text: str, links: Links) -> str:
    """The text with names as code, and with links to their pages."""
    made, end = "", 0
    for word in _WORD.finditer(text):
        made += _escaped(text[end : word.start()])
        end = word.end()
        name = word[0].strip("`")
        address = links(name.replace("()", ""))
        shown = name if name in _HEADINGS else f"`{name}`"
        made += f"[{shown}]({address})" if address else shown
    return made + _escaped(text[end:])


def _filled(text: str, mark: str = "") -> List[str]:
    """Lines of at most 100 columns. A link may be longer."""
    return textwrap.wrap(
        text,
        100,
        initial_indent=mark,
        subsequent_indent=" " * len(mark),
        break_long_words=False,
        break_on_hyphens=False,
    )


def _table(table: Table, links: Links) -> List[str]:
    def row(cells: List[str]) -> str:
        return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"

    rows = [row([inline(cell, links) for cell in cells]) for cells in table.rows]
    return [row(table.columns), row(["---"] * len(table.columns)), *rows]


def _escaped(text: str) -> str:
    return re.sub(r"([\\*_<>\[\]#~])", r"\\\1", text)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{_escaped(text[1:])}."

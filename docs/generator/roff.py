"""Writes a page as a man page."""

import re
import textwrap
from typing import List

from .description import ABI, DATE, VERSION, manual
from .model import Code, Heading, Page, Paragraph, Points, Terms

_FUNCTIONS = {function["name"] for function in ABI["functions"]}
_WORD = re.compile(r"`([^`]+)`|\b(payorder_[a-z_]+)(\(\))?|\b(payorder\([17]\))")
_MANUALS = {1: "User Commands", 3: "Library Functions", 7: "Miscellaneous"}


def write(page: Page, section: int) -> str:
    """The text of the page."""
    # The headings of payorder(7), to which the comments of functions refer.
    sections = "|".join(sorted(manual(), key=len, reverse=True))
    headings = re.compile(rf"\b({sections})\b" if section == 3 else r"(?!)()")
    lines = [
        '.\\" Made by docs/generate. Do not edit it.',
        f'.TH {page.name.upper()} {section} "{DATE}" "payorder {VERSION}" "{_MANUALS[section]}"',
        # Names and JSON are long words: lines with them cannot be justified.
        ".ad l",
        ".nh",
        ".SH NAME",
        *_wrapped(f"{page.name} \\- {_escaped(page.title)}"),
    ]

    def text(words: str) -> List[str]:
        words = headings.sub(r"`\1` in payorder(7)", words)
        return _filled(words, page.name)

    previous = None
    for block in page.blocks:
        if isinstance(block, Heading):
            is_command = block.text.startswith("payorder ")
            heading = block.text if is_command else block.text.upper()
            lines.append(f".SH {_escaped(heading)}")
        elif isinstance(block, Paragraph):
            if not isinstance(previous, Heading):
                lines.append(".PP")
            lines += text(block.text)
        elif isinstance(block, Code):
            lines += [".PP"] if not isinstance(previous, Heading) else []
            lines += [".nf", *map(_verbatim, block.text.splitlines()), ".fi"]
        elif isinstance(block, Terms):
            for term, meaning in block.rows:
                lines += [".TP", *_filled(term, ""), *text(meaning)]
        elif isinstance(block, Points):
            for number, item in enumerate(block.items, 1):
                lines.append(f".IP {number}. 4" if block.numbered else ".IP \\(bu 2")
                lines += text(item)
        previous = block
    return "\n".join(lines) + "\n"


def _escaped(text: str) -> str:
    text = text.replace("\\", "\\e").replace("^", "\\(ha").replace("~", "\\(ti")
    return text.replace("`", "\\(ga")


def _verbatim(line: str) -> str:
    line = _escaped(line).replace("-", "\\-").replace("'", "\\(aq")
    return "\\&" + line if line.startswith((".", "'")) else line


def _filled(text: str, page: str) -> List[str]:
    """The text with names in bold."""
    made, end = "", 0
    for word in _WORD.finditer(text):
        made += _escaped(text[end : word.start()])
        end = word.end()
        code, function, call, other = word.groups()
        name = code or function or other
        if function and (function not in _FUNCTIONS or function == page):
            made += f"\\fB{_verbatim(word[0])}\\fP"
        elif function:
            made += f"\\fB{function}\\fP(3)"
        elif other:
            made += "\\fBpayorder\\fP" + other[-3:]
        else:
            made += f"\\fB{_verbatim(name)}\\fP"
    made += _escaped(text[end:])
    return _wrapped(made)


def _wrapped(text: str) -> List[str]:
    """Lines of at most 80 characters. Each sentence begins on a new one."""
    lines = []
    for sentence in re.split(r"(?<=[.:;?]) (?=\S)", text):
        # Allow a line break in long JSON.
        words = (word.replace(",", ",\\:") if len(word) > 40 else word for word in sentence.split())
        lines += textwrap.wrap(" ".join(words), 80, break_long_words=False, break_on_hyphens=False)
    return ["\\&" + line if line.startswith((".", "'")) else line for line in lines]

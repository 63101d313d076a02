"""The page of a C function."""

import re
from typing import Any, Dict, List

from .description import ABI, NETWORK_OPTIONS, VERSION, meanings, sentence, setting_rows
from .model import Block, Code, Heading, Page, Paragraph, Points, Terms


def pages() -> List[Page]:
    return [_page(function) for function in ABI["functions"]]


def prototype(function: Dict[str, Any]) -> str:
    """The declaration, in lines that fit on a terminal."""
    line: str = function["declaration"]
    if len(line) <= 72:
        return line
    head, parameters = line.rstrip(");").rsplit("(", 1)
    separator = ",\n" + " " * 4
    return f"{head}(\n    {separator.join(parameters.split(', '))});"


def _summary(function: Dict[str, Any]) -> str:
    """What it does, in one line."""
    words = re.split(r"[.:;,] | \(", function["description"][0] + " ")[0]
    if len(words) > 66:
        words = words.split(" that ")[0]
    return words[0].lower() + words[1:]


def _paragraphs(texts: List[str]) -> List[Block]:
    """Paragraphs, and the points between them."""
    blocks: List[Block] = []
    for text in texts:
        if not text.startswith("- "):
            blocks.append(Paragraph(text))
        elif blocks and isinstance(blocks[-1], Points):
            blocks[-1].items.append(text[2:])
        else:
            blocks.append(Points([text[2:]]))
    return blocks


def _options(function: Dict[str, Any]) -> List[Block]:
    options = function.get("options", [])
    if not options:
        return []
    shared = [option["key"] for option in NETWORK_OPTIONS]
    # Its own come first.
    options = sorted(options, key=lambda option: option["key"] in shared)
    about = Paragraph("The keys of `options_json`. An unknown one is an error.")
    return [Heading("Options"), about, setting_rows(options)]


def _callbacks(function: Dict[str, Any]) -> List[Block]:
    """The types of the callbacks that the function takes."""
    blocks: List[Block] = []
    for callback in ABI["callbacks"]:
        if any(one["type"] == callback["name"] for one in function["parameters"]):
            blocks += [
                Heading("Callback"),
                Code(prototype(callback), "c"),
                *_paragraphs(callback["description"]),
                meanings(callback["parameters"]),
            ]
            if callback["returns"]["meaning"]:
                returned = sentence(callback["returns"]["meaning"])
                blocks.append(Paragraph(f"It returns: {returned}"))
            blocks.append(Paragraph(f"It runs {callback['threads']}"))
    return blocks


def _page(function: Dict[str, Any]) -> Page:
    blocks: List[Block] = [
        Heading("Synopsis"),
        Code(f"#include <payorder.h>\n\n{prototype(function)}", "c"),
        Heading("Description"),
        *_paragraphs(function["description"]),
        *_options(function),
    ]
    if function["parameters"]:
        blocks += [Heading("Parameters"), meanings(function["parameters"])]
    blocks += _callbacks(function)
    if function["returns"]["meaning"]:
        returned = sentence(function["returns"]["meaning"])
        blocks += [Heading("Return value"), Paragraph(returned)]
    blocks += [Heading("Failures"), Paragraph(sentence(function["onFailure"]))]
    cases = []
    for case in function["failureCases"]:
        names = ", ".join(f"`{name}`" for name in case["results"])
        cases.append((names, sentence(case["meaning"])))
    if cases:
        blocks.append(Terms(cases))
    since = function["since"]
    blocks += [
        Heading("Example"),
        Code(function["example"].rstrip(), "c"),
        Heading("Ownership"),
        Paragraph(sentence(function["ownership"])),
        Heading("Threads"),
        Paragraph(sentence(function["threads"])),
        Heading("See also"),
        Paragraph(", ".join([*function["see"], "payorder(7)"])),
        Heading("Since"),
        Paragraph(f"Version {since}. This page describes version {VERSION}."),
    ]
    return Page(function["name"], _summary(function), blocks)

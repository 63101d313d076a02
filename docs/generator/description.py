"""What the library says about itself: include/payorder-abi.json and src/manual.h.in."""

import json
import re
from pathlib import Path
from typing import Any, Dict, List, Tuple

from .model import Block, Code, Paragraph, Points, Terms

PROJECT = Path(__file__).resolve().parents[2]
ABI: Dict[str, Any] = json.loads(
    (PROJECT / "include" / "payorder-abi.json").read_text(encoding="utf-8")
)
VERSION: str = ABI["version"]

#: The date of this version's pages.
DATE = "2026-11-22"

#: The columns of the manual's text.
_WIDTH = 90
_ROW = re.compile(r"([A-Za-z0-9_,` ]*?\S) {2,}(\S.*)")


def sentence(text: str) -> str:
    """With a capital letter and a full stop. A name or a URL stays as it is."""
    text = text.strip()
    if text[:1].isalpha() and not re.match(r"\w+_\w|[a-z]+[A-Z]|\w+://", text):
        text = text[0].upper() + text[1:]
    return text if text.endswith((".", ":", "!", "?")) else text + "."


def setting_rows(settings: List[Dict[str, Any]]) -> Terms:
    """Configuration keys or options."""
    rows = []
    for setting in settings:
        words = f"{sentence(setting['range'])} {sentence(setting['meaning'])}"
        rows.append((f"`{setting['key']}`", words))
    return Terms(rows)


def object_rows(name: str) -> Terms:
    """The keys of a JSON object."""
    keys = ABI["objects"][name]["keys"]
    return Terms([(f"`{key['key']}`", sentence(key["meaning"])) for key in keys])


def event_rows() -> Terms:
    rows = []
    for event in ABI["events"]:

        def keys(always: bool) -> str:
            chosen = (key for key in event["keys"] if key["always"] is always)
            return ", ".join(f"`{key['key']}`" for key in chosen)

        words = f"{sentence(event['meaning'])} Always: {keys(True)}. If known: {keys(False)}."
        rows.append((f"`{event['name']}`", words))
    return Terms(rows)


def action_of(cause: Dict[str, Any]) -> str:
    """Nobody must read only `retry` after an order that may exist."""
    action = f"`{cause['action']}`"
    others = []
    for one in cause["exceptions"]:
        if one["when"] == "after an unknown outcome of payorder_create_order":
            action = f"`ask_status` for an order, otherwise {action}"
        else:
            others.append(f"`{one['action']}` {one['when']}")
    return "; ".join([action, *others])


def cause_rows() -> Terms:
    rows = []
    for cause in ABI["causes"]:
        results = ", ".join(str(number) for number in cause["results"])
        words = f"{sentence(cause['meaning'])} ({results}; {action_of(cause)})"
        rows.append((f"`{cause['name']}`", words))
    return Terms(rows)


def meanings(named: List[Dict[str, Any]]) -> Terms:
    return Terms([(f"`{one['name']}`", sentence(one["meaning"])) for one in named])


#: The options of every network call: payorder_get_status has no others.
NETWORK_OPTIONS: List[Dict[str, Any]] = next(
    one["options"] for one in ABI["functions"] if one["name"] == "payorder_get_status"
)
TLS_KEYS: List[Dict[str, Any]] = next(one["keys"] for one in ABI["config"] if one["key"] == "tls")

#: What stands for each placeholder of the manual.
_LISTED = {
    "@ERROR@": object_rows("errorDetails"),
    "@ORDER@": object_rows("order"),
    "@STATUS@": object_rows("statusData"),
    "@ENTRY@": object_rows("entry"),
    "@EVENT@": object_rows("journalEvent"),
    "@CONFIG@": setting_rows(ABI["config"]),
    "@TLS@": setting_rows(TLS_KEYS),
    "@NETWORK@": setting_rows(NETWORK_OPTIONS),
    "@EVENTS@": event_rows(),
    "@CAUSES@": cause_rows(),
    "@ACTIONS@": meanings(ABI["actions"]),
}


def groups_of_functions() -> List[Tuple[str, List[str]]]:
    """The groups of the header, with the names of their functions."""
    groups: Dict[str, List[str]] = {}
    for function in ABI["functions"]:
        groups.setdefault(function["group"], []).append(function["name"])
    return list(groups.items())


def manual() -> Dict[str, List[Block]]:
    """The sections of the manual at the beginning of the header, by their headings."""
    template = PROJECT / "src" / "manual.h.in"
    comment = template.read_text(encoding="utf-8").split(" */\n")[0]
    lines = [line[3:].rstrip() for line in comment.splitlines()[1:]]
    sections: Dict[str, List[str]] = {}
    for line in lines:
        if line.isupper() and not line.startswith((" ", "@")):
            body = sections.setdefault(line, [])
        elif sections:
            body.append(line)
    return {heading: _blocks(heading, body) for heading, body in sections.items()}


def _blocks(heading: str, lines: List[str]) -> List[Block]:
    if heading == "IN SHORT":
        return [Code("\n".join(line[4:] for line in lines).strip("\n"), "c")]
    blocks: List[Block] = []
    while lines:
        deep = lines[0].startswith(" " * 8)
        count = next(
            (
                at
                for at, line in enumerate(lines)
                if line.startswith("@") or line.startswith(" " * 8) is not deep
            ),
            len(lines),
        )
        if lines[0].startswith("@"):
            blocks.append(_LISTED[lines.pop(0)])
            continue
        part, lines = (
            [line[8 if deep else 4 :] for line in lines[:count]],
            lines[count:],
        )
        if not deep:
            blocks += _paragraphs(part)
        else:
            blocks.append(_indented(part))
    return blocks


def _paragraphs(lines: List[str]) -> List[Block]:
    """In the manual, a paragraph ends at a line that has room for the next word."""
    texts = [""]
    for line in lines:
        word = line.split(" ")[0]
        last = texts[-1].rsplit("\n", 1)[-1]
        if last.endswith((".", ":")) and len(last) + 1 + len(word) < _WIDTH:
            texts.append("")
        texts[-1] += "\n" + line
    return [Paragraph(" ".join(text.split())) for text in texts if text.strip()]


def _indented(lines: List[str]) -> Block:
    """Rows of names and meanings, numbered steps, or code."""
    if _ROW.fullmatch(lines[0]):
        rows: List[List[str]] = []
        for line in lines:
            row = None if line.startswith(" ") else _ROW.fullmatch(line)
            if row:
                rows.append([row[1], row[2]])
            else:
                rows[-1][1] += " " + line.strip()
        return Terms([(name, sentence(meaning)) for name, meaning in rows])
    if lines[0].startswith("1. "):
        return Points([line[3:] for line in lines], numbered=True)
    return Code("\n".join(re.sub(r"(\S) {2,}", r"\1  ", line) for line in lines), "c")

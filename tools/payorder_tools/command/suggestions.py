"""Suggests what a wrong name may mean: one rule for commands, options, keys, codes and columns."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Iterable


def did_you_mean(wrong: str, names: Iterable[str]) -> str:
    """The end of a message about a wrong name: "; did you mean NAME?", or "" if none is similar.

    Letter case, hyphens, underscores, spaces and the prefix PAYORDER_ make no difference.
    """
    # Of names that differ in nothing else, the first one.
    plain = {_plain(name): name for name in reversed(list(names))}
    found = get_close_matches(_plain(wrong), plain, 1)
    return f"; did you mean {plain[found[0]]}?" if found else ""


def _plain(name: str) -> str:
    plain = "".join(letter for letter in name.lower() if letter.isalnum())
    return plain[len("payorder") :] if plain.startswith("payorder") else plain

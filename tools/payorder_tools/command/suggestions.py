"""Suggests what a wrong name may mean: one rule for commands, options, keys, codes and columns."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import Iterable, Tuple

# How much of two names must be the same, from 0 to 1.
_SIMILAR = 0.6


def did_you_mean(wrong: str, names: Iterable[str]) -> str:
    """The end of a message about a wrong name: "; did you mean NAME?", or "" if none is similar.

    Letter case, hyphens, underscores, spaces and the prefix PAYORDER_ make no difference.
    """

    def similarity(name: str) -> Tuple[float, float]:
        return _ratio(_plain(wrong), _plain(name)), _ratio(wrong, name)

    best = max(names, key=similarity, default=wrong)
    if best == wrong or similarity(best)[0] < _SIMILAR:
        return ""
    return f"; did you mean {best}?"


def _ratio(one: str, other: str) -> float:
    return SequenceMatcher(None, one, other).ratio()


def _plain(name: str) -> str:
    plain = "".join(letter for letter in name.lower() if letter.isalnum())
    return plain[len("payorder") :] if plain.startswith("payorder") else plain

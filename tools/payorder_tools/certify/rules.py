"""The rules of an exam, in the order of a report. Their texts are in rules.json, one to a line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Dict

from .results import Finding

_TEXTS: Dict[str, Dict[str, str]] = {
    one["rule"]: one
    for one in json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
}
#: What each rule demands.
RULES = {rule: texts["demands"] for rule, texts in _TEXTS.items()}


def broken(rule: str, did: str, expected: str = "", money: str = "", **names: object) -> Finding:
    """That a till broke a rule. `names` are what is between braces in the rule's own text."""
    texts = _TEXTS[rule]
    return Finding(
        rule,
        did,
        expected or texts["expected"].format(**names),
        money or texts["money"],
    )

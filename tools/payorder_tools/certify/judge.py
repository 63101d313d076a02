"""The rules of an exam. Each is a function of the record: it starts nothing and asks nothing."""

from __future__ import annotations

from typing import Callable, Dict, Iterator, List

from . import sending, verdicts
from .record import Record
from .results import Finding
from .rules import RULES

#: Each rule is a function of that name. It finds everything that breaks the rule.
_FUNCTIONS: Dict[str, Callable[[Record], Iterator[Finding]]] = {
    name.replace("_", "-"): function
    for module in (sending, verdicts)
    for name, function in vars(module).items()
    if name.replace("_", "-") in RULES
}
_OF_EACH_RUN = ("paid-is-verified", "not-forgotten", "right-verdict")


def judge(record: Record) -> List[Finding]:
    """The rules that the till broke, the most expensive first."""
    findings = {rule: list(_FUNCTIONS[rule](record)) for rule in RULES}
    broken = {rule for rule in RULES if findings[rule]}
    # Goods without a payment, and a wrong verdict that another rule explains, are said once.
    if "paid-is-verified" in broken and not record.concurrent:
        findings["handed-over-once"] = []
    if broken & {"paid-is-verified", "not-forgotten", "in-time"}:
        findings["right-verdict"] = []
    # Of the rules about each run, every run counts; of the others, the first time is enough.
    return [
        finding
        for rule in RULES
        for finding in findings[rule][: None if rule in _OF_EACH_RUN else 1]
    ]

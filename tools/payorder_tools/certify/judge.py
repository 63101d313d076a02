"""The rules of an exam. Each is a function of the record: it starts nothing and asks nothing."""

from __future__ import annotations

from typing import Dict, List

from .record import Record
from .sending import (
    asked_first,
    checks_the_host,
    no_secrets,
    one_order,
    right_amount,
    waits_when_told,
)
from .results import Finding
from .verdicts import in_time, not_forgotten, paid_is_verified, right_verdict

#: The rules in the order of a report, with what each demands.
RULES: Dict[str, str] = {
    "one-order": "No second order for the sale. Only Completed ends an order, and only a person "
    "may decide to sell again.",
    "asked-first": "After Create Order without a usable response, the next request is Get Status.",
    "paid-is-verified": "`paid` only after Get Status said Completed, for this order and exactly "
    "this amount, and not refunded.",
    "not-forgotten": "Never `not_paid`, `rejected` or `not_sent` for an order that is open or "
    "paid. A later run ends with the truth.",
    "right-verdict": "The verdict is one that the scenario allows.",
    "right-amount": "Create Order has exactly the sale's amount, as text, and the sale's order id.",
    "no-secrets": "No credential in the output, or in a file of the program.",
    "in-time": "The program ends within SALE_SECONDS.",
    "waits-when-told": "After 429, no further request of that kind before Retry-After is over.",
    "checks-the-host": "No request over a connection whose certificate is not valid.",
}


def judge(record: Record) -> List[Finding]:
    """The rules that the till broke, the most expensive first."""
    findings: List[Finding] = []
    for rule in (
        one_order,
        asked_first,
        paid_is_verified,
        not_forgotten,
        right_amount,
        no_secrets,
        in_time,
        waits_when_told,
        checks_the_host,
    ):
        findings += rule(record)
    # A wrong verdict that another rule explains is said once.
    explained = {one.rule for one in findings}
    if not explained & {"paid-is-verified", "not-forgotten", "in-time"}:
        findings += right_verdict(record)
    order = list(RULES)
    return sorted(findings, key=lambda one: order.index(one.rule))

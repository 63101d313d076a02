"""The rules of an exam. Each is a function of the record: it starts nothing and asks nothing."""

from __future__ import annotations

from typing import Callable, Dict, List

from . import sending, verdicts
from .record import Record
from .results import Finding

#: The rules in the order of a report, with what each demands.
RULES: Dict[str, str] = {
    "one-order": "No second order for the sale. Only Completed ends an order, and only a person "
    "may decide to sell again.",
    "asked-first": "After Create Order without a usable response, Get Status about this order comes "
    "first, and when the order exists, no other Create Order.",
    "handed-over-once": "Goods are handed over once for each payment, and never without one. "
    "The verdict `paid` hands them over, or the line `handed over`.",
    "paid-is-verified": "`paid` only after Get Status said Completed, for this order and exactly "
    "this amount, and not refunded.",
    "not-forgotten": "Never `not_paid`, `rejected` or `not_sent` for an order that is open or "
    "paid. A later run ends with the truth.",
    "right-verdict": "The verdict is one that the scenario allows.",
    "one-verdict": "A verdict counts when it is printed: only `open` may be followed by another one.",
    "right-amount": "Create Order has exactly the sale's amount, as text, and the sale's order id.",
    "right-order": "Every other field of Create Order is the sale's, and each order has its own "
    "merchantTxnId.",
    "safe-url": "No checkout URL is shown that is not a web address.",
    "no-secrets": "No credential in the output, in a file, or in the arguments of a program.",
    "in-time": "The program ends within SALE_SECONDS.",
    "waits-when-told": "After 429, no further request of that kind before Retry-After is over.",
    "stops-when-refused": "A refused order is not sent again and again unchanged.",
    "no-storm": "Not more than 25 requests in one second.",
    "checks-the-host": "No request over a connection whose certificate is not valid.",
}


#: Each rule is a function of that name.
_FUNCTIONS: Dict[str, Callable[[Record], List[Finding]]] = {
    name.replace("_", "-"): function
    for module in (sending, verdicts)
    for name, function in vars(module).items()
    if name.replace("_", "-") in RULES
}


def judge(record: Record) -> List[Finding]:
    """The rules that the till broke, the most expensive first."""
    findings = {rule: _FUNCTIONS[rule](record) for rule in RULES}
    broken = {rule for rule in RULES if findings[rule]}
    # Goods without a payment, and a wrong verdict that another rule explains, are said once.
    if "paid-is-verified" in broken and not record.concurrent:
        findings["handed-over-once"] = []
    if broken & {"paid-is-verified", "not-forgotten", "in-time"}:
        findings["right-verdict"] = []
    return [finding for rule in RULES for finding in findings[rule]]

"""The rules about how a till ends."""

from __future__ import annotations

from typing import Dict, List, Optional, Tuple

from .protocol import NOT_PAID, NOT_SENT, OPEN, PAID, REJECTED, VERDICTS
from .record import Entry, Record, Run, same_amount, state_at
from .results import Finding


def paid_is_verified(record: Record) -> List[Finding]:
    """`paid` only if the service had said so, for this order and amount."""
    findings = []
    for run in record.runs:
        if run.verdict != PAID:
            continue
        told = last_told(record, run)
        why = _not_paid(record, told)
        if why is not None:
            findings.append(
                Finding(
                    "paid-is-verified",
                    f"{_run(record, run)} said `paid`, but {why}.",
                    "It says `paid` only after Get Status says Completed, for order "
                    f"{record.sale.order_id} and exactly {record.sale.amount} "
                    f"{record.sale.currency}, without a refund.",
                    "The goods are handed over, and the shop does not have the money for them.",
                )
            )
    return findings


def last_told(record: Record, run: Run) -> Dict[str, object]:
    """What the service last said about the sale's order before a run ended."""
    # The last status of each order: a till may have made a second one.
    told: Dict[object, Dict[str, object]] = {}
    others: Dict[str, object] = {}
    for request in record.sale_requests():
        if request.at <= run.ended and request.told:
            order_id = request.told.get("orderId")
            if record.sale.has_order(order_id):
                told.pop(order_id, None)
                told[order_id] = request.told
            else:
                others = request.told
    proofs = [one for one in told.values() if _not_paid(record, one) is None]
    return [others, *told.values(), *proofs][-1]


def _not_paid(record: Record, told: Dict[str, object]) -> Optional[str]:
    """Why this status does not prove the payment, or None if it is one."""
    if not told:
        return "the service had not told it the status of this order"
    if not record.sale.has_order(told.get("orderId")):
        return (
            f"the service had only told it about another order, {told.get('orderId')}"
        )
    state = told.get("transactionStatus")
    if state != "Completed":
        return f"the service had said {state or 'nothing about a payment'}"
    if not same_amount(told.get("amount"), record.sale.amount):
        return (
            f"the service had said that {told.get('amount')} was paid, "
            f"and not {record.sale.amount}"
        )
    if _refunded(told):
        return "the service had said that the payment was refunded"
    return None


def _refunded(told: Dict[str, object]) -> bool:
    return bool(told.get("refundStatus") or told.get("refundType"))


def not_forgotten(record: Record) -> List[Finding]:
    """No run gives an open or paid order up, and the last one says the truth."""
    findings = []
    for run in record.runs:
        if run.verdict is None or run.verdict in run.excused:
            continue
        found = record.open_orders(run.ended)
        if run.verdict in (NOT_PAID, REJECTED, NOT_SENT) and found:
            if not _told_otherwise(record, run):
                findings.append(_given_up(record, run, found[-1]))
        elif run.later and run.allowed is None and not run.killed:
            truth = record.truth(run)
            if run.verdict not in truth and run.verdict != PAID:
                findings.append(_untrue(record, run, truth))
    return findings


def _told_otherwise(record: Record, run: Run) -> bool:
    """Whether the service had said that the order is paid, but not as expected."""
    if run.verdict != NOT_PAID:
        return False
    told = last_told(record, run)
    return told.get("transactionStatus") == "Completed" and (
        _refunded(told) or not same_amount(told.get("amount"), record.sale.amount)
    )


def _given_up(record: Record, run: Run, order: Entry) -> Finding:
    paid = state_at(order, run.ended) == "Completed"
    return Finding(
        "not-forgotten",
        f"{_run(record, run)} said `{run.verdict}`, but the service has order {order['orderId']}, "
        + ("which is paid." if paid else "and the customer can still pay it."),
        "It says `paid` after it has verified the payment, and `open` until then."
        if paid
        else "It says `open`, and asks again later.",
        "The customer has paid and gets nothing, or pays a second time."
        if paid
        else "The shop sells again, and the customer can pay twice.",
    )


def _untrue(record: Record, run: Run, truth: Tuple[str, ...]) -> Finding:
    return Finding(
        "not-forgotten",
        f"{_run(record, run)} said `{run.verdict}`, but the truth was {_either(truth)}.",
        "After a restart it finds its earlier order, asks for its status, and says the truth.",
        _cost(record, run, truth),
    )


def right_verdict(record: Record) -> List[Finding]:
    """Each run ends with a verdict that the scenario allows."""
    findings = []
    for run in record.runs:
        if run.killed or run.overtime:
            continue
        truth = record.truth(run) if run.allowed is None else tuple(run.allowed)
        if run.verdict in truth:
            continue
        if run.verdict == PAID and _not_paid(record, last_told(record, run)) is None:
            # It is paid. Another rule says what was wrong on the way.
            continue
        who = _run(record, run)
        if run.verdict is None:
            did = f"{who} gave no verdict: {_exit(run.exit_status)}."
        else:
            did = f"{who} said `{run.verdict}`."
        if run.last_words:
            did += f" Its last words: {run.last_words}"
        if run.last_words and run.verdict == NOT_SENT:
            did += " If that was a crash: a program in Python, Node or Java then ends with 1."
        findings.append(
            Finding(
                "right-verdict",
                did,
                f"It says {_either(truth)}: with the exit status "
                f"{' or '.join(str(VERDICTS.index(one)) for one in truth)}, "
                "or with one line of JSON.",
                _cost(record, run, truth),
            )
        )
    return findings


def in_time(record: Record) -> List[Finding]:
    """Each run ends within SALE_SECONDS."""
    return [
        Finding(
            "in-time",
            f"{_run(record, run)} was still running after {record.seconds:g} seconds, "
            "and was stopped.",
            f"It ends within SALE_SECONDS, which is {record.seconds:g}, so each of its calls needs "
            "a shorter time limit. If it does not know the result by then, the verdict is `open`.",
            "The cashier and the customer wait for nothing. Somebody ends the program in the "
            "middle of a payment.",
        )
        for run in record.runs
        if run.overtime
    ][:1]


def _run(record: Record, run: Run) -> str:
    return "It" if len(record.runs) == 1 else f"Run {run.number}"


def _either(verdicts: Tuple[str, ...]) -> str:
    return " or ".join(f"`{one}`" for one in verdicts)


def _exit(status: Optional[int]) -> str:
    if status is None:
        return "it had to be killed"
    if status < 0:
        return f"it was ended by signal {-status}"
    return f"its exit status was {status}"


def _cost(record: Record, run: Run, truth: Tuple[str, ...]) -> str:
    """What a wrong verdict costs."""
    paid = any(state_at(one, run.ended) == "Completed" for one in record.sale_orders())
    if run.verdict == PAID:
        return (
            "The goods are handed over, and the shop does not have the money for them."
        )
    if run.verdict == NOT_SENT and any(one.create for one in record.sale_requests()):
        return (
            "An order had left this machine. When its response is lost the next time, the shop "
            "sells again, and the customer can pay twice."
        )
    if PAID in truth and not record.sale_orders():
        return "No money is lost, but the shop cannot sell."
    if paid and run.verdict in (None, OPEN):
        return "The customer has paid, and does not get the goods."
    if paid:
        return "The customer has paid and gets nothing, or pays a second time."
    if truth == (NOT_SENT,):
        return "No money is lost, but nobody learns that the order was not sent."
    if truth == (REJECTED,):
        return "No money is lost, but nobody learns why the service refuses the order."
    if run.verdict is None:
        return "Nobody in the shop knows whether the customer can pay, or has paid."
    return "The order may exist. If the shop sells again, the customer can pay twice."

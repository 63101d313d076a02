"""The rules about how a till ends."""

from __future__ import annotations

from typing import Dict, Iterator, List, Optional, Tuple

from .protocol import NOT_PAID, NOT_SENT, OPEN, PAID, REJECTED, VERDICTS
from .record import Entry, Record, Run, same_amount, state_at
from .results import Finding
from .rules import broken


def paid_is_verified(record: Record) -> Iterator[Finding]:
    """`paid` only if the service had said so, for this order and amount."""
    for order_id in record.own_presses[:1]:
        yield broken(
            "paid-is-verified",
            f"It pressed a button on the checkout page of order {order_id} itself.",
            "Only the customer uses the checkout page. The till waits, and asks with Get Status.",
            "No customer has paid. The test says nothing about this till.",
        )
    for run in record.runs:
        said = [moment for moment, verdict in run.claims() if verdict == PAID]
        for moment in sorted(said + run.handed_over())[:1]:
            why = _not_paid(record, last_told(record, moment))
            if why is None:
                continue
            did = f"{_run(record, run)} said `paid`, but {why}."
            if not record.sale_requests() and not run.statements:
                did = f"{_run(record, run)} created no order, and its exit status 0 means `paid`."
            money = ""
            if not record.sale_requests():
                money = (
                    "No order was created, so nobody can pay. A program that ends with 0 "
                    "says that it has the money."
                )
            yield broken("paid-is-verified", did, "", money, **vars(record.sale))


def handed_over_once(record: Record) -> Iterator[Finding]:
    """Not more goods are handed over than payments were made.

    Without a line `handed over`, the verdict `paid` hands over the goods of the till's sale.
    """
    tills: Dict[str, int] = {}
    paid = set()
    for run in record.runs:
        tills[run.till] = tills.get(run.till, 0) + len(run.handed_over())
        if any(verdict == PAID for _, verdict in run.claims()):
            paid.add(run.till)
    # One process of a till may say `paid`, and another one that the goods are handed over.
    handed = sum(max(lines, till in paid) for till, lines in tills.items())
    payments = len(list(filter(_was_paid, record.sale_orders())))
    who, customer = "Two tills" if len(tills) > 1 else "It", "the customer has"
    if len(record.sales) > 1:
        who = f"In two sales with order id {record.sale.order_id}, it"
        customer = "the customers have"
    if handed > max(payments, 1) or (handed and not payments):
        goods = f"{who} handed over the goods {_times(handed)}"
        did = f"{goods}, and {customer} paid {_times(payments)}."
        yield broken("handed-over-once", did)


def _was_paid(order: Entry) -> bool:
    return any(one["state"] == "Completed" for one in order["transactions"])


def _times(number: int) -> str:
    return {0: "not at all", 1: "once", 2: "twice"}.get(number, f"{number} times")


def one_verdict(record: Record) -> Iterator[Finding]:
    """A verdict counts when it is printed: only `open` may be followed by another one."""
    for run in record.runs:
        said = [verdict for _, verdict in run.claims()]
        for first, second in zip(said, said[1:]):
            if first not in (OPEN, second):
                did = f"{_run(record, run)} said `{first}` and then `{second}`."
                yield broken("one-verdict", did)


def last_told(record: Record, moment: float) -> Dict[str, object]:
    """What the service last said about the sale's order before a moment."""
    # The last status of each order: a till may have made a second one.
    told: Dict[object, Dict[str, object]] = {}
    others: Dict[str, object] = {}
    for request in record.sale_requests():
        if request.at <= moment and request.told:
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
        return f"the service had only told it about another order, {told.get('orderId')}"
    state = told.get("transactionStatus")
    if state != "Completed":
        return f"the service had said {state or 'nothing about a payment'}"
    if not same_amount(told.get("amount"), record.sale.amount):
        return (
            f"the service had said that {told.get('amount')} was paid, and not {record.sale.amount}"
        )
    if _refunded(told):
        return "the service had said that the payment was refunded"
    return None


def _refunded(told: Dict[str, object]) -> bool:
    return bool(told.get("refundStatus") or told.get("refundType"))


def not_forgotten(record: Record) -> Iterator[Finding]:
    """No run gives an open or paid order up, and the last one says the truth."""
    for run in record.runs:
        if run.verdict is None or run.verdict in run.excused:
            continue
        given_up = [
            (moment, verdict)
            for moment, verdict in run.claims()
            if verdict in (NOT_PAID, REJECTED, NOT_SENT)
            and record.open_orders(moment)
            and not _told_otherwise(record, moment, verdict)
        ]
        if given_up:
            moment, verdict = given_up[0]
            order = record.open_orders(moment)[-1]
            yield _given_up(record, run, order, moment, verdict)
        elif run.later and run.allowed is None and not run.killed:
            truth = record.truth(run)
            if run.verdict not in truth and run.verdict != PAID:
                said = f"{_run(record, run)} said `{run.verdict}`"
                did = f"{said}, but the truth was {_either(truth)}."
                yield broken("not-forgotten", did, money=_cost(record, run, truth))


def _told_otherwise(record: Record, moment: float, verdict: str) -> bool:
    """Whether the service had said that the order is paid, but not as expected, or had refused it:
    some readers of JSON skip a byte order mark."""
    told = last_told(record, moment)
    if verdict == REJECTED and not told:
        creates = [one for one in record.sale_requests() if one.create]
        return all(one.refused for one in creates)
    if verdict != NOT_PAID:
        return False
    return told.get("transactionStatus") == "Completed" and (
        _refunded(told) or not same_amount(told.get("amount"), record.sale.amount)
    )


def _given_up(record: Record, run: Run, order: Entry, moment: float, verdict: str) -> Finding:
    paid = state_at(order, moment) == "Completed"
    return broken(
        "not-forgotten",
        f"{_run(record, run)} said `{verdict}`, but the service has order {order['orderId']}, "
        + ("which is paid." if paid else "and the customer can still pay it."),
        "It says `paid` after it has verified the payment, and `open` until then."
        if paid
        else "It says `open`, and asks again later.",
        "The customer has paid and gets nothing, or pays a second time."
        if paid
        else "The shop sells again, and the customer can pay twice.",
    )


def right_verdict(record: Record) -> Iterator[Finding]:
    """Each run ends with a verdict that the scenario allows."""
    for run in record.runs:
        if run.killed or run.overtime:
            continue
        truth = record.truth(run) if run.allowed is None else tuple(run.allowed)
        if run.verdict in truth or is_careful(record, run):
            continue
        paid = _not_paid(record, last_told(record, run.ended)) is None
        if run.verdict == PAID and paid:
            # It is paid. Another rule says what was wrong on the way.
            continue
        who = _run(record, run)
        if run.verdict is None:
            did = f"{who} gave no verdict: {_exit(run.exit_status)}."
        else:
            did = f"{who} said `{run.verdict}`."
        if run.almost:
            did += (
                " It printed something like a verdict, but a verdict is one line of JSON, such as "
                '{"verdict":"paid"}: pretty-printed JSON is not read.'
            )
        if run.last_words:
            did += f" Its last words: {run.last_words}"
        if run.last_words and run.verdict == NOT_SENT:
            did += " If that was a crash: a program in Python, Node or Java then ends with 1."
        yield broken(
            "right-verdict",
            did,
            money=_cost(record, run, truth),
            truth=_either(truth),
            statuses=" or ".join(str(VERDICTS.index(one)) for one in truth),
        )


def is_careful(record: Record, run: Run) -> bool:
    """Whether a verdict is not the best one, but true and careful."""
    if run.verdict in run.careful:
        return True
    created = any(one.create for one in record.sale_requests())
    return run.verdict == NOT_SENT and record.troubled and not created


def remarks(record: Record) -> List[str]:
    """What is right, but worth knowing."""
    found = [
        f"{_run(record, run)} said `{run.verdict}`, which is careful and true. "
        f"{_either(tuple(run.allowed or ()))} would say more."
        for run in record.runs
        if run.allowed is not None
        and run.verdict not in run.allowed
        and not run.killed
        and is_careful(record, run)
    ]
    places = [where for where, name in record.leaks if name == "PAYORDER_CLIENT_ID"]
    if places:
        found.append(f"It wrote the client identifier: {'; '.join(places)}.")
    return found


def in_time(record: Record) -> Iterator[Finding]:
    """Each run ends within SALE_SECONDS."""
    for run in record.runs:
        if run.overtime:
            after = f"was still running after {record.seconds:g} seconds"
            did = f"{_run(record, run)} {after}, and was stopped."
            yield broken("in-time", did, seconds=record.seconds)


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
        return "The goods are handed over, and the shop does not have the money for them."
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

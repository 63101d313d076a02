"""The rules of the exam where a till cannot show them: moments that are microseconds apart,
     and what
a right till may do. tests/certify has a wrong till for each mistake, and right tills."""

from __future__ import annotations

import json
import unittest
from typing import Any, Dict, List, Sequence, Tuple

from payorder_tools.certify.judge import judge
from payorder_tools.certify.protocol import Sale
from payorder_tools.certify.record import Record, Run

SALE = Sale(order_id="S-1", amount="100.10")
#: 2026-11-22 10:00:00 UTC.
START = 1795341600.0
MADE = {"responseCode": "200", "data": {"url": "http://127.0.0.1/checkout/1"}}
Entry = Dict[str, Any]


def at(second: float) -> str:
    return f"2026-11-22T10:00:{second:09.6f}Z"


def request(step: str, second: float, sent: Entry, status: int, body: object, ended: str) -> Entry:
    text = body if isinstance(body, str) else json.dumps(body)
    return {
        "at": at(second),
        "step": step,
        "orderId": sent["orderId"],
        "body": json.dumps(sent),
        "response": {"status": status, "body": text, "ended": ended},
    }


def create(
    second: float = 1.0,
    order_id: str = "S-1",
    status: int = 200,
    body: object = MADE,
    ended: str = "complete",
) -> Entry:
    ids = {"orderId": order_id, "merchantTxnId": order_id}
    sent = {**ids, "amount": SALE.amount, **SALE.expected}
    return request("create", second, sent, status, body, ended)


def ask(
    second: float = 2.0,
    state: str = "Completed",
    ended: str = "complete",
    **more: object,
) -> Entry:
    data = {"orderId": "S-1", "amount": SALE.amount, "transactionStatus": state}
    body = {"responseCode": "200", "data": {**data, **more}}
    return request("status", second, {"orderId": "S-1"}, 200, body, ended)


def unknown(second: float = 2.0, order_id: str = "S-1") -> Entry:
    """Get Status, with the answer that there is no such order."""
    return request("status", second, {"orderId": order_id}, 404, {}, "complete")


def order(order_id: str = "S-1", made: float = 1.0, *transactions: Tuple[float, str]) -> Entry:
    return {
        "orderId": order_id,
        "state": transactions[-1][1] if transactions else "Pending",
        "refunded": False,
        "createdAt": at(made),
        "transactions": [{"state": state, "at": at(moment)} for moment, state in transactions],
    }


def run(verdict: object, allowed: object = (), **more: Any) -> Run:
    began, ended = more.pop("began", 0.0), more.pop("ended", 5.0)
    return Run(
        number=more.pop("number", 1),
        began=START + began,
        ended=START + ended,
        verdict=verdict,  # type: ignore[arg-type]
        allowed=(verdict,) if allowed == () else allowed,  # type: ignore[arg-type]
        **more,
    )


OPEN, PAID_RUN = run("open"), run("paid")
LOST = create(ended="cut", status=0, body="")
CONFLICT = create(2.0, status=409, body={"responseCode": "409"})
PAID = order("S-1", 1.0, (1.5, "Completed"))
HANDED_OVER = (START + 4.0, "handed over")
BEFORE = run("open", ended=2.0)


def after(verdict: str, **more: Any) -> Run:
    return run(verdict, None, number=2, began=3.0, later=True, **more)


#: What a case is about, the rules that are broken, the runs, the requests, the orders, and more.
CASES: Sequence[
    Tuple[str, str, Sequence[Run], Sequence[Entry], Sequence[Entry], Entry]
] = [
    ("an order of the exam is not of the sale", "", [OPEN], [create(0.5, "X"), create()],
     [order("X", 0.5), order()], {"own": frozenset({"X"})}),
    ("two orders are paid, whatever the till says", "one-order",
     [run("open")], [create(), ask(1.8, "Failed"), create(2.0, "S-1-2"), ask(3.2, "Failed")],
     [order("S-1", 1.0, (1.5, "Failed"), (3.5, "Completed")), order("S-1-2", 2.0, (3.0,
     "Completed"))], {}),
    ("a later status of another order changes nothing", "one-order", [PAID_RUN],
     [create(), ask(1.5, "Failed"), create(2.0, "S-1-2"), ask(3.0, orderId="S-1-2"), ask(4.0,
     "Failed")],
     [order("S-1", 1.0, (1.2, "Failed")), order("S-1-2", 2.0, (2.5, "Completed"))], {}),
    ("requests count in the order in which they arrived", "", [OPEN],
     [unknown(1.000002), {**LOST, "at": at(1.000001)}, create(1.000003)], [order()], {}),
    ("a query while the order is made is not before it", "", [OPEN],
     [ask(1.000001, "Pending"), {**create(1.000002), "created": True}], [order()], {}),
    ("a query before it is", "asked-first", [OPEN], [ask(0.9, "Pending"), create()], [order()], {}),
    ("two processes at once may both send the order", "", [OPEN, run("open", number=2)],
     [create(), CONFLICT], [order()], {"concurrent": True}),
    ("one process may not", "asked-first", [OPEN], [create(), CONFLICT], [order()], {}),
    ("another till may send the order before the first one asks", "",
     [BEFORE, run("open", number=2, began=2.5)], [create(), {**CONFLICT, "at": at(3)}], [order()],
     {"concurrent": True}),
    ("but not after a lost response", "asked-first", [BEFORE, run("open", number=2, began=2.5)],
     [LOST, {**CONFLICT, "at": at(3)}], [order()], {"concurrent": True}),
    ("a second till may be refused", "", [run("open", ended=1.9, till="1"),
     run("rejected", excused=("rejected",), till="2")], [create(), ask(1.5), CONFLICT], [PAID], {}),
    ("the only till may not", "not-forgotten", [run("open", ended=1.9, till="1"),
     run("rejected", till="2")], [create(), ask(1.5), CONFLICT], [PAID], {}),
    ("a response that was cut says nothing", "paid-is-verified", [PAID_RUN],
     [create(), ask(ended="half")], [PAID], {}),
    ("a second payment of the order is one of the sale", "", [PAID_RUN],
     [create(), ask(1.8, "Failed"), ask(3)], [order("S-1", 1.0, (1.5, "Failed"), (2.5,
     "Completed"))], {}),
    ("a verified payment is no wrong verdict", "", [run("paid", ("open",))], [create(), ask(1.8)],
     [PAID], {}),
    ("a wrong verdict is said once", "paid-is-verified", [run("paid", ("open",))], [create()],
     [order()], {}),
    ("the goods are handed over once", "", [run("paid", statements=[HANDED_OVER])], [create(),
     ask()], [PAID], {}),
    ("one process says paid, and another one hands over", "",
     [PAID_RUN, run("paid", number=2, statements=[HANDED_OVER])], [create(), ask(3)], [PAID], {}),
    ("an order made after the end was not open", "", [run("not_sent")], [], [order("S-1", 6.0)],
     {}),
    ("less money may be called not paid", "", [run("not_paid")], [create(), ask(amount="100.09")],
     [PAID], {}),
    ("a refund may be called not paid", "", [run("not_paid")], [create(), ask(refundType="Full")],
     [PAID], {}),
    ("a payment in the last moment may be unknown", "", [BEFORE, after("open")],
     [create(), ask(4.0)], [order("S-1", 1.0, (4.5, "Completed"))], {}),
    ("a lost request may still arrive", "not-forgotten", [BEFORE, after("not_sent")], [LOST], [],
     {}),
    ("a refused one does not", "", [BEFORE, after("not_sent")], [create(status=429, body="")], [],
     {}),
    ("a refusal after a byte order mark may be read", "", [run("rejected")],
     [create(status=400, body='\ufeff{"responseCode": "400"}')], [order()], {}),
    ("one after anything else may not", "not-forgotten", [run("rejected")],
     [create(status=400, body='<!--{"responseCode": "400"}')], [order()], {}),
    ("careful passes", "", [run("open", ("not_sent",), careful=("open",))], [], [], {}),
    ("not sent is true where the service cannot be used", "", [run("not_sent", ("open",))], [], [],
     {"troubled": True}),
    ("and nowhere else", "right-verdict", [run("not_sent", ("open",))], [], [], {}),
]  # fmt: skip

#: Responses after which the order may exist, and refusals.
UNKNOWN = (
    *({"ended": "half"}, {"ended": "held"}, {"body": {}}, {"status": 502, "body": {}}),
    *({"body": {"responseCode": "500"}}, {"status": 408, "body": {}}),
    *({"status": 409, "body": {}}, {"status": 403, "body": []}),
    *({"status": 403, "body": {"responseCode": "200"}}, {"status": 400, "body": MADE}),
)
REFUSALS = ({"status": 429, "body": ""}, {"body": {"responseCode": "400"}})


class Rules(unittest.TestCase):
    def broken(
        self,
        runs: Sequence[Run],
        requests: Sequence[Entry],
        orders: Sequence[Entry],
        more: Entry,
    ) -> List[str]:
        numbered = [{**one, "number": n} for n, one in enumerate(requests, 1)]
        of = Record(SALE, 10.0, runs, numbered, orders, **more)
        return [one.rule for one in judge(of)]

    def test_each_case_breaks_the_rule_that_it_should(self) -> None:
        for about, rule, *record in CASES:
            with self.subTest(about):
                self.assertEqual(self.broken(*record), [rule] if rule else [])  # type: ignore[arg-type]

    def test_only_a_refusal_may_be_followed_by_the_same_order(self) -> None:
        for responses, rules in ((UNKNOWN, ["asked-first"]), (REFUSALS, [])):
            for response in responses:
                with self.subTest(response):
                    sent = [create(**response), create(3.0)]  # type: ignore[arg-type]
                    self.assertEqual(self.broken([OPEN], sent, [], {}), rules)

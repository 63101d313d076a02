"""The scenarios of an exam: what happens in each, and which verdicts are right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, Optional, Tuple

from . import customer
from .customer import Behaviour
from .protocol import NOT_PAID, NOT_SENT, OPEN, PAID, REJECTED


@dataclass(frozen=True)
class Scenario:
    """One scenario."""

    name: str
    #: One line for people.
    title: str
    #: The verdicts of the first run that are right.
    allowed: Tuple[str, ...]
    #: Fault rules of the sandbox, until the first run has ended. `Stage` fills in what is between
    #: braces.
    faults: Tuple[str, ...] = ()
    customer: Behaviour = customer.pays
    #: Whether the till runs again after the verdict `open`.
    later: bool = False
    #: None for one that is different in each scenario.
    amount: Optional[str] = None
    #: Whether the amount is one that a floating-point number cannot hold.
    huge: bool = False
    #: The certificate in front of the service; None for plain HTTP.
    certificate: Optional[str] = None
    #: The certificate after the response to Create Order, if it is another one.
    certificate_of_status: Optional[str] = None
    #: Verdicts of the first run that are careful and no mistake: they pass with a remark.
    careful: Tuple[str, ...] = ()
    #: The credential that is wrong in the first run.
    wrong: Optional[str] = None
    #: Whether the customer pays on the first checkout page if a later run prints no URL.
    old_page: bool = False
    #: How it runs: a function of kinds.py.
    kind: str = "one_sale"


_NOT_AS_EXPECTED = (NOT_PAID, OPEN)
_ALL = (
    Scenario("paid", "the customer pays", (PAID,)),
    Scenario(
        "paid-browser-closed",
        "the customer pays and closes the browser",
        (PAID, OPEN),
        customer=customer.pays_and_closes_the_browser,
        later=True,
    ),
    Scenario(
        "payment-failed",
        "the payment fails, and the customer goes",
        (OPEN,),
        customer=customer.fails,
        later=True,
    ),
    Scenario(
        "failed-then-paid",
        "the payment fails, and the customer pays on the same page",
        (PAID, OPEN),
        customer=customer.fails_then_pays,
        later=True,
    ),
    Scenario(
        "payment-cancelled",
        "the customer cancels",
        # In the sandbox nobody can pay the order any more.
        (NOT_PAID, OPEN),
        customer=customer.cancels,
        later=True,
        kind="closed",
    ),
    Scenario(
        "never-pays",
        "the customer looks at the checkout page and never pays",
        (OPEN,),
        customer=customer.leaves,
    ),
    Scenario(
        "pays-late",
        "the customer pays when the till has given up waiting",
        (OPEN,),
        customer=customer.leaves,
        later=True,
        kind="pays_late",
    ),
    Scenario(
        "lost-before",
        "the connection breaks; the service does not keep the order",
        (OPEN, PAID),
        ("create:1:drop-before",),
        later=True,
    ),
    Scenario(
        "timeout-before",
        "the service never responds, and does not keep the order",
        (OPEN, PAID),
        ("create:1:stall-before",),
        later=True,
    ),
    Scenario(
        "timeout-unread",
        "the service never reads the order, and never responds",
        (OPEN, PAID),
        ("create:1:stall-unread",),
        later=True,
    ),
    Scenario(
        "lost-after",
        "the connection breaks; the service keeps the order",
        (OPEN,),
        ("create:1:drop-after-commit",),
        later=True,
    ),
    Scenario(
        "lost-in-response",
        "the connection breaks in the middle of the response",
        (OPEN,),
        ("create:1:drop-mid-answer",),
        later=True,
    ),
    Scenario(
        "lost-and-late",
        "the response is lost, and the first Get Status does not find the order",
        (OPEN,),
        ("create:1:drop-after-commit", "status:1:not-found"),
        later=True,
    ),
    Scenario(
        "timeout",
        "the service keeps the order and never responds",
        (OPEN,),
        ("create:1:stall",),
        later=True,
    ),
    Scenario(
        "gateway-page",
        "the service keeps the order; a gateway responds with an HTML page (502)",
        (OPEN,),
        ("create:1:html-502",),
        later=True,
    ),
    Scenario(
        "firewall-page",
        "the service keeps the order; a firewall sends its own page (403)",
        (OPEN,),
        ("create:1:firewall-page",),
        later=True,
    ),
    Scenario(
        "refused-with-url",
        "the service keeps the order; its refusal has the checkout URL (400)",
        (OPEN, PAID),
        ("create:1:refused-with-url",),
        later=True,
    ),
    Scenario(
        "unusable-response",
        "the service keeps the order; its response is not complete JSON",
        (OPEN,),
        ("create:1:malformed-json",),
        later=True,
    ),
    Scenario(
        "large-response",
        "the service keeps the order; its response has 2 MiB of useless text",
        (OPEN, PAID),
        ("create:1:too-large",),
        later=True,
    ),
    Scenario(
        "byte-order-mark",
        "the service keeps the order; its response is a refusal after a byte order mark (400)",
        (OPEN, PAID, REJECTED),
        ("create:1:byte-order-mark",),
        later=True,
    ),
    Scenario(
        "service-error",
        "the service keeps the order; its response is an error (responseCode 500)",
        (OPEN,),
        ("create:1:service-error",),
        later=True,
    ),
    Scenario(
        "http-500",
        "the service keeps the order; its response is HTTP 500",
        (OPEN,),
        ("create:1:http-500",),
        later=True,
    ),
    Scenario(
        "http-503",
        "the service keeps the order; its response is HTTP 503",
        (OPEN,),
        ("create:1:http-503",),
        later=True,
    ),
    Scenario(
        "http-504",
        "the service keeps the order; a gateway responds with HTTP 504",
        (OPEN,),
        ("create:1:http-504",),
        later=True,
    ),
    Scenario(
        "http-408",
        "the service keeps the order; a gateway responds with HTTP 408",
        (OPEN,),
        ("create:1:http-408",),
        later=True,
    ),
    Scenario(
        "http-499",
        "the service keeps the order; a gateway responds with HTTP 499",
        (OPEN,),
        ("create:1:http-499",),
        later=True,
    ),
    Scenario(
        "redirect",
        "the service keeps the order, and sends the till to the same address (307)",
        (OPEN,),
        ("create:1:redirect",),
        later=True,
    ),
    Scenario(
        "no-url",
        "the service keeps the order; its response has no checkout URL",
        (OPEN,),
        ("create:1:no-url",),
        later=True,
    ),
    Scenario(
        "bad-url",
        "the service keeps the order; its checkout URL is a script",
        (OPEN,),
        ("create:1:bad-url",),
        later=True,
    ),
    Scenario(
        "half-then-silence",
        "the service keeps the order, sends half of the response, and nothing more",
        (OPEN,),
        ("create:1:stall-mid-answer",),
        later=True,
    ),
    Scenario(
        "lost-and-unanswered",
        "the response is lost, and the first Get Status is lost too",
        (OPEN,),
        (
            "create:1:drop-after-commit",
            "status:1:drop",
        ),
        later=True,
    ),
    Scenario(
        "several-faults",
        "several things go wrong: Create Order, and two Get Status",
        (OPEN,),
        (
            "create:1:{create}",
            "status:1:{status}",
            "status:2:{status2}",
        ),
        later=True,
    ),
    Scenario(
        "rejected",
        "the service refuses the order",
        (REJECTED,),
        ("create:*:reject",),
        careful=(OPEN,),
    ),
    Scenario(
        "old-token",
        "the service refuses the order: the access token is not valid any more (401)",
        (REJECTED,),
        wrong="PAYORDER_ACCESS_TOKEN",
        careful=(OPEN,),
    ),
    Scenario(
        "rate-limited",
        "the service refuses the first Create Order: too many requests (429)",
        (REJECTED, NOT_SENT, PAID, OPEN),
        ("create:1:rate-limit",),
        later=True,
    ),
    Scenario(
        "rate-limited-status",
        "the service refuses the first Get Status: too many requests (429)",
        (PAID, OPEN),
        ("status:1:rate-limit",),
        later=True,
    ),
    Scenario(
        "slow-service",
        "every response takes 1.5 seconds",
        (PAID, OPEN),
        ("create:*:slow=1500", "status:*:slow=1500"),
        later=True,
    ),
    Scenario(
        "exact-amount",
        "an amount that a floating-point number cannot hold",
        (PAID,),
        huge=True,
    ),
    Scenario(
        "wrong-amount",
        "Get Status says that another amount was paid, 0.01 less",
        _NOT_AS_EXPECTED,
        ("status:*:amount={less}",),
    ),
    Scenario(
        "overpaid",
        "Get Status says that another amount was paid, 0.01 more",
        _NOT_AS_EXPECTED,
        ("status:*:amount={more}",),
    ),
    Scenario(
        "overpaid-twice",
        "Get Status says that twice the amount was paid",
        _NOT_AS_EXPECTED,
        ("status:*:amount={double}",),
    ),
    Scenario(
        "huge-underpaid",
        "0.01 less was paid, of an amount that a floating-point number cannot hold",
        _NOT_AS_EXPECTED,
        ("status:*:amount={less}",),
        huge=True,
    ),
    Scenario(
        "no-amount",
        "Get Status says Completed without an amount",
        _NOT_AS_EXPECTED,
        ("status:*:amount=",),
    ),
    Scenario(
        "refunded",
        "the payment was refunded",
        _NOT_AS_EXPECTED,
        ("status:*:refunded",),
    ),
    Scenario(
        "refunded-in-part",
        "a part of the payment was refunded",
        _NOT_AS_EXPECTED,
        (
            "status:*:refundStatus={refund}",
            "status:*:refundType=Partial",
        ),
    ),
    Scenario(
        "refund-type-only",
        "only the refund type says that there is a refund",
        _NOT_AS_EXPECTED,
        ("status:*:refundType=Partial",),
    ),
    Scenario(
        "refunded-later",
        "the shop refunds the payment before the till can ask",
        (OPEN,),
        ("status:*:drop",),
        kind="refunded_later",
    ),
    Scenario(
        "refunded-after-paid",
        "the customer pays, the till says so, and the shop refunds the payment",
        (PAID, OPEN),
        later=True,
        kind="refunded_later",
    ),
    Scenario(
        "wrong-order",
        "Get Status speaks of another order, which is paid",
        _NOT_AS_EXPECTED,
        (
            "status:*:orderId={other}",
            "status:*:transactionId={transaction}",
        ),
        later=True,
    ),
    Scenario(
        "longer-order-id",
        "Get Status speaks of an order whose id begins like this one, and which is paid",
        _NOT_AS_EXPECTED,
        (
            "status:*:orderId={longer}",
            "status:*:transactionId={transaction}",
        ),
        later=True,
    ),
    Scenario(
        "incomplete",
        "the customer has not paid; Get Status says Incomplete",
        (OPEN,),
        ("status:*:transactionStatus=Incomplete",),
        customer=customer.leaves,
    ),
    Scenario(
        "unsuccessful",
        "the customer has not paid; Get Status says Unsuccessful",
        (OPEN,),
        ("status:*:transactionStatus=Unsuccessful",),
        customer=customer.leaves,
    ),
    Scenario(
        "not-completed",
        "the customer has not paid; Get Status says NotCompleted",
        (OPEN,),
        ("status:*:transactionStatus=NotCompleted",),
        customer=customer.leaves,
    ),
    Scenario(
        "success-pending",
        "the customer has not paid; Get Status says SuccessPending",
        (OPEN,),
        ("status:*:transactionStatus=SuccessPending",),
        customer=customer.leaves,
    ),
    Scenario(
        "completed-in-part",
        "the customer has not paid; Get Status says CompletedPartially",
        (OPEN,),
        ("status:*:transactionStatus=CompletedPartially",),
        customer=customer.leaves,
    ),
    Scenario(
        "unknown-status",
        "the customer pays; Get Status says OnHold, which is not documented",
        (OPEN,),
        ("status:*:unknown-status",),
        later=True,
    ),
    Scenario(
        "forged-return",
        "somebody opens a return URL; nobody has paid",
        (OPEN,),
        customer=customer.forges,
    ),
    Scenario(
        "forged-everything",
        "somebody opens a return URL that says status, amount and success; nobody has paid",
        (OPEN,),
        customer=customer.forges_everything,
    ),
    Scenario(
        "forged-then-paid",
        "somebody opens a wrong return URL, and then the customer pays",
        (PAID, OPEN),
        customer=customer.forges_then_pays,
        later=True,
    ),
    Scenario(
        "second-return",
        "the payment fails, the customer pays, and the first return URL is opened again",
        (PAID, OPEN),
        customer=customer.pays_then_returns_twice,
        later=True,
    ),
    Scenario(
        "pays-on-the-old-page",
        "the payment fails, and the customer pays later on the old page",
        (OPEN,),
        customer=customer.fails,
        later=True,
        old_page=True,
    ),
    Scenario(
        "borrowed-return",
        "somebody opens the return URL of another order, which is paid",
        (OPEN,),
        kind="borrowed_return",
    ),
    Scenario(
        "borrowed-return-and-lost",
        "somebody opens the return URL of another order; every second Get Status finds nothing",
        (OPEN,),
        tuple(f"status:{number}:not-found" for number in range(1, 60, 2)),
        kind="borrowed_return",
    ),
    Scenario(
        "repeated-return",
        "the customer pays, and the same return URL is opened three times",
        (PAID,),
        customer=customer.returns_three_times,
    ),
    Scenario(
        "not-found-once",
        "the customer pays; the first Get Status does not find the order",
        (PAID, OPEN),
        ("status:1:not-found",),
        later=True,
    ),
    Scenario(
        "status-lost",
        "the customer pays; every Get Status of the first run is cut",
        (OPEN,),
        ("status:*:drop",),
        later=True,
    ),
    Scenario(
        "status-stalls",
        "the customer pays; every Get Status of the first run never answers",
        (OPEN,),
        ("status:*:stall",),
        later=True,
    ),
    Scenario(
        "status-page",
        "the customer pays; every Get Status of the first run is answered by a gateway (502)",
        (OPEN,),
        ("status:*:html-502",),
        later=True,
    ),
    Scenario(
        "status-garbage",
        "the customer pays; no response to Get Status of the first run is complete JSON",
        (OPEN,),
        ("status:*:malformed-json",),
        later=True,
    ),
    Scenario(
        "status-echo",
        "the customer pays; every Get Status of the first run only repeats the order id",
        (OPEN,),
        ("status:*:echo",),
        later=True,
    ),
    Scenario(
        "status-unknown",
        "the customer pays; every Get Status of the first run does not know the order",
        (OPEN,),
        ("status:*:not-found",),
        later=True,
    ),
    Scenario(
        "status-refused",
        "the customer pays; every Get Status of the first run is refused: wrong secret key (401)",
        (OPEN,),
        wrong="PAYORDER_SECRET_KEY",
        later=True,
    ),
    Scenario(
        "status-trouble",
        "the customer pays; one of the first Get Status fails",
        (PAID, OPEN),
        ("status:{n}:{status}",),
        later=True,
    ),
    Scenario(
        "few-fields",
        "the customer pays; Get Status has only the order, the transaction, the amount and the status",
        (PAID, OPEN),
        ("status:*:few-fields",),
        later=True,
    ),
    Scenario(
        "slow-start",
        "nobody listens at the service's address at first: it starts 2 seconds after the till",
        (PAID, NOT_SENT, OPEN),
        certificate="VALID",
        later=True,
        kind="slow_start",
    ),
    Scenario(
        "return-without-txn",
        "the customer pays; the return URL has no txn",
        (PAID, OPEN),
        ("return:*:without-txn",),
        later=True,
    ),
    Scenario(
        "return-with-two-questions",
        "the customer pays; the return URL has a second question mark",
        (PAID, OPEN),
        ("return:*:second-question-mark",),
        later=True,
    ),
    Scenario(
        "other-date",
        "the customer pays; Get Status has another format of date",
        (PAID, OPEN),
        ("status:*:other-date",),
        later=True,
    ),
    Scenario(
        "https",
        "a sale over https, with the authority in PAYORDER_CA_FILE",
        (PAID,),
        certificate="VALID",
    ),
    Scenario(
        "expired-certificate",
        "the service's certificate has expired",
        (NOT_SENT,),
        certificate="EXPIRED",
        careful=(OPEN,),
    ),
    Scenario(
        "wrong-clock",
        "the service's certificate is only valid from 2090",
        (NOT_SENT,),
        certificate="NOT_YET_VALID",
        careful=(OPEN,),
    ),
    Scenario(
        "wrong-host",
        "the service's certificate is for another host",
        (NOT_SENT,),
        certificate="OTHER_HOST",
        careful=(OPEN,),
    ),
    Scenario(
        "untrusted-issuer",
        "the service's certificate is signed by nobody whom the till trusts",
        (NOT_SENT,),
        certificate="UNTRUSTED",
        careful=(OPEN,),
    ),
    Scenario(
        "status-wrong-host",
        "after Create Order, the service's certificate is for another host",
        (OPEN,),
        certificate="VALID",
        certificate_of_status="OTHER_HOST",
    ),
    Scenario(
        "status-untrusted",
        "after Create Order, the service's certificate is signed by nobody whom the till trusts",
        (OPEN,),
        certificate="VALID",
        certificate_of_status="UNTRUSTED",
    ),
    Scenario(
        "no-service",
        "nobody listens at the service's address",
        (NOT_SENT,),
        kind="no_service",
        careful=(OPEN,),
    ),
    Scenario(
        "double-click",
        "the till is started twice at once for one sale",
        (PAID, OPEN),
        # So that the second one starts before the first one has an answer.
        ("create:*:slow=1500",),
        later=True,
        kind="double_click",
    ),
    Scenario(
        "two-tills",
        "two tills sell with the same order id",
        (PAID, OPEN),
        later=True,
        kind="two_tills",
    ),
    Scenario(
        "counter-restarted",
        "a paid order id is used again, for another customer, by a till that lost its files",
        (PAID, OPEN),
        later=True,
        kind="counter_restarted",
    ),
    Scenario(
        "restart",
        "the till is killed when the service has the order, before it responds",
        (OPEN,),
        ("create:1:stall",),
        kind="restart",
    ),
    Scenario(
        "restart-after-payment",
        "the till is killed while it waits; the customer pays; it starts again",
        (PAID,),
        customer=customer.leaves,
        kind="restart_after_payment",
    ),
    Scenario(
        "damaged-files",
        "the till is killed while it waits; its files are damaged; it restarts",
        (PAID, OPEN),
        customer=customer.leaves,
        kind="damaged_files",
    ),
)
#: All scenarios by name, in the order of a report.
SCENARIOS: Dict[str, Scenario] = {one.name: one for one in _ALL}

#: What is wrong with a certificate, as the judge says it.
CERTIFICATES = {
    "EXPIRED": "has expired",
    "NOT_YET_VALID": "is not valid yet",
    "OTHER_HOST": "is for another host",
    "UNTRUSTED": "is signed by nobody whom the till trusts",
}

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
    #: Fault rules of the sandbox, until the first run has ended.
    faults: Tuple[str, ...] = ()
    #: How much later every response comes, in seconds.
    slow: Optional[float] = None
    customer: Behaviour = customer.pays
    #: Whether the till runs again after the verdict `open`.
    later: bool = False
    #: None for one that is different in each scenario.
    amount: Optional[str] = None
    #: The certificate in front of the service; None for plain HTTP.
    certificate: Optional[str] = None
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
        "rejected",
        "the service refuses the order",
        (REJECTED,),
        ("create:*:reject",),
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
        (PAID,),
        slow=1.5,
    ),
    Scenario(
        "exact-amount",
        "an amount that a floating-point number cannot hold",
        (PAID,),
        kind="exact_amount",
    ),
    Scenario(
        "wrong-amount",
        "Get Status says that another amount was paid, 0.01 less",
        _NOT_AS_EXPECTED,
        ("status:*:wrong-amount",),
        # The sandbox reports 1.00.
        amount="1.01",
    ),
    Scenario(
        "refunded",
        "the payment was refunded",
        _NOT_AS_EXPECTED,
        ("status:*:refunded",),
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
        "borrowed-return",
        "somebody opens the return URL of another order, which is paid",
        (OPEN,),
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
    ),
    Scenario(
        "wrong-clock",
        "the service's certificate is only valid from 2090",
        (NOT_SENT,),
        certificate="NOT_YET_VALID",
    ),
    Scenario(
        "wrong-host",
        "the service's certificate is for another host",
        (NOT_SENT,),
        certificate="OTHER_HOST",
    ),
    Scenario(
        "double-click",
        "the till is started twice at once for one sale",
        (PAID, OPEN),
        later=True,
        kind="double_click",
    ),
    Scenario(
        "two-tills",
        "two tills sell with the same order id",
        (PAID,),
        kind="two_tills",
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
}

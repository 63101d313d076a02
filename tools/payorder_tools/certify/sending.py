"""The rules about what a till sends, and what it shows."""

from __future__ import annotations

from typing import List, Optional

from .record import (
    Entry,
    Record,
    Request,
    is_paid,
    same_amount,
    seconds_since_1970,
    state_at,
)
from .results import Finding

#: How much earlier a request may arrive than `Retry-After` says: times have milliseconds, and the
#: till's clock starts when it has read the response.
_TOO_EARLY = 0.1


def one_order(record: Record) -> List[Finding]:
    """No second order for the sale. Only a person may decide to sell again."""
    orders = record.sale_orders()
    if len(orders) < 2:
        return []
    paid = list(filter(is_paid, orders))
    first, second = (paid if len(paid) > 1 else orders)[:2]
    one, other = first["orderId"], second["orderId"]
    state = state_at(first, seconds_since_1970(second["createdAt"])) or "Pending"
    return [
        Finding(
            "one-order",
            f"It created order {other} while order {one} was {_STATES[state]}.",
            f"It asks for the status of {one}, and creates no other order for this sale. Only "
            "Completed ends an order. Whether to sell again is a person's decision.",
            _two_orders(first, second),
        )
    ]


#: What the first order was when the second one was made.
_STATES = {
    "Pending": "still open",
    "Completed": "already paid",
    "Failed": "still open: after a failed payment the customer can try again",
    "Cancelled": "cancelled, which may not be final",
}


def _two_orders(first: Entry, second: Entry) -> str:
    one, other = first["orderId"], second["orderId"]
    if is_paid(first) and is_paid(second):
        return f"The customer has paid twice: orders {one} and {other} are both paid."
    if is_paid(first):
        return f"The customer can pay twice: order {one} is paid, and order {other} is open."
    if is_paid(second):
        return f"The customer can pay twice: order {other} is paid, and order {one} is open."
    return f"The customer can pay twice: orders {one} and {other} may both be paid."


def asked_first(record: Record) -> List[Finding]:
    """Between a Create Order that may have made an order and the next one, it asked."""
    earlier: Optional[Request] = None
    for request in record.sale_requests():
        if not request.create:
            earlier = None
            continue
        if earlier is not None and not _at_once(record, earlier, request):
            again = request.order_id
            return [
                Finding(
                    "asked-first",
                    f"It sent Create Order (request {earlier.number}) and {_end(earlier, record)}. "
                    "Without asking what happened to it, it sent Create Order again "
                    f"(request {request.number}"
                    + (f", as {again})." if again != earlier.order_id else ")."),
                    "It asks with Get Status first. If the service does not answer, the verdict is "
                    "`open`.",
                    "The first order may exist. With a second one, the customer can pay twice.",
                )
            ]
        if not request.refused:
            earlier = request
    return []


def _at_once(record: Record, one: Request, other: Request) -> bool:
    """Whether the second request may come from another till, which could not know of the first one.

    Either the first one had a usable response, and the second one is its duplicate, or both were
    sent at the same time.
    """
    if not record.concurrent:
        return False
    if one.made:
        return True
    runs = [
        run.number
        for run in record.runs
        if run.began <= one.at <= run.ended and run.began <= other.at <= run.ended
    ]
    return len(runs) > 1


def _end(request: Request, record: Record) -> str:
    killed = [
        run
        for run in record.runs
        if run.killed and run.began <= request.at <= run.ended
    ]
    if killed and request.made and request.complete and request.status == 200:
        return "was killed after it had learned that the order exists"
    if killed:
        return "was killed before it ended"
    if request.made:
        return "learned that the order exists"
    if not request.complete:
        return "got no complete response"
    if request.status != 200:
        return f"got HTTP {request.status}, which does not say whether the order exists"
    return "got a response that does not say whether the order exists"


def right_amount(record: Record) -> List[Finding]:
    """Create Order has the sale's amount as text, and the sale's order id."""
    sale = record.sale
    for request in record.sale_requests():
        if request.step != "create":
            continue
        amount = request.sent.get("amount")
        if not same_amount(amount, sale.amount):
            kind = "" if isinstance(amount, str) or amount is None else ", as a number"
            return [
                Finding(
                    "right-amount",
                    f"It sent the amount {amount}{kind} (request {request.number}).",
                    f'It sends "{sale.amount}" as text, exactly as it received it. A floating-'
                    "point number cannot hold every amount.",
                    "The customer pays another amount than the goods cost.",
                )
            ]
        if not sale.has_order(request.order_id):
            return [
                Finding(
                    "right-amount",
                    f"It sent the order id {request.order_id} (request {request.number}).",
                    f"It uses {sale.order_id}, and {sale.order_id}-2 for a new attempt after the "
                    "service has refused that order.",
                    "The shop cannot find the payment of this sale in its own books.",
                )
            ]
    return []


def no_secrets(record: Record) -> List[Finding]:
    """No credential in the output or in a file."""
    if not record.leaks:
        return []
    places = "; ".join(f"{name} in {where}" for where, name in record.leaks)
    return [
        Finding(
            "no-secrets",
            f"It wrote credentials: {places}.",
            "It writes no credential to its output, a log or a file.",
            "Whoever reads the output or the file can use the shop's account.",
        )
    ]


def waits_when_told(record: Record) -> List[Finding]:
    """After 429, no request of that kind before Retry-After is over."""
    requests = record.sale_requests()
    for place, told in enumerate(requests):
        for request in requests[place + 1 :] if told.retry_after else ():
            waited = request.at - told.at
            if request.step == told.step and waited < told.retry_after - _TOO_EARLY:
                return [
                    Finding(
                        "waits-when-told",
                        f"The service told it to wait {told.retry_after:g} s, and it sent the next "
                        f"request after {max(waited, 0):.1f} s (requests {told.number} and "
                        f"{request.number}).",
                        "After HTTP 429 it waits as long as Retry-After says.",
                        "The service can block the shop, and then nobody can pay.",
                    )
                ]
    return []


def checks_the_host(record: Record) -> List[Finding]:
    """No request over a connection whose certificate is not valid."""
    if record.certificate is None or not record.sale_requests():
        return []
    return [
        Finding(
            "checks-the-host",
            "It sent its credentials over a connection whose certificate "
            f"{record.certificate}.",
            "It checks the service's certificate, and sends nothing if that is not valid.",
            "Somebody between the shop and the service can read the credentials, and answer "
            "`Completed` for orders that nobody paid.",
        )
    ]

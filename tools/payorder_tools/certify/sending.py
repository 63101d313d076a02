"""The rules about what a till sends, and what it shows."""

from __future__ import annotations

import json
from typing import Dict, Iterator, List, Optional, Sequence, Tuple

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
from .rules import broken

#: How much earlier a request may arrive than `Retry-After` says: the till's clock starts when it has
#: read the response.
_TOO_EARLY = 0.1


#: A right till asks a few times in a second at most.
_MOST_IN_A_SECOND = 25
#: It names the shop, and does not open anything.
NO_SECRET = "PAYORDER_CLIENT_ID"


def one_order(record: Record) -> Iterator[Finding]:
    """No second order for the sale. Only a person may decide to sell again."""
    orders = record.sale_orders()
    paid = list(filter(is_paid, orders))
    first, second = [*(paid if len(paid) > 1 else orders), None, None][:2]
    if first and second:
        one, other = first["orderId"], second["orderId"]
        state = state_at(first, seconds_since_1970(second["createdAt"])) or "Pending"
        did = f"It created order {other} while order {one} was {_STATES[state]}."
        yield broken("one-order", did, money=_two_orders(first, second), first=one)


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


def asked_first(record: Record) -> Iterator[Finding]:
    """Between a Create Order that may have made an order and the next one, it asked about it, and
    when it knew that the order exists, it created no other one."""
    earlier: Optional[Request] = None
    exists: Optional[Request] = None
    others = max(len({run.till for run in record.runs}) - 1, 0)
    for request in record.sale_requests():
        if not request.create:
            told = request.told.get("orderId")
            if record.sale.has_order(told) and request.told.get("transactionStatus"):
                exists = request
            # A request that was not read names no order.
            same = earlier is not None and (earlier.order_id or record.sale.order_id) in (
                request.order_id,
                told,
            )
            if same and request.answered:
                earlier = None
            continue
        if request.created and exists and request.order_id == exists.told["orderId"]:
            # No order is known before it is made: the query came while this request was handled.
            exists = None
        before = earlier or exists
        if before is not None and not _at_once(record, before, request):
            if not earlier and len(record.sale_orders()) > 1:
                # Rule one-order says it.
                return
            if not others:
                yield _again(record, before, request)
                return
            # It is another till's, which could not know.
            others -= 1
        if not request.refused:
            earlier = request


def _again(record: Record, before: Request, request: Request) -> Finding:
    as_what = ""
    if request.order_id != before.order_id:
        as_what = f", as {request.order_id}"
    if not before.create:
        did = (
            f"Get Status had told it that order {before.order_id or ''} exists (request "
            f"{before.number}), and then it sent Create Order again (request {request.number}"
            f"{as_what})."
        )
    else:
        did = (
            f"It sent Create Order (request {before.number}) and {_end(before, record)}. "
            "Without an answer about what happened to it, it sent Create Order again "
            f"(request {request.number}{as_what})."
        )
    return broken("asked-first", did)


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
    killed = [run for run in record.runs if run.killed and run.began <= request.at <= run.ended]
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


def right_amount(record: Record) -> Iterator[Finding]:
    """Create Order has the sale's amount as text, and the sale's order id."""
    sale = record.sale
    for request in record.sale_requests():
        if request.step != "create":
            continue
        amount = request.sent.get("amount")
        if not same_amount(amount, sale.amount):
            kind = "" if isinstance(amount, str) or amount is None else ", as a number"
            did = f"It sent the amount {amount}{kind} (request {request.number})."
            yield broken("right-amount", did, amount=sale.amount)
        if not sale.has_order(request.order_id):
            yield broken(
                "right-amount",
                f"It sent the order id {request.order_id} (request {request.number}).",
                f"It uses {sale.order_id}, and {sale.order_id}-2 for a new attempt after the "
                "service has refused that order.",
                "The shop cannot find the payment of this sale in its own books.",
            )


def right_order(record: Record) -> Iterator[Finding]:
    """Every other field of Create Order is the sale's, and merchantTxnId is the order's own."""
    used: Dict[object, Optional[str]] = {}
    for request in record.sale_requests():
        if request.step != "create":
            continue
        different = [
            [one for one in sale.expected.items() if request.sent.get(one[0]) != one[1]]
            for sale in record.sales or [record.sale]
        ]
        for field, value in min(different, key=len):
            did = f"It sent {field} {request.sent.get(field)!r} (request {request.number})."
            yield broken("right-order", did, money=_FIELDS.get(field, ""), value=value)
        unique = request.sent.get("merchantTxnId")
        first = used.setdefault(unique, request.order_id)
        if first != request.order_id:
            yield same_transaction(unique, first, request.order_id)


_FIELDS = {
    "currencyCode": "The customer pays in another currency, so another amount.",
    "merchantId": "The money goes to another merchant.",
    "productInfo": "The customer sees and pays for something else than was sold.",
    "redirectionURL": "The customer does not come back to this shop after the payment.",
}


def same_transaction(unique: object, first: object, second: object) -> Finding:
    """Two orders with one merchantTxnId."""
    return broken(
        "right-order",
        f"It sent the merchantTxnId {unique!r} for two orders, {first} and {second}.",
        "Each order has a merchantTxnId of its own.",
        "The service refuses the second order, or the shop cannot tell the two payments apart.",
    )


def stops_when_refused(record: Record) -> Iterator[Finding]:
    """A refused order is not sent again and again unchanged."""
    refused: Dict[str, List[Request]] = {}
    for request in record.sale_requests():
        if request.step == "create" and request.refused and not request.retry_after:
            order = json.dumps(request.sent, sort_keys=True)
            refused.setdefault(order, []).append(request)
    for same in refused.values():
        if len(same) > 2:
            numbers = ", ".join(str(one.number) for one in same[:5])
            yield broken(
                "stops-when-refused",
                "The service refused its order, and it sent the same order again unchanged, "
                f"{len(same)} times in all (requests {numbers}).",
            )


def no_storm(record: Record) -> Iterator[Finding]:
    """Not more than a few requests in a second."""
    times = [one.at for one in record.sale_requests()]
    for place, at in enumerate(times):
        if place >= _MOST_IN_A_SECOND and at - times[place - _MOST_IN_A_SECOND] < 1.0:
            did = f"It sent more than {_MOST_IN_A_SECOND} requests within one second."
            yield broken("no-storm", did)


def safe_url(record: Record) -> Iterator[Finding]:
    """No address is shown that a browser would run as a program."""
    for run in record.runs:
        if run.unsafe_line:
            yield broken(
                "safe-url",
                "The service sent a checkout URL that is not a web address, and it showed it: "
                f"{run.unsafe_line}",
            )


def no_secrets(record: Record) -> Iterator[Finding]:
    """No credential in the output, in a file or in the arguments of a program."""
    secret = [one for one in record.leaks if one[1] != NO_SECRET]
    if secret:
        yield wrote_credentials(secret)


def wrote_credentials(leaks: Sequence[Tuple[str, str]]) -> Finding:
    """Credentials were found in these places."""
    places = "; ".join(f"{name} in {where}" for where, name in leaks)
    return broken("no-secrets", f"It wrote credentials: {places}.")


def waits_when_told(record: Record) -> Iterator[Finding]:
    """After 429, no request of that kind before Retry-After is over."""
    requests = record.sale_requests()
    for place, told in enumerate(requests):
        for request in requests[place + 1 :] if told.retry_after else ():
            waited = request.at - told.at
            if request.step == told.step and waited < told.retry_after - _TOO_EARLY:
                did = (
                    f"The service told it to wait {told.retry_after:g} s, and it sent the next "
                    f"request after {max(waited, 0):.1f} s (requests {told.number} and "
                    f"{request.number})."
                )
                yield broken("waits-when-told", did)


def checks_the_host(record: Record) -> Iterator[Finding]:
    """No request over a connection whose certificate is not valid."""
    if record.certificate is not None and record.sale_requests():
        did = f"It sent its credentials over a connection whose certificate {record.certificate}."
        yield broken("checks-the-host", did)

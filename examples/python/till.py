"""A till that passes `payorder certify`: one sale, one verdict, and the truth after a crash.

    python3 till.py AMOUNT ORDER_ID
    payorder certify -- python3 till.py

The settings, and in the exam the sale, come from the environment, and the exit status is the
verdict; see docs/certify.md. The journal knows each order before it is sent, so after a crash the
same command goes on with the sale.
"""

from __future__ import annotations

import json
import os
import sys
import time
from datetime import datetime, timezone
from pathlib import Path
from typing import Dict

import payorder

PAID, NOT_SENT, REJECTED, OPEN = range(4)
STARTED = datetime.now(timezone.utc)


def main() -> int:
    order = read_order()
    try:
        # The verdict must be there before SALE_SECONDS are over. A fifth is kept for the start of
        # the program, for its end and for a busy machine.
        end = time.monotonic() + float(os.environ.get("SALE_SECONDS", "300")) * 0.8
        journal = os.environ.get("PAYORDER_JOURNAL") or "till-orders.sqlite"
        with payorder.Client.from_env(journal=journal, user_agent="till") as client:
            return sell(client, order, end)
    except (Exception, KeyboardInterrupt) as error:
        # This run may have sent the order, or an earlier one: only the journal could tell.
        print(f"OPEN: {type(error).__name__}: {error}")
        return OPEN


def read_order() -> Dict[str, str]:
    sale = os.environ
    if len(sys.argv) == 3:
        sale["SALE_AMOUNT"], sale["SALE_ORDER_ID"] = sys.argv[1:]
    elif len(sys.argv) > 1 or not {"SALE_AMOUNT", "SALE_ORDER_ID"} <= set(sale):
        print("NOT SENT: usage: till.py AMOUNT ORDER_ID")
        sys.exit(NOT_SENT)
    return {
        "amount": sale["SALE_AMOUNT"],  # always text: a float could lose paise
        "merchantTxnId": sale["SALE_ORDER_ID"],
        "orderId": sale["SALE_ORDER_ID"],
        "payMode": "all",
        "merchantId": sale.get("SALE_MERCHANT_ID", "M-1"),
        "productInfo": sale.get("SALE_PRODUCT", "Two coffees"),
        "customerName": sale.get("SALE_CUSTOMER_NAME", "Asha Rao"),
        "customerMobile": sale.get("SALE_CUSTOMER_MOBILE", "9000000000"),
        "customerEmail": sale.get("SALE_CUSTOMER_EMAIL", "asha@example.com"),
        "redirectionURL": sale.get("SALE_RETURN_URL", "https://shop.example/return"),
        "currencyCode": sale.get("SALE_CURRENCY", "INR"),
    }


def check_credentials(client: payorder.Client) -> None:
    """Raises MissingCredentialsError: a till that cannot ask for a status must not sell."""
    names = ("CLIENT_KEY", "CLIENT_ID", "SECRET_KEY")
    if all(os.environ.get(f"PAYORDER_{name}") for name in names):
        return
    # The others may be in the file that PAYORDER_CONFIG names. If not, nothing is sent.
    try:
        client.get_status("-", timeout=0.001)
    except payorder.MissingCredentialsError:
        raise
    except payorder.PayorderError:
        pass  # no other answer matters


def sell(client: payorder.Client, order: Dict[str, str], end: float) -> int:
    try:
        check_credentials(client)
        # Half of the time is kept for asking what happened.
        url = client.create_order(order, timeout=limit(end, 2)).url
    except payorder.JournalError:
        # An earlier run may have sent the order.
        raise
    except payorder.NotSentError as error:
        say_to_cashier(error)
        # If the journal cannot be read, `main` says OPEN.
        earlier = client.journal.list(order_id=order["orderId"])
        if any(entry.state not in ("not_sent", "rejected") for entry in earlier):
            print(f"OPEN: an earlier run may have sent the order; this one has not: {error}")
            return OPEN
        print(f"NOT SENT: {error}")
        return NOT_SENT
    except payorder.RejectedError as error:
        print(f"REJECTED: {error}")
        say_to_cashier(error)
        return REJECTED
    except payorder.OutcomeUnknownError as error:
        # The order may exist, and a second one could charge the customer twice.
        print(f"UNKNOWN: {error}")
        say_to_cashier(error)
        if error.action not in ("ask_status", "use_previous"):
            # It may be another sale's order, and then a payment is for other goods.
            print("OPEN: show the order to a person, and hand nothing over")
            return OPEN
        # After a restart it is a duplicate. If the customer may pay it, `previous` has its URL.
        url = (error.previous.url if error.previous else error.checkout_url) or ""
    query = order["orderId"]
    if not url:
        # Nobody can pay now, so one answer is enough. Without one, `main` says OPEN, also if the
        # service does not know the order yet.
        return verdict(order, client.get_status(query, timeout=limit(end)))
    # Flushed, because the customer waits for it. The return URL is not needed: it proves nothing.
    print(f"send the customer to {url}", flush=True)
    wait = min(left(end), 86400.0)  # as long as one wait may be
    waited = client.wait_for_payment(query, wait=wait, interval=0.5, max_interval=1, timeout=5)
    if waited.status is None:
        print(f"OPEN: {waited.error}")
        return OPEN
    return verdict(order, waited.status)


def say_to_cashier(error: payorder.PayorderError) -> None:
    """Prints the sentence for the error's action from a file, which you can translate."""
    path = os.environ.get("TILL_SAY") or Path(__file__).parents[1] / "say.json"
    try:
        sentences = json.loads(Path(path).read_text(encoding="utf-8"))
        print(f"CASHIER: {sentences[error.action]}")
    except (OSError, ValueError, KeyError) as problem:
        print(f"no sentence for the cashier: {problem!r}")


def left(end: float) -> float:
    return max(end - time.monotonic(), 0.1)


def limit(end: float, part: int = 1) -> float:
    """The limit of one call, which may take this part of the time that is left."""
    return min(left(end) / part, 600.0)  # as much as it may be


def verdict(order: Dict[str, str], status: payorder.Status) -> int:
    """Compares the service's words with this till's own order id and amount."""
    # A counter that began again at 1 meets old orders. For a till that starts again a day after the
    # payment, a person decides.
    expected = payorder.ExpectedPayment(order["orderId"], order["amount"], not_before=STARTED)
    payment = payorder.verify_payment(expected, status)
    if payment.paid:
        print("PAID")
        return PAID
    if status.money_moved:
        print("CHECK: money moved, not as expected: show the order to a person")
    for reason in payment.reasons:
        print(f"  {reason.check}: expected {reason.expected}, got {reason.actual}")
    # Otherwise it can still be paid, also after Failed.
    print("OPEN")
    return OPEN


if __name__ == "__main__":
    sys.exit(main())

"""A till on the command line. It asks for an amount, sells, and is never wrong about money.

    python till.py

Its settings come from the environment; see README.md. The journal keeps every order, so after a
crash or a power cut the next start asks for the orders that are not finished. A file of its own says
which are: a status in the journal does not say that the till has verified the payment.
"""

from __future__ import annotations

import os
import secrets
import sys
import time
from typing import List, Sequence, Set

import payorder

JOURNAL = "till-orders.sqlite"
#: The ids of finished orders, one on each line: paid and verified, or seen by a person.
FINISHED = os.environ.get("TILL_FINISHED", "till-finished.txt")
#: How long the till waits for a customer, in seconds.
WAIT = float(os.environ.get("TILL_WAIT", "300"))
HELP = (
    "type an amount and what is sold (249.50 two coffees), or: list, settle, done, quit"
)


def main() -> int:
    settings = payorder.Config(user_agent="till")
    if not os.environ.get("PAYORDER_JOURNAL"):
        settings["journal"] = JOURNAL
    try:
        client = payorder.Client.from_env(**settings)
    except payorder.NotSentError as error:
        print(f"the till cannot start: {error}", file=sys.stderr)
        return 1
    with client:
        try:
            settle(client)
            while True:
                line = input(f"\n{HELP}\n> ").strip()
                if line == "quit":
                    return 0
                do(client, line)
        except payorder.OrderInterrupted as stop:
            # Ctrl-C while an order was being created: this is its only URL.
            print(f"\ninterrupted: {stop}")
            return 130
        except (EOFError, KeyboardInterrupt):
            print()
            return 0


def do(client: payorder.Client, line: str) -> None:
    """One line of the cashier."""
    if line == "settle":
        settle(client)
    elif line.startswith("done "):
        finish(line[5:].strip())
    elif line == "list":
        try:
            for entry in client.journal.list():
                print(describe(entry))
        except payorder.NotSentError as error:
            print(f"the journal cannot be read: {error}")
    elif line:
        amount, _, sold = line.partition(" ")
        sell(client, amount, sold or "goods")


def settle(client: payorder.Client) -> None:
    """Says what became known about every order that is not finished, for example after a crash."""
    try:
        done = finished()
        orders = [one for one in client.journal.list() if may_be_paid(one, done)]
        if not orders:
            return
        print(f"asking for {len(orders)} open orders")
        # An order that is Completed in the journal is open for the till until it showed PAID.
        sales = [{"orderId": one.order_id, "amount": one.amount} for one in orders]
        recovered = client.recover(sales)
    except (payorder.PayorderError, OSError) as error:
        print(f"the open orders are not known: {error}")
        return
    for sale in recovered.sales:
        if sale.order_id not in done:
            report(sale)


def may_be_paid(entry: payorder.JournalEntry, done: Set[str]) -> bool:
    """Also a Completed order, if the power failed before the till showed PAID."""
    possible = entry.state in ("sending", "unknown", "created")
    return possible and entry.order_id not in done


def finished() -> Set[str]:
    if not os.path.exists(FINISHED):
        return set()
    with open(FINISHED, encoding="utf-8", errors="replace") as lines:
        return {line.strip() for line in lines}


def finish(order_id: str) -> None:
    """After the sale: if this fails, the next start asks for the order again."""
    try:
        with open(FINISHED, "a", encoding="utf-8", errors="replace") as file:
            file.write(order_id + "\n")
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        print(f"{order_id} is asked for again, {FINISHED} cannot be written: {error}")


def describe(entry: payorder.JournalEntry) -> str:
    words: List[str] = [entry.order_id, entry.amount, entry.state]
    words += [entry.transaction_status or "", entry.url or ""]
    return "  ".join(filter(None, words))


def sell(client: payorder.Client, amount: str, sold: str) -> None:
    # A new id for each sale. The journal has it before the order is sent.
    order_id = time.strftime("T%Y%m%d-%H%M%S-") + secrets.token_hex(3)
    try:
        checkout = client.create_order(
            amount=amount,
            merchant_txn_id=order_id,
            order_id=order_id,
            pay_mode="all",
            merchant_id=os.environ.get("TILL_MERCHANT", "M-1"),
            product_info=sold,
            customer_name="Walk-in customer",
            customer_mobile="9000000000",
            customer_email="till@example.com",
            redirection_url="https://shop.example/return",
            currency_code="INR",
            timeout=20,
        )
    except (payorder.NotSentError, ValueError) as error:
        # ValueError: a text that is not UTF-8.
        print(f"NOT SENT, you may try again: {error}")
        return
    except payorder.RejectedError as error:
        print(f"REFUSED: {error}")
        return
    except payorder.OutcomeUnknownError as error:
        # A second order could charge the customer twice.
        print(f"OPEN: {order_id} may exist. Do not sell again before it is settled.")
        print(f"  {error}")
        settle(client)
        return
    print(f"order {order_id}: the customer pays at\n  {checkout.url}")
    wait(client, order_id, amount)


def wait(client: payorder.Client, order_id: str, amount: str) -> None:
    print(f"waiting for the payment, at most {WAIT:g} s; Ctrl-C stops waiting")
    try:
        # Only "Completed" ends it: after "Failed" the customer can try again on the same page.
        waited = client.wait_for_payment(order_id=order_id, wait=WAIT, interval=1)
    except KeyboardInterrupt:
        print(f"\nOPEN: {order_id} can still be paid; type settle to ask again")
        return
    except payorder.PayorderError as error:
        print(f"OPEN: {order_id}: {error}")
        return
    status = waited.status
    if status is None:
        print(f"OPEN: {order_id}: {waited.error}")
        return
    # The amount is the till's own, not the service's.
    expected = payorder.ExpectedPayment(order_id, amount)
    payment = payorder.verify_payment(expected, status)
    if payment.paid:
        paid(order_id, amount)
    elif status.completed or status.refund_status or status.refund_type:
        check(order_id, amount, payment.reasons)
    else:
        not_paid(order_id, amount)


def report(sale: payorder.RecoveredSale) -> None:
    """Says what the library found out about an order."""
    amount = sale.amount or ""
    if sale.verdict == payorder.Verdict.PAID:
        paid(sale.order_id, amount)
    elif sale.verdict == payorder.Verdict.CHECK:
        check(sale.order_id, amount, sale.reasons)
    elif sale.verdict in (payorder.Verdict.PAYABLE, payorder.Verdict.URL_LOST):
        not_paid(sale.order_id, amount)
        if sale.url:
            print(f"  the customer can still pay at {sale.url}")
    else:
        # Also a verdict of a newer library: never sell again without a person.
        verdict = sale.verdict.replace("_", " ")
        print(f"OPEN: {sale.order_id}, {amount}: {verdict}")


def paid(order_id: str, amount: str) -> None:
    print(f"PAID: {order_id}, {amount}")
    finish(order_id)


def check(order_id: str, amount: str, reasons: Sequence[payorder.FailedCheck]) -> None:
    print(f"CHECK: {order_id}, {amount}: money moved, not as expected")
    print(f"  Do not sell again. After a person has seen it: done {order_id}")
    for reason in reasons:
        print(f"  {reason.check}: expected {reason.expected}, got {reason.actual}")


def not_paid(order_id: str, amount: str) -> None:
    print(f"OPEN, not paid yet: {order_id}, {amount}; hand nothing over")


if __name__ == "__main__":
    sys.exit(main())

"""A web shop with Flask: an order, the return of the customer, and the verified payment.

    gunicorn --worker-class gthread --workers 4 --threads 8 shop:app

Its settings come from the environment; see README.md. All workers share one database and one
journal, so a second click, a reload or another worker never makes a second order.
"""

from __future__ import annotations

import os
import re
import secrets
import sqlite3
import threading
from contextlib import closing
from typing import Dict, Optional, Tuple, Union

import payorder
from flask import Flask, abort, redirect, render_template_string, request
from werkzeug.wrappers import Response

Page = Union[str, Tuple[str, int], Response]

app = Flask(__name__)
#: The shop's address, for the return URL. Not the `Host` of the request, which anybody can send.
SHOP_URL = os.environ.get("SHOP_URL", "http://127.0.0.1:8000")
DATABASE = os.environ.get("SHOP_DATABASE", "shop.sqlite")
#: What the shop sells. Prices come from here, never from the browser.
PRODUCTS: Dict[str, Tuple[str, str]] = {
    "coffee": ("Two coffees", "249.50"),
    "tea": ("A pot of tea", "100.00"),
}

_lock = threading.Lock()
_client: Optional[payorder.Client] = None


def client() -> payorder.Client:
    """This worker's client, made at its first request, which is after gunicorn's fork."""
    global _client
    with _lock:
        if _client is None:
            settings = payorder.Config(timeout=15)
            if not os.environ.get("PAYORDER_JOURNAL"):
                settings["journal"] = "shop-orders.sqlite"
            _client = payorder.Client.from_env(**settings)
        return _client


def database() -> "closing[sqlite3.Connection]":
    connection = sqlite3.connect(DATABASE, timeout=10, isolation_level=None)
    connection.execute(
        "create table if not exists orders (order_id text primary key,"
        " product text not null, amount text not null,"
        " began text not null default (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),"
        # Then "sent", "paid", or "check": a person decides.
        " state text not null default 'new')"
    )
    return closing(connection)


def change(order_id: str, before: str, after: str) -> bool:
    """Changes an order's state. Of several requests at once, only one does it."""
    with database() as shop:
        changed = shop.execute(
            "update orders set state = ? where order_id = ? and state = ?",
            (after, order_id, before),
        )
        return changed.rowcount == 1


@app.get("/")
def products() -> Page:
    # The id is in the form: a second click on the same page is the same order.
    ids = {key: f"S-{secrets.token_hex(8)}" for key in PRODUCTS}
    return render_template_string(PRODUCTS_PAGE, products=PRODUCTS, ids=ids)


@app.post("/buy")
def buy() -> Page:
    order_id = request.form.get("order_id", "")
    product = request.form.get("product", "")
    if product not in PRODUCTS or not valid(order_id):
        abort(400)
    name, amount = PRODUCTS[product]
    with database() as shop:
        # Before the order is sent. A reload finds this row, and its price.
        shop.execute(
            "insert or ignore into orders (order_id, product, amount) values (?, ?, ?)",
            (order_id, product, amount),
        )
        row = shop.execute(
            "select product, amount, state from orders where order_id = ?", (order_id,)
        ).fetchone()
    if row[0] != product:
        abort(400)
    if row[2] in ("paid", "check"):
        return redirect(f"/return/{order_id}", 303)
    try:
        checkout = client().create_order(
            amount=row[1],
            merchant_txn_id=order_id,
            order_id=order_id,
            pay_mode="all",
            merchant_id=os.environ.get("SHOP_MERCHANT", "M-1"),
            product_info=name,
            customer_name="Asha Rao",
            customer_mobile="9000000000",
            customer_email="asha@example.com",
            redirection_url=f"{SHOP_URL}/return/{order_id}",
            currency_code="INR",
        )
    except payorder.OutcomeUnknownError as error:
        # No second order. After a second click, maybe in another worker, it is a duplicate.
        if error.action not in ("ask_status", "use_previous"):
            # It may be another sale's, also if it is paid.
            app.logger.error("order %s, for a person: %s", order_id, error)
            for state in ("new", "sent"):
                change(order_id, state, "check")
            return message("Please ask us about this order.", order_id), 409
        if error.cause != "order_being_sent":
            change(order_id, "new", "sent")
        if error.previous and error.previous.url:
            return redirect(error.previous.url, 303)
        return checking(order_id)
    except payorder.RejectedError as error:
        app.logger.warning("order %s refused: %s", order_id, error)
        return message("The payment service refused the order.", order_id), 502
    except payorder.NotSentError as error:
        # Nothing was sent, so the same form may be sent again.
        app.logger.error("order %s not sent: %s", order_id, error)
        return message("Payment is not available. Please try again.", order_id), 503
    change(order_id, "new", "sent")
    return redirect(checkout.url, 303)


@app.get("/return/<order_id>")
def came_back(order_id: str) -> Page:
    """The customer is back. The URL proves nothing, so the shop asks by its own order id."""
    with database() as shop:
        row = shop.execute(
            "select amount, began, state from orders where order_id = ?", (order_id,)
        ).fetchone()
    if row is None:
        abort(404)
    amount, began, state = row
    if state in ("new", "check"):
        return checking(order_id)
    if state == "sent":
        expected = {"orderId": order_id, "amount": amount, "notBefore": began}
        try:
            status = client().get_status(order_id=order_id, timeout=10)
            verdict = payorder.verify_payment(expected, status)
        except payorder.PayorderError as error:
            app.logger.warning("no status of order %s: %s", order_id, error)
            return checking(order_id)
        if not verdict:
            checks = ", ".join(reason.check for reason in verdict.reasons)
            if status.money_moved:
                # Money moved. "Not paid" would make the customer pay again.
                app.logger.error("order %s, for a person: wrong %s", order_id, checks)
                return checking(order_id)
            app.logger.info("order %s is not paid: %s", order_id, checks)
            return message("Not paid yet.", order_id), 402
        if change(order_id, "sent", "paid"):
            app.logger.warning("order %s is paid: deliver it", order_id)
    return message(f"Paid: {amount}. Thank you!", order_id)


def valid(order_id: str) -> bool:
    return re.fullmatch("S-[0-9a-f]{16}", order_id) is not None


def checking(order_id: str) -> Page:
    return message("We are checking your payment.", order_id), 202


def message(text: str, order_id: str) -> str:
    return render_template_string(MESSAGE_PAGE, text=text, order_id=order_id)


PRODUCTS_PAGE = """<!doctype html><title>Shop</title>
{% for key, (name, price) in products.items() %}
<form method="post" action="/buy">{{ name }}, {{ price }}
<input type="hidden" name="product" value="{{ key }}">
<input type="hidden" name="order_id" value="{{ ids[key] }}">
<button>Pay</button></form>
{% endfor %}"""

MESSAGE_PAGE = """<!doctype html><title>Order {{ order_id }}</title>
<p>{{ text }}</p><p>Order {{ order_id }}</p>
<p><a href="/return/{{ order_id }}">Check again</a></p>"""

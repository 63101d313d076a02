"""Cases for amounts, with the answers of Python's `decimal`."""

import json
import re
from decimal import Decimal

from random_texts import INVALID_REQUEST, OK, rng, some

AMOUNT = re.compile(r"[0-9]+(\.[0-9]+)?", re.ASCII)
# Texts that Python reads as numbers, or people as amounts, and that the interface refuses.
NO_AMOUNTS = [
    "+1",
    "-1",
    "1e3",
    "1E+2",
    " 1",
    "1 ",
    "1_000",
    "1,000.00",
    "1.",
    ".5",
    "NaN",
    "Infinity",
    "\u0661\u0662",
    "1.2.3",
    "0x1",
    "\uff11",
    "1\n",
    "--1",
    ".",
]


def decimal(text):
    return Decimal(text) if AMOUNT.fullmatch(text) else None


def amount():
    if rng.random() < 0.1:
        return rng.choice(NO_AMOUNTS)
    whole = some(
        "0" if rng.random() < 0.2 else "0123456789", 1, rng.choice([1, 3, 9, 40])
    )
    fraction = (
        "."
        + some(
            "0" if rng.random() < 0.3 else "0123456789", 1, rng.choice([1, 2, 2, 30])
        )
        if rng.random() < 0.7
        else ""
    )
    return whole + fraction


def near(text):
    """The same number with other digits, or a number close to it."""
    number = decimal(text)
    choice = rng.random()
    if number is None or choice < 0.2:
        return amount()
    if choice < 0.4:
        return "0" * rng.randint(0, 3) + text
    if choice < 0.6:
        return text + ("" if "." in text else ".") + "0" * rng.randint(1, 3)
    if choice < 0.7 and "." in text:
        return text.rstrip("0") + "0"
    place = rng.randrange(len(text))
    return text[:place] + rng.choice("0123456789") + text[place + 1 :]


def verify():
    expected = amount()
    actual = near(expected)
    status = {
        "responseCode": "200",
        "data": {"orderId": "O-1", "transactionStatus": "Completed", "amount": actual},
    }
    texts = [json.dumps({"orderId": "O-1", "amount": expected}), json.dumps(status)]
    wanted, found = decimal(expected), decimal(actual)
    if wanted is None:
        return "verify", texts, INVALID_REQUEST, None
    return (
        "verify",
        texts,
        OK,
        "paid" if found is not None and wanted == found else "not paid",
    )


def build():
    text = amount()
    order = {
        "amount": text,
        "merchantTxnId": "T-1",
        "orderId": "O-1",
        "payMode": "all",
        "merchantId": "M-1",
        "productInfo": "Coffee",
        "customerName": "Asha",
        "customerMobile": "9000000000",
        "customerEmail": "asha@example.com",
        "redirectionURL": "https://shop.example/r",
        "currencyCode": "INR",
    }
    number = decimal(text)
    if number is None or number < 1:
        return "build", [json.dumps(order)], INVALID_REQUEST, None
    # The complete body, so the amount must be unchanged.
    return "build", [json.dumps(order)], OK, json.dumps(order, separators=(",", ":"))

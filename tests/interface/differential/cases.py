"""Cases for differential.rs, with the answers of Python's `decimal`, `urllib.parse` and `json`.

Run as `cases.py SEED COUNT`. Writes one JSON array per line: the call, its texts, the result, and
the answer, which is null if there is none.
"""

import json
import random
import re
import sys
from decimal import Decimal
from unicodedata import category
from urllib.parse import parse_qsl

OK, INVALID_REQUEST = 0, 4
rng = random.Random(int(sys.argv[1]))


def some(pieces, most):
    return "".join(rng.choice(pieces) for _ in range(rng.randint(0, most)))


def decimal(text):
    return Decimal(text) if re.fullmatch(r"[0-9]+(\.[0-9]+)?", text) else None


def amount():
    """Mostly an amount, with zeros at both ends."""
    digits, zeros = ["0", "1", "9"], ["", "", "0", "00"]
    text = rng.choice(zeros) + some(digits, 3) + rng.choice(["1", "1.0", ".", "5."])
    odd = ["+", "-", "e3", " ", "_0", ",", ".", "\u0661", "\n"]
    return text + some(digits, 2) + rng.choice(zeros * 8 + odd)


def verify():
    expected, actual = amount(), amount()
    if rng.random() < 0.5:
        actual = "0" + expected + ("0" if "." in expected else ".0")
    data = {"orderId": "O-1", "transactionStatus": "Completed", "amount": actual}
    texts = [
        json.dumps({"orderId": "O-1", "amount": expected}),
        json.dumps({"responseCode": "200", "data": data}),
    ]
    if decimal(expected) is None:
        return "verify", texts, INVALID_REQUEST, None
    return "verify", texts, OK, decimal(expected) == decimal(actual)


def return_url():
    """A return URL with any number of transactions."""
    names = ["txn"] * 9 + ["%74xn", "TXN", "txn ", "+txn", "a", "", "%C3"]
    pieces = ["T-1", "a", "+", "%20", "%26", "%C3%A9", "é", "%", "%4", "%zz", ";", "="]
    unclean = ["%C3", "%ff", "%ed%a0%80", "%00", "%0A", "%7F", "%C2%85", "\x01", "\u0085"]

    def pair():
        value = some(pieces, 4) + (rng.choice(unclean) if rng.random() < 0.1 else "")
        return rng.choice(names) + rng.choice(["=", "=", "=", ""]) + value

    parts = [pair() for _ in range(rng.choice([0, 1, 1, 1, 2, 3]))]
    query = rng.choice(["&", "&", "?", ";"]).join(parts)
    before = rng.choice(["https://shop.example/r", "/r", "", "mypos://done", "txn=1"])
    url = before + rng.choice(["?"] * 7 + ["&", ""]) + query
    url += rng.choice(["", "", "#f", "#?txn=F", "#&txn=G"])
    # Split by hand: urlsplit would remove control characters first, which must be refused.
    query = url.partition("#")[0].partition("?")[2].replace("?", "&")
    found = parse_qsl(query, True, errors="surrogateescape", separator="&")
    ids = [text for name, text in found if name == "txn"]
    is_one = len(ids) == 1 and ids[0].strip()
    if is_one and not any(category(letter) in ("Cc", "Cs") for letter in ids[0]):
        return "return_url", [url], OK, ids[0]
    return "return_url", [url], INVALID_REQUEST, None


def text():
    letters = ["a", "/", "~", "~1", "0", "01", "-", " ", "é", "\u2028", "\U0001f600"]
    return some(letters + ['"', "\\", "\n", "\x01", "\x7f", "\ufeff"], 5)


def json_get():
    """A document, and the pointer to one of its texts or numbers."""
    value = rng.choice([text(), rng.randint(-(10**30), 10**30), rng.random()])
    document, pointer = value, ""
    for _ in range(rng.randint(0, 4)):
        if rng.random() < 0.4:
            before = [None] * rng.randint(0, 2)
            document, key = before + [document, {}], str(len(before))
        else:
            key = text()
            document = {key + "x": [1], key: document, "": 0} if key else {"": document}
        pointer = "/" + key.replace("~", "~0").replace("/", "~1") + pointer
    escaped, indent = rng.choice([True, False]), rng.choice([None, 1])
    document = json.dumps(document, ensure_ascii=escaped, indent=indent)
    answer = value if isinstance(value, str) else json.dumps(value)
    if rng.random() < 0.1:
        return "json_get", [document, pointer + "/none"], INVALID_REQUEST, None
    return "json_get", [document, pointer], OK, answer


for _ in range(int(sys.argv[2])):
    for case in (verify, return_url, json_get):
        print(json.dumps(case()))

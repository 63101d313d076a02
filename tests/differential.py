"""Cases for differential.rs, with Python's answers: `decimal` for amounts, `urllib.parse` for
return URLs, `json` for JSON.

Run as `differential.py SEED COUNT`. Writes one JSON object per line: {"call", "texts", "result",
"answer"}. The answer is null if there is none.
"""

import json
import random
import re
import sys
from decimal import Decimal
from unicodedata import category
from urllib.parse import parse_qsl

OK, INVALID_ARGUMENT, INVALID_REQUEST = 0, 1, 4

rng = random.Random()


def some(pieces, least, most):
    return "".join(rng.choice(pieces) for _ in range(rng.randint(least, most)))


# Amounts

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


# Return URLs

URL_PIECES = [
    "T-1",
    "a",
    "0",
    "+",
    "%20",
    "%2B",
    "%26",
    "%3D",
    "%3F",
    "%23",
    "%C3%A9",
    "é",
    "\U0001f600",
    "%e2%82%ac",
    "%",
    "%4",
    "%zz",
    ";",
    "/",
    ":",
    "=",
    "~",
    "'",
]
# Not UTF-8, or a control character, once decoded.
UNCLEAN_PIECES = [
    "%C3",
    "%ff",
    "%ed%a0%80",
    "%00",
    "%0A",
    "%7f",
    "%C2%85",
    "\x01",
    "\n",
    "\t",
    "\x7f",
    "\u0085",
]
NAMES = ["txn"] * 6 + [
    "%74xn",
    "t%78n",
    "TXN",
    "Txn",
    "txn%20",
    "txn ",
    "+txn",
    "amp;txn",
    "txnId",
    "",
    "a",
    "%C3",
    "%ff=txn",
]


def value():
    text = some(URL_PIECES, 0, 4)
    return text + rng.choice(UNCLEAN_PIECES) if rng.random() < 0.1 else text


def return_url():
    before = rng.choice(
        [
            "https://shop.example/r",
            "/return",
            "",
            "mypos://done",
            "https://u:p@h:1/a;b=c",
            "http://[::1]/",
            "txn=1",
            "//h/txn=2",
        ]
    )
    pairs = [
        rng.choice(NAMES) + rng.choice(["=", "=", "=", "=", ""]) + value()
        for _ in range(rng.choice([0, 1, 1, 1, 2, 3]))
    ]
    others = [
        rng.choice(["a=b", "x", "", "status=ok", "e=%ff", "=", "&"])
        for _ in range(rng.randint(0, 2))
    ]
    parts = pairs + others
    rng.shuffle(parts)
    query = rng.choice(["?", "?", "?", "?", "&", ""])
    for index, part in enumerate(parts):
        query += ("" if index == 0 else rng.choice(["&", "&", "&", "?", ";"])) + part
    url = before + query + rng.choice(["", "", "", "#f", "#?txn=F", "#", "#&txn=G"])

    # Split by hand: urlsplit would remove control characters first, which must be refused.
    query = url.partition("#")[0].partition("?")[2].replace("?", "&")
    found = parse_qsl(
        query, keep_blank_values=True, errors="surrogateescape", separator="&"
    )
    ids = [text for name, text in found if name == "txn"]
    clean = (
        len(ids) == 1
        and ids[0].strip()
        and not any(category(letter) in ("Cc", "Cs") for letter in ids[0])
    )
    return (
        "return_url",
        [url],
        OK if clean else INVALID_REQUEST,
        ids[0] if clean else None,
    )


# JSON

LETTERS = [
    "a",
    "b",
    "/",
    "~",
    "~1",
    "0",
    "1",
    "01",
    "-",
    " ",
    "é",
    "\u2028",
    "\U0001f600",
    '"',
    "\\",
    "\n",
    "\t",
    "\x01",
    "\x1f",
    "\x7f",
    "\b",
    "\ufeff",
]
NUMBERS = [
    "0",
    "-0",
    "1",
    "-1",
    "1.50",
    "1e3",
    "1E-400",
    "1e999",
    "123456789012345678901234567890",
    "0.1000000000000000055511151231257827",
    "9007199254740993",
]
NO_JSON = [
    "",
    " ",
    "NaN",
    "-Infinity",
    "01",
    "+1",
    "1.",
    ".5",
    "'a'",
    "{a:1}",
    '{"a":1,}',
    "[1,]",
    "[1 2]",
    '"\t"',
    '"\\x"',
    '"\\u12"',
    "tru",
    '"a',
    "[",
    "{}x",
    "\ufeff1",
    "\u00a01",
    "/**/1",
    "-",
    "1e",
]
BLANKS = ["", "", "", " ", "\n", "\t \r\n"]
WHITESPACE = re.compile(r"[ \t\n\r]*", re.ASCII)
HALF = re.compile("[\ud800-\udfff]")


def quoted(text):
    """A string in quotes, with randomly escaped letters, and sometimes half of a surrogate pair."""
    letters = [
        json.dumps(letter, ensure_ascii=rng.random() < 0.5)[1:-1] for letter in text
    ]
    if rng.random() < 0.03:
        letters.append(
            rng.choice(
                ["\\ud83d", "\\ude00", "\\ude00\\ud83d", "\\ud83dx", "\\u0000", "\\/"]
            )
        )
    return '"' + "".join(letters) + '"'


def document(depth):
    blank = rng.choice(BLANKS)
    kind = rng.random()
    if depth == 0 or kind < 0.3:
        text = rng.choice(
            [quoted(some(LETTERS, 0, 5)), rng.choice(NUMBERS), "true", "false", "null"]
        )
    elif kind < 0.7:
        text = (
            "{"
            + ",".join(
                blank + quoted(some(LETTERS, 0, 2)) + blank + ":" + document(depth - 1)
                for _ in range(rng.randint(0, 4))
            )
            + "}"
        )
    else:
        text = (
            "["
            + ",".join(document(depth - 1) for _ in range(rng.randint(0, 4)))
            + blank
            + "]"
        )
    return blank + text + blank


def refuse(constant):
    raise ValueError(constant + " is not JSON")


# Numbers stay text, so that they are compared as they are written.
DECODER = json.JSONDecoder(parse_float=str, parse_int=str, parse_constant=refuse)


class Refused(Exception):
    pass


def skip(text, at):
    return WHITESPACE.match(text, at).end()


def children(text):
    """The members of an array or an object: each key or index, and the text of its value."""
    at = skip(text, 1)
    found = []
    while text[at] not in "]}":
        key = str(len(found))
        if text[0] == "{":
            key, at = DECODER.raw_decode(text, at)
            at = skip(text, skip(text, at) + 1)
            if HALF.search(key):
                # A C string cannot contain half of a surrogate pair, so such a key is refused.
                raise Refused
        _, end = DECODER.raw_decode(text, at)
        found.append((key, text[at:end]))
        at = skip(text, end)
        if text[at] == ",":
            at = skip(text, at + 1)
    return found


def json_get():
    text = rng.choice(NO_JSON) if rng.random() < 0.05 else document(rng.randint(0, 4))
    if rng.random() < 0.05 and text:
        place = rng.randrange(len(text))
        text = (
            text[:place]
            + rng.choice(["", ",", '"', "}", "1", "\\"])
            + text[place + 1 :]
        )
    pointer, result, answer = walk(text)
    return "json_get", [text, pointer], result, answer


def walk(text):
    """Chooses a pointer, mostly one that exists. Returns it, and the value that Python finds."""
    pointer = ""
    rest = text.strip(" \t\n\r")
    try:
        DECODER.decode(text)
        while rest[0] in "[{" and rng.random() < 0.85:
            within = children(rest)
            # A pointer is a C string, so it cannot name a key that contains U+0000.
            within_reach = [key for key, _ in within if "\0" not in key]
            if not within_reach or rng.random() < 0.1:
                token = rng.choice(
                    [
                        "-",
                        "00",
                        "+0",
                        "1",
                        "a",
                        "",
                        "99999999999999999999",
                        "\u0661",
                        " 0",
                    ]
                )
            else:
                token = rng.choice(within_reach)
            pointer += "/" + token.replace("~", "~0").replace("/", "~1")
            named = [raw for key, raw in within if key == token]
            if not named:
                return pointer, INVALID_REQUEST, None
            if len(named) > 1:
                return pointer, INVALID_ARGUMENT, None
            rest = named[0]
        if rest[0] != '"':
            if rng.random() < 0.05:
                broken = (
                    rng.choice(["/~", "/~2", "/a~"])
                    if rest[0] in "[{"
                    else "a" + pointer
                )
                return (
                    (pointer + broken if broken[0] == "/" else broken),
                    INVALID_ARGUMENT,
                    None,
                )
            if rest == "null":
                return pointer, INVALID_REQUEST, None
            return pointer, OK, rest
        string = DECODER.decode(rest)
    except ValueError:
        return pointer, INVALID_ARGUMENT, None
    except Refused:
        return pointer + "/a", INVALID_ARGUMENT, None
    if HALF.search(string):
        return pointer, INVALID_ARGUMENT, None
    return (
        pointer,
        (INVALID_REQUEST if "\0" in string else OK),
        (None if "\0" in string else string),
    )


def json_object():
    texts = [
        some(LETTERS + ["key", "x\x02"], 0, 4) for _ in range(2 * rng.randint(0, 5))
    ]
    if rng.random() < 0.1:
        texts.append("odd")
    keys = texts[::2]
    if len(texts) % 2 or len(set(keys)) < len(keys):
        return "json_object", texts, INVALID_ARGUMENT, None
    return "json_object", texts, OK, dict(zip(keys, texts[1::2]))


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    rng.seed(seed)
    for _ in range(count):
        for case in (verify, build, return_url, json_get, json_object):
            call, texts, result, answer = case()
            print(
                json.dumps(
                    {"call": call, "texts": texts, "result": result, "answer": answer}
                )
            )


if __name__ == "__main__":
    main()

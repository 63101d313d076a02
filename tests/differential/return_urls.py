"""Cases for return URLs, with the answers of Python's `urllib.parse`."""

from unicodedata import category
from urllib.parse import parse_qsl

from random_texts import INVALID_REQUEST, OK, rng, some

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

"""Cases for JSON, with the answers of Python's `json`."""

import json
import re

from random_texts import INVALID_ARGUMENT, INVALID_REQUEST, OK, rng, some

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

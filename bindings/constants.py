#!/usr/bin/env python3
"""Writes the constants of the language packages, from include/payorder-abi.json.

    bindings/constants.py [LANGUAGE...]    writes the files
    bindings/constants.py --check          fails if a committed file is not current

A package that has constants has a file `constants.py` in its folder:

    FILE = "src/constants.go"        the file to write, in the package's folder
    def text(abi): ...               its text, from the description in payorder-abi.json

or, for several files, `FILES`, which maps each file to the function that gives its text, or a
function `files`, which gives all texts by the file. With `COMMITTED = False` they are not in the
repository: the package's scripts write them before they compile.

Lists that a package writes by hand, with a text for each value, must have every value that the
description has (`BY_HAND`).

The description has more entries for the packages:

- `errorClasses`, each with `class` (such as `InvalidArgument`), `parent`, `number` and `meaning`;
- `wireNames`, the names of keys that a language writes in its own way;
- `usualCauses`, a cause and an action for each result, for errors that a program's own tests make,
  and `duplicateCauses`, for a duplicate by the state of the journal's entry, and `url` for one with
  a URL;
- `words`, in each key of an object: its meaning in the words of a package;
- `getters`, the values of each class of results: `name`, `key`, `kind` (text, whole, number, time,
  instant, result or flag), whether it is `always` there, and its `meaning`. A value has the name of
  a list of values or of a `class` (list, query, summary) if it is not plain;
- `values`, the lists of `VALUES`, and `classes`, those of `CLASSES`;
- `settings`, the same of the configuration, of an order and of the options of calls. `group` is tls
  for the keys in that object; there are also texts, fields and numbers that are not whole (rate).
"""

import difflib
import json
import re
import runpy
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent

PARENTS = {"not_sent": "NotSent", "rejected": "Rejected", "unknown": "OutcomeUnknown"}
SHORTER = {
    "CONNECT_FAILED": "Connect",
    "TLS_FAILED": "Tls",
    "JOURNAL_FAILED": "Journal",
}
USUAL = {
    "INVALID_ARGUMENT": "invalid_value",
    "INVALID_HANDLE": "client_freed",
    "INVALID_CONFIG": "invalid_value",
    "CONNECT_FAILED": "connection_refused",
    "TLS_FAILED": "certificate_invalid",
    "JOURNAL_FAILED": "journal_unavailable",
    "INTERNAL": "bug",
    "CONNECTION_LOST": "connection_closed",
    "BAD_RESPONSE": "response_not_json",
    "INTERNAL_IN_FLIGHT": "bug",
    "DUPLICATE": "order_may_exist",
}
DUPLICATES = {
    "sending": "order_being_sent",
    "created": "order_already_sent",
    "settled": "order_settled",
}
#: A file, a key of an object in the description, and what its values look like in the file.
BY_HAND = [
    ("node/src/index.d.ts", "sale", "verdict", "| '{}'"),
    ("php/src/PayMode.php", "order", "payMode", "= '{}';"),
]
#: A class of results, and its object in the description.
RESULTS = {
    "JournalEntry": "entry",
    "Sale": "sale",
    "Summary": "summary",
    "Violation": "violation",
    "FailedCheck": "reason",
    "PayorderException": "errorDetails",
    "Waited": "waited",
    "Verification": "verdict",
    "Checkout": "checkout",
    "Resolved": "resolved",
    "Recovered": "recovered",
    "ReturnUrl": "returned",
}
#: The values of a key: what they are, its object and the key, and what each value means.
VALUES = {
    "Verdict": (
        "what is known of an open sale, and what to do. Show any other to a person",
        "sale",
        "verdict",
        {
            "paid": "paid: the cashier completes the sale; if it was paid in cash or sold again, a"
            " person decides",
            "check": "paid by or for somebody else, or not as expected (see the reasons): a person"
            " decides",
            "payable": "not paid: the customer can pay at the URL",
            "url_lost": "not paid, and its URL was lost: a person decides, and may sell again",
            "unknown": "it may exist: show it to a person, and ask again later",
            "sending": "another process is sending it, or was killed while it did: ask again",
            "refused": "refused, the service has no such order: sell again if the customer still"
            " wants it",
            "not_sent": "not sent, the service has no such order: sell again if the customer still"
            " wants it",
            "settled": "a person closed it: do nothing, and show no URL",
            "not_in_journal": "not known: sell again, if this journal was in use, and not restored"
            " or pruned since; otherwise a person decides",
        },
    ),
    "State": (
        "what is known about the order of an entry",
        "entry",
        "state",
        {
            "sending": "a process is sending it",
            "created": "the service has it",
            "rejected": "the service refused it",
            "not_sent": "nothing was sent",
            "unknown": "it may exist",
            "settled": "a person closed it",
        },
    ),
    "Check": (
        "what is compared",
        "reason",
        "check",
        {
            "responseCode": "the service's own code",
            "transactionStatus": 'it must be "Completed"',
            "orderId": "the order",
            "transactionId": "the transaction",
            "amount": "the amount",
            "refundStatus": "it must be empty",
            "refundType": "it must be empty",
            "transactionDate": "it must not be long before the sale",
            "journal": "recovery: this journal must have sent the order",
            "orderExists": "recovery: the service must not have said that the order exists already",
            "entryAmount": "recovery: the amount of the sale's entry",
        },
    ),
    "PayMode": (
        "how the customer may pay",
        "order",
        "payMode",
        {
            "all": "in any way",
            "cc": "credit card",
            "dc": "debit card",
            "upi": "UPI",
            "nb": "net banking",
        },
    ),
}
#: Classes of results that C# and Java have from here alone: what each is, what a program's test
#: gives to fromJson, and what is printed of it: the values of keys, or else its JSON.
CLASSES = {
    "Checkout": (
        "a created order: send the customer to its URL",
        "the service's response",
        ["url"],
    ),
    "FailedCheck": ("a check that failed", None, "{check}: expected {expected}, got {actual}"),
    "JournalEntry": (
        "one sending of one order. What is not known is null",
        "the keys of its JSON that the test needs",
        None,
    ),
    "LogEvent": (
        "an event of a call. It has no credential and no personal data. What it lacks is null",
        None,
        None,
    ),
    "Recovered": (
        "every open sale, with its verdict",
        "sales, each with orderId, verdict, amount and what else it has, and perhaps summary and"
        " otherServices",
        ["sales", "otherServices"],
    ),
    "Resolved": (
        "the entries that are still unresolved",
        "entries, and perhaps summary",
        ["entries"],
    ),
    "ReturnUrl": (
        "the transaction that a return URL names. It does not prove a payment",
        None,
        ["transactionId"],
    ),
    "Sale": ("what is known of one open sale. What is not known is null", None, None),
    "Status": (
        "what the service knows about an order. It does not prove a payment: give it to"
        " payorder_verify_payment. Texts are as the service sent them, and empty if it sent none",
        "the service's response. The date needs what the library adds to it:"
        ' "derived":{"transactionDate":"2026-11-21T14:05:06"}',
        ["orderId", "transactionId", "amount", "transactionStatus"],
    ),
    "Summary": (
        "how many queries had which result",
        "the keys of its JSON that the test needs",
        None,
    ),
    "Verification": ("whether an order is paid", None, ["paid", "reasons"]),
    "Waited": (
        "the result of waiting for a payment",
        "final, timedOut, polls, status (the service's response) and error, which has at least"
        " result. The end of a wait has a status, an error, or both",
        ["final", "status", "error"],
    ),
    # The message has no value of the field.
    "Violation": ("a field that breaks a rule of the service's interface", None, "{message}"),
}
#: The keys of log events, which the description has without a meaning.
EVENT = {
    "event": "attempt_started, attempt_failed, attempt_finished, call_finished or journal_failed",
    "operation": "the call, such as create_order",
    "orderId": "your identifier of the order",
    "transactionId": "the service's identifier of the transaction",
    "attempt": "the number of the attempt, from 1",
    "elapsedMs": "the time since the start of the call",
    "host": "the service's host and port",
    "result": "how the call or the attempt ended",
    "name": "the result's name, such as PAYORDER_TIMEOUT",
    "cause": "what exactly happened: one of the causes",
    "httpStatus": "the HTTP status of the response",
    "transactionStatus": "the status that the service sent",
    "warning": "what an operator should know about the client, such as that it has no journal",
}
#: Values that the packages convert in ways of their own.
CONVERTED = {
    "PayorderException": ("result", "name", "outcome", "cause", "action", "message"),
    "JournalEntry": ("events",),
    "Sale": ("statusQuery",),
}
KINDS = {
    "entry": "number",
    "after": "number",
    "result": "result",
    "startedAt": "instant",
    "deadline": "instant",
    "updatedAt": "instant",
}
#: The options of a call, and those of which it has all.
OPTIONS_OF = {
    "CallOptions": ("get_status", None),
    "OrderOptions": ("create_order", "CallOptions"),
    "WaitOptions": ("wait_for_payment", "CallOptions"),
    "BatchOptions": ("get_statuses", "CallOptions"),
    "RecoverOptions": ("recover", "BatchOptions"),
    "ListOptions": ("journal_list", None),
}
#: What a program must know of an option, in addition.
REMARKS = {
    "final": "; the customer may still be able to pay: this stops the wait, and not the order",
    "accessToken": ", for Create Order",
    "clientKey": ", for Get Status",
    "clientId": ", for Get Status",
    "secretKey": ", for Get Status",
}
OPTIONS = "extraFields intervalMs maxIntervalMs olderThanDays ratePerSecond waitMs".split()


def error_classes(abi):
    for one in abi["results"]:
        name = one["name"][len("PAYORDER_") :]
        if name not in ("OK", "REJECTED"):
            yield {
                "class": SHORTER.get(name, name.title().replace("_", "")),
                "parent": PARENTS[one["outcome"]],
                "number": one["number"],
                "meaning": one["meaning"],
            }


def usual_causes(abi):
    """After an unknown outcome, the action of Create Order: the order may exist."""
    causes = {cause["name"]: cause for cause in abi["causes"]}
    for one in abi["results"][1:]:
        possible = [name for name in causes if one["number"] in causes[name]["results"]]
        name = USUAL.get(one["name"][len("PAYORDER_") :], possible[0])
        assert name in possible, one
        action = causes[name]["action"]
        for exception in causes[name]["exceptions"]:
            if exception["when"] == f"after {one['name']}":
                action = exception["action"]
        yield (
            one["number"],
            (name, "ask_status" if one["outcome"] == "unknown" else action),
        )


def duplicate_causes(abi):
    actions = {cause["name"]: cause["action"] for cause in abi["causes"]}
    causes = {state: (cause, actions[cause]) for state, cause in DUPLICATES.items()}
    return {**causes, "url": causes["created"], "created": (DUPLICATES["created"], "ask_status")}


def event_keys(abi):
    """What the events have together."""
    keys = {one["key"]: one for event in abi["events"] for one in event["keys"]}
    for name, meaning in EVENT.items():
        always = all(
            any(one["key"] == name and one["always"] for one in event["keys"])
            for event in abi["events"]
        )
        yield {**keys[name], "always": always, "nullable": False, "meaning": meaning}


def getters(abi):
    made = {
        kind: [
            getter(one)
            for one in abi["objects"][name]["keys"]
            if (kind in CLASSES or one["type"] in ("string", "integer", "boolean"))
            and one["key"] not in CONVERTED.get(kind, ())
        ]
        for kind, name in RESULTS.items()
    }
    return {
        **made,
        "LogEvent": [getter(one) for one in event_keys(abi)],
        "Status": list(of_status(abi["objects"])),
    }


def of_status(objects):
    """The values of a status and of the objects in it, with their paths."""
    for path, name in (("", "status"), ("data/", "statusData"), ("derived/", "derived")):
        for one in objects[name]["keys"]:
            made = {**getter(one), "key": path + one["key"]}
            if path == "derived/":
                made["kind"] = {"completed": "completed", "transactionDate": "date"}[one["key"]]
                made["name"] = one["key"]
            elif one["type"] == "string":
                made["kind"] = "empty"
            else:
                continue
            yield made


TYPES = {"string": "text", "integer": "whole", "boolean": "flag", "array": "texts"}
TYPES.update(object="fields", number="rate")
#: The names of values that are not named after their key.
NAMES = {"data": "url", "transactionDate": "transactionDateText"}
#: Values that are not plain: the kind, and the class.
PARTS = {
    "status": ("status", "Status"),
    "error": ("error", "PayorderException"),
    "data": ("url", ""),
    "state": ("value", "State"),
    "verdict": ("value", "Verdict"),
    "summary": ("summary", "Summary"),
    "statusQuery": ("query", "StatusQuery"),
    "reasons": ("list", "FailedCheck"),
    "entries": ("list", "JournalEntry"),
    "sales": ("list", "Sale"),
}


def kind_of(one):
    """The kind of a value, and its class if it has one."""
    if one["key"] in PARTS:
        return PARTS[one["key"]]
    if one.get("values") == "integer":
        return "counts", ""
    kind = KINDS.get(one["key"], TYPES[one["type"]])
    return "time" if one["key"].endswith("Ms") else kind, ""


WORDS = {
    "how many milliseconds to": "how long to",
    ",? in milliseconds": "",
    "of sales_json": "of the program",
    "of the queries": "how many queries had which result",
    "(,|;) or null.*|; null if.*|, in UTC: .*|, in the same form": "",
    r": see [A-Z]+$| \(see [A-Z ]+\)$|: an array, see below": "",
}


def capitalized(text):
    name = text.startswith(("http:", "attempt_"))
    return text if name else text[0].upper() + text[1:]


def words(meaning):
    """In the words of a package: times are not numbers, and functions have no prefix."""
    for before, after in WORDS.items():
        meaning = re.sub(before, after, meaning)
    return re.sub(r"payorder_\w+", lambda found: found[0][9:].title().replace("_", ""), meaning)


def getter(one):
    kind, name = kind_of(one)
    meaning = words(VALUES[name][0] if kind == "value" else one["meaning"])
    return {
        "name": NAMES.get(one["key"], re.sub("Ms$", "", one["key"])),
        "key": one["key"],
        "kind": kind,
        "class": name,
        "always": one["always"] and not one["nullable"],
        "meaning": capitalized(meaning) + ".",
    }


def settings(abi):
    """What a program sets. The rest of these classes is written by hand."""
    config = [setting(one) for one in abi["config"] if one["key"] != "tls"]
    (tls,) = (one["keys"] for one in abi["config"] if one["key"] == "tls")
    config += [setting(one, "tls") for one in tls]
    order = [setting(one) for one in abi["objects"]["order"]["keys"]]
    functions = {one["name"][len("payorder_") :]: one for one in abi["functions"]}
    of = {
        name: [
            one
            for one in functions[function]["options"]
            if one["key"] not in ("cancellation", "state")
        ]
        for name, (function, _) in OPTIONS_OF.items()
    }
    options = {
        name: [
            setting({**one, "meaning": one["meaning"] + REMARKS.get(one["key"], "")})
            for one in of[name]
            if one not in of.get(parent, ())
        ]
        for name, (_, parent) in OPTIONS_OF.items()
    }
    return {
        **options,
        "ClientConfig": config[1:],  # without baseUrl, which is required
        "Order": [one for one in order if one["key"] not in ("amount", "payMode")],
    }


def setting(one, group=""):
    name = one["key"].replace("URL", "Url")
    made = {**getter({**one, "always": False, "nullable": False}), "group": group}
    made["name"] = made["name"].replace("URL", "Url")
    if group:
        made["name"] = group + name[0].upper() + name[1:]
    meaning = made["meaning"].replace("Milliseconds for", "For").rstrip(".")
    meaning = re.sub("[Hh]ow many milliseconds", lambda found: f"{found[0][0]}ow long", meaning)
    meaning = meaning.replace("Milliseconds until", "The time until")
    unit = " ms" if made["kind"] == "time" else ""
    limits = re.sub(r"(\d+)(?=,|$)", rf"\1{unit}", one.get("range", ""))
    limits = re.sub("^(a string|a path|an object|an array of strings)$|a string, ", "", limits)
    made["meaning"] = f"{meaning} ({limits})." if limits else f"{meaning}."
    return made


def keys(value):
    """The keys that a part of the description lists."""
    if isinstance(value, dict):
        yield from [value["key"]] if isinstance(value.get("key"), str) else []
        value = list(value.values())
    if isinstance(value, list):
        for one in value:
            yield from keys(one)


def wire_names(abi):
    found = {*OPTIONS, *keys(abi["config"]), *keys(abi["objects"])}
    return sorted(name for name in found if name != name.lower())


def values(abi):
    """The lists of values, each with its meaning."""
    for kind, (about, name, key, meanings) in VALUES.items():
        (known,) = (one["values"] for one in abi["objects"][name]["keys"] if one["key"] == key)
        assert known == list(meanings), (kind, known)
        listed = [{"name": value, "meaning": capitalized(meanings[value]) + "."} for value in known]
        yield kind, {"about": capitalized(about) + ".", "values": listed}


def classes():
    for name, (about, given, printed) in CLASSES.items():
        yield name, {"about": capitalized(words(about)) + ".", "given": given, "printed": printed}


def forgotten(abi):
    """The values that a list by hand does not have."""
    for file, name, key, form in BY_HAND:
        text = (FOLDER / file).read_text(encoding="utf-8")
        (values,) = (one["values"] for one in abi["objects"][name]["keys"] if one["key"] == key)
        for value in values:
            if form.format(value) not in text:
                yield f"bindings/{file} has no {value}, a {key} of {name}"


def texts(abi, languages, only_committed):
    """The path and the text of each file."""
    for language in languages or sorted(path.parent.name for path in FOLDER.glob("*/constants.py")):
        package = runpy.run_path(str(FOLDER / language / "constants.py"))
        if only_committed and not package.get("COMMITTED", True):
            continue
        if "files" in package:
            found = package["files"](abi)
        else:
            files = package.get("FILES") or {package["FILE"]: package["text"]}
            found = {name: text(abi) for name, text in files.items()}
        for name, text in found.items():
            yield FOLDER / language / name, text


def main(arguments):
    check = arguments == ["--check"]
    description = FOLDER.parent / "include" / "payorder-abi.json"
    abi = json.loads(description.read_text(encoding="utf-8"))
    for one in abi["objects"].values():
        for key in one["keys"]:
            key["words"] = words(key["meaning"])
    abi["errorClasses"] = list(error_classes(abi))
    abi["wireNames"] = wire_names(abi)
    abi["usualCauses"] = dict(usual_causes(abi))
    abi["duplicateCauses"] = duplicate_causes(abi)
    abi["getters"] = getters(abi)
    abi["settings"] = settings(abi)
    abi["values"] = dict(values(abi))
    abi["classes"] = dict(classes())
    stale = 0
    for line in forgotten(abi):
        stale += 1
        print(line)
    for path, text in texts(abi, [] if check else arguments, check):
        current = path.read_bytes().decode() if path.exists() else ""
        if text == current:
            continue
        if check:
            stale += 1
            lines = current.splitlines(True), text.splitlines(True)
            sys.stdout.writelines(difflib.unified_diff(*lines, str(path), "what the library has"))
        else:
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(text.encode())
            print(path)
    if stale:
        sys.exit("not current: run bindings/constants.py, and complete lists by hand")


main(sys.argv[1:])

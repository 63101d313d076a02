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
- `wireNames`, the names in messages that a language writes in its own way;
- `usualCauses`, a cause and an action for each result, for errors that a program's own tests make,
  and `duplicateCauses`, for a duplicate by the state of the journal's entry;
- `getters`, the plain values of each class of results: `name`, `key`, `kind` (text, whole, number,
  time, instant, result or flag), whether it is `always` there, and its `meaning`;
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
    ("csharp/src/Order.cs", "order", "payMode", '= "{}";'),
    ("csharp/src/Journal.cs", "entry", "state", '= "{}";'),
    ("csharp/src/Recovered.cs", "sale", "verdict", '= "{}";'),
    ("csharp/src/PayorderLibrary.cs", "reason", "check", '= "{}";'),
    ("java/src/main/java/org/payorder/PayMode.java", "order", "payMode", " {upper}"),
    (
        "java/src/main/java/org/payorder/JournalEntry.java",
        "entry",
        "state",
        " {upper},",
    ),
    ("java/src/main/java/org/payorder/Recovered.java", "sale", "verdict", " {upper},"),
    ("node/src/index.d.ts", "sale", "verdict", "| '{}'"),
    ("php/src/PayMode.php", "order", "payMode", "= '{}';"),
]
#: A class of results, and its object in the description.
RESULTS = {
    "Status": "statusData",
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
}
#: Values that the packages convert in ways of their own.
CONVERTED = {
    "PayorderException": ("result", "name", "outcome", "cause", "action", "message"),
    "JournalEntry": ("state",),
    "Sale": ("verdict",),
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
    return {state: (cause, actions[cause]) for state, cause in DUPLICATES.items()}


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
            if one["type"] in ("string", "integer", "boolean")
            and one["key"] not in CONVERTED.get(kind, ())
        ]
        for kind, name in RESULTS.items()
    }
    return {**made, "LogEvent": [getter(one) for one in event_keys(abi)]}


TYPES = {"string": "text", "integer": "whole", "boolean": "flag", "array": "texts"}
TYPES.update(object="fields", number="rate")


def capitalized(text):
    name = text.startswith(("http:", "attempt_"))
    return text if name else text[0].upper() + text[1:]


def getter(one):
    """In the words of a package: times are not numbers, and functions have no prefix."""
    kind = KINDS.get(one["key"], TYPES[one["type"]])
    meaning = one["meaning"].replace("how many milliseconds to", "how long to")
    meaning = re.sub(", or null.*|; null if.*|, in UTC: .*|, in the same form", "", meaning)
    meaning = re.sub(r"payorder_\w+", lambda found: found[0][9:].title().replace("_", ""), meaning)
    return {
        "name": re.sub("Ms$", "", one["key"]).replace("transactionDate", "transactionDateText"),
        "key": one["key"],
        "kind": "time" if one["key"].endswith("Ms") else kind,
        "always": one["always"] and not one["nullable"],
        "meaning": capitalized(meaning.replace(" in milliseconds", "")) + ".",
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


def forgotten(abi):
    """The values that a list by hand does not have."""
    for file, name, key, form in BY_HAND:
        text = (FOLDER / file).read_text(encoding="utf-8")
        (values,) = (one["values"] for one in abi["objects"][name]["keys"] if one["key"] == key)
        for value in values:
            if form.format(value, upper=value.upper()) not in text:
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
    abi["errorClasses"] = list(error_classes(abi))
    abi["wireNames"] = wire_names(abi)
    abi["usualCauses"] = dict(usual_causes(abi))
    abi["duplicateCauses"] = duplicate_causes(abi)
    abi["getters"] = getters(abi)
    abi["settings"] = settings(abi)
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

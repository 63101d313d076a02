"""What the templates have in addition to the description in include/payorder-abi.json.

- `errorClasses`, each with `class` (such as `InvalidArgument`), `parent`, `number` and `meaning`;
- `wireNames`, the names of keys that a language writes in its own way;
- `bases`, what the base classes of errors say;
- `usual`, a cause and an action for each result, for errors that a program's own tests make; then
  for a duplicate by the state of the journal's entry, and `url` for one with a URL;
- `words`, in each key of an object: its meaning in the words of a package; `personal`, whether it is
  the customer's;
- `flat`, a function: the keys of an object and of the parts in it;
- `options_of`, the options of each function; `times`, the names of times in Python; `settingTypes`,
  names of settings and options by their types; `declarations`, those of payorder.cdef;
- `getters`, the values of each class of results: `name`, `key`, `kind` (text, whole, number, time,
  instant, result or flag), whether it is `always` there, and its `meaning`. A value has the name of
  a list of values or of a `class` (list, query, summary) if it is not plain;
- `values`, the lists of `VALUES`, and `classes`, those of `CLASSES`;
- `schema`, the SQL of a journal's tables in PostgreSQL;
- `variables`, the environment variables that a client is created from, and `proxyVariables`, those
  that name its proxy;
- `settings`, the same of the configuration, of an order and of the options of calls. `group` is tls
  for the keys in that object; there are also texts, fields and numbers that are not whole (rate).
"""

import json
import re
from pathlib import Path

from .words import capital, snake

_PROJECT = Path(__file__).resolve().parents[2]
DESCRIPTION = _PROJECT / "include" / "payorder-abi.json"
_SCHEMA = _PROJECT / "core/src/journal/postgresql/schema.sql"

PARENTS = {"not_sent": "NotSent", "rejected": "Rejected", "unknown": "OutcomeUnknown"}
#: The base classes of errors.
BASES = {
    "NotSent": "Nothing of the request was sent. Fix the problem and call again, unless you cancelled"
    " the call.",
    "Rejected": "The service refused the request: the message says why. The refusal of a query or a"
    " wait says nothing about the order.",
    "OutcomeUnknown": "The order may exist: ask for its status before anything else, with the status"
    " query of this error. After a query, ask again.",
}
SHORTER = {
    "CONNECT_FAILED": "Connect",
    "TLS_FAILED": "Tls",
    "JOURNAL_FAILED": "Journal",
}
USUAL = {
    "INVALID_ARGUMENT": "invalid_value",
    "INVALID_HANDLE": "client_freed",
    "INVALID_CONFIG": "invalid_value",
    "CANCELLED": "cancelled",
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
    "CheckStep": "checkStep",
    "Checked": "checked",
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
            "not_in_journal": "not known: sell again, if this journal was in use, and not restored,"
            " replaced or pruned since; otherwise a person decides",
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
#: The members of enumerations whose values are abbreviations.
MEMBERS = {"cc": "credit_card", "dc": "debit_card", "nb": "net_banking"}
#: What no log and no `print` shows.
PERSONAL = ("customerName", "customerMobile", "customerEmail")
#: What no log shows of a configuration.
SECRET = ("accessToken", "clientKey", "clientId", "secretKey", "proxy", "headers", "journal")
#: Classes of results that C# and Java have from here alone: what each is, what a program's test
#: gives to fromJson, and what is printed of it: the values of keys, or else its JSON.
CLASSES = {
    "Checkout": (
        "a created order: send the customer to its URL",
        "the service's response",
        ["url"],
    ),
    "CheckStep": ("something that was looked at", None, "{step}: {message}"),
    "Checked": (
        "what the check of the client found",
        "ok and steps, each with what payorder_check always gives",
        ["ok", "steps"],
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
        "the service's response, with a date as in"
        ' "data":{"transactionDate":"11/21/2026 02:05:06 PM"}',
        ["orderId", "transactionId", "amount", "transactionStatus"],
    ),
    "Summary": (
        "how many queries had which result",
        "the keys of its JSON that the test needs",
        None,
    ),
    "Verification": (
        "whether an order is paid",
        "paid, and perhaps reasons and unverifiable",
        ["paid", "reasons"],
    ),
    "Waited": (
        "the result of waiting for a payment",
        "final, timedOut, polls, status (the service's response) and error, which has at least"
        " result. The end of a wait has a status, an error, or both",
        ["final", "status", "error"],
    ),
    # The message has no value of the field.
    "Violation": ("a field that breaks a rule of the service's interface", None, "{message}"),
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
    "CheckOptions": ("check", "CallOptions"),
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


def error_classes(abi):
    for one in abi["results"]:
        name = one["name"][len("PAYORDER_") :]
        if name not in ("OK", "REJECTED"):
            known = SHORTER.get(name, name.title().replace("_", ""))
            yield {
                "class": known,
                # Several languages have a timeout of their own, so this one says what was late.
                "ownTimeout": known.replace("Timeout", "ResponseTimeout"),
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
    for key, one in keys.items():
        of_key = [
            found for event in abi["events"] for found in event["keys"] if found["key"] == key
        ]
        always = len(of_key) == len(abi["events"]) and all(found["always"] for found in of_key)
        yield {**one, "always": always, "nullable": False}


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
        "LogEvent": [getter(one) for one in abi["objects"]["event"]["keys"]],
        "Status": list(of_status(abi["objects"])),
    }


def of_status(objects):
    """The values of a status and of the objects in it, with their paths."""
    for path, name in (("", "status"), ("data/", "statusData"), ("derived/", "derived")):
        for one in objects[name]["keys"]:
            if one.get("object") in ("statusData", "derived"):
                continue
            made = {**getter(one), "key": path + one["key"]}
            if path == "derived/":
                made["kind"] = {"completed": "completed", "transactionDate": "date"}[one["key"]]
                made["name"] = one["key"]
            else:
                assert one["type"] == "string", f"a status has a key of a new kind: {one}"
                made["kind"] = "empty"
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
    "steps": ("list", "CheckStep"),
    "details": ("json", ""),
}


def kind_of(one):
    """The kind of a value, and its class if it has one."""
    if one["key"] in PARTS:
        return PARTS[one["key"]]
    if one.get("values") == "integer":
        return "counts", ""
    assert one.get("items", "string") == "string" and "object" not in one, f"a new kind: {one}"
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
        "meaning": capital(meaning) + ".",
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
        name: [setting(one) for one in of[name] if one not in of.get(parent, ())]
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
    found = {*all_options(abi), *keys(abi["config"]), *keys(abi["objects"])}
    return sorted(name for name in found if name != name.lower())


def values(abi):
    """The lists of values, each with its meaning."""
    for kind, (about, name, key, meanings) in VALUES.items():
        (known,) = (one["values"] for one in abi["objects"][name]["keys"] if one["key"] == key)
        assert known == list(meanings), (kind, known)
        listed = [
            {
                "name": value,
                "member": MEMBERS.get(value, value),
                "meaning": capital(meanings[value]) + ".",
            }
            for value in known
        ]
        yield kind, {"about": capital(about) + ".", "values": listed}


def classes():
    for name, (about, given, printed) in CLASSES.items():
        yield name, {"about": capital(words(about)) + ".", "given": given, "printed": printed}


def all_options(abi):
    """Every option of a call, by its name."""
    found = (one for function in abi["functions"] for one in function.get("options", ()))
    return {one["key"]: one for one in found if one["key"] != "cancellation"}


def setting_types(abi):
    """The names of settings and options by their types, for languages that have no types."""
    found = [*abi["config"], *all_options(abi).values()]
    types = {one["key"]: one["type"].replace("number", "integer") for one in found}
    kinds = ("integer", "boolean", "string")
    return {kind: sorted(key for key in types if types[key] == kind) for kind in kinds}


def times(abi):
    """The names in Python of settings and options that are times."""
    keys = [one["key"] for one in (*abi["config"], *all_options(abi).values())]
    return sorted({snake(key[:-2]) for key in keys if key.endswith("Ms")})


def flat(abi, name, place=""):
    """The keys of an object and of the parts in it, each with its `object` and JSON pointer."""
    for one in abi["objects"][name]["keys"]:
        pointer = f"{place}/{one['key']}"
        if one.get("object") in ("checkoutData", "statusData", "derived"):
            yield from flat(abi, one["object"], pointer)
        else:
            own = {"of": f"{one['key']} of {name}", "pointer": pointer}
            yield {**one, **own, "maybe": one["nullable"] or not one["always"]}


def variables(abi):
    """The environment variables that the documentation of the function names."""
    [function] = [one for one in abi["functions"] if one["name"] == "payorder_client_from_env"]
    return re.findall(r"PAYORDER_[A-Z_]+", function["meaning"])


def proxy_variables(abi):
    """Those of the setting. As curl, the library does not read HTTP_PROXY, which may be a header."""
    [setting] = [one for one in abi["config"] if one["key"] == "proxy"]
    for name in re.findall(r"[a-z]+_proxy", setting["meaning"]):
        yield from [name, name.upper()] if name != "http_proxy" else [name]


def description():
    abi = json.loads(DESCRIPTION.read_text(encoding="utf-8"))
    abi["objects"]["event"] = {"keys": list(event_keys(abi))}
    for one in abi["objects"].values():
        for key in one["keys"]:
            key["words"] = words(key["meaning"])
            key["personal"] = key["key"] in PERSONAL
    for function in abi["functions"]:
        for one in function.get("options", ()):
            one["meaning"] += REMARKS.get(one["key"], "")
    usual = [*usual_causes(abi), *duplicate_causes(abi).items()]
    header = DESCRIPTION.with_name("payorder.cdef").read_text(encoding="utf-8")
    return {
        **abi,
        "bases": BASES,
        "secret": SECRET,
        "errorClasses": list(error_classes(abi)),
        "wireNames": wire_names(abi),
        "options_of": {one["name"]: one.get("options") for one in abi["functions"]},
        "times": times(abi),
        "flat": lambda name: list(flat(abi, name)),
        "usual": usual,
        # From the first type on: packages have the results as constants.
        "settingTypes": setting_types(abi),
        "declarations": "typedef" + header.split("\ntypedef", 1)[1],
        "getters": getters(abi),
        "settings": settings(abi),
        "values": dict(values(abi)),
        "classes": dict(classes()),
        "schema": _SCHEMA.read_text(encoding="utf-8"),
        "variables": variables(abi),
        "proxyVariables": list(proxy_variables(abi)),
    }

"""Writes src/constants.js and src/constants.d.ts: results, outcomes, causes and actions;
src/objects.d.ts: the types of options, results and errors; and src/index.mjs."""

import re
import textwrap

HEAD = "// Generated from include/payorder-abi.json by bindings/constants.py.\n"


def tables(abi):
    """The name of each table, and its keys and values as JavaScript."""
    prefix = len("PAYORDER_")
    yield "Result", [(one["name"][prefix:], one["number"]) for one in abi["results"]]
    for table in ("Outcome", "Cause", "Action"):
        names = [one["name"] for one in abi[f"{table.lower()}s"]]
        yield table, [(name.upper(), f"'{name}'") for name in names]


def script(abi):
    text = f"{HEAD}'use strict';\n\nexports.ABI_VERSION = {abi['abiVersion']};\n"
    for table, members in tables(abi):
        lines = "".join(f"  {key}: {value},\n" for key, value in members)
        text += f"\nexports.{table} = Object.freeze({{\n{lines}}});\n"
    text += (
        "\n// For errors that a program's own tests make: a cause and an action for each result,\n"
    )
    text += "// and for a duplicate by the state of the journal's entry.\n"
    usual = "".join(
        f"  {key}: ['{cause}', '{action}'],\n"
        for key, (cause, action) in {**abi["usualCauses"], **abi["duplicateCauses"]}.items()
    )
    text += f"exports.USUAL_CAUSES = {{\n{usual}}};\n\nexports.ERROR_CLASSES = {{\n"
    text += "".join(f"  {one['number']}: '{class_name(one)}',\n" for one in abi["errorClasses"])
    data = [one["key"] for one in abi["objects"]["statusData"]["keys"]]
    data.remove("transactionDate")
    return text + f"}};\n\nexports.STATUS_DATA = {data};\n"


def types(abi):
    text = HEAD
    for table, members in tables(abi):
        lines = "".join(f"  readonly {key}: {value};\n" for key, value in members)
        text += f"\nexport declare const {table}: {{\n{lines}}};\n"
    return text


TYPES = {"string": "string", "integer": "number", "boolean": "boolean"}
TYPES.update(array="readonly string[]")
TYPES.update(dict.fromkeys(("time", "whole", "number", "rate"), "number"))
TYPES.update(text="string", texts=TYPES["array"], flag="boolean", result="number")
TYPES.update(fields="Readonly<Record<string, string>>")
# What the description says in the words of C, or TypeScript more exactly.
EXACT = {
    "action of ErrorDetails": "Open<ValueOf<typeof Action>>",
    "amount of Expected": "Order['amount']",
    "amount of Order": "string | { toJSON(): string }",
    "amount of RecoveredSale": "string | null",
    "amount of Sale": "Order['amount']",
    "baseUrl of Settings": "string | undefined",
    "causeCode of ErrorDetails": "Open<ValueOf<typeof Cause>>",
    "entries of Resolved": "JournalEntry[]",
    "error of WaitedFields": "PayorderError | null",
    "events of EntryData": "JournalEvent[]",
    "notBefore of Expected": "string | Date",
    "outcome of ErrorDetails": "Exclude<ValueOf<typeof Outcome>, 'done'>",
    "previous of ErrorDetails": "Omit<JournalEntry, 'statusQuery'>",
    "reasons of RecoveredSale": "Reason[]",
    "reasons of Verification": "Reason[]",
    "sales of Recovered": "RecoveredSale[]",
    "searchType of StatusQuery": "'1' | '2'",
    "service of EntryData": "string",
    "signal of CallOptions": "AbortSignal",
    "state of ListOptions": "EntryState | 'unresolved' | 'open'",
    "status of ErrorDetails": "Status",
    "status of WaitedFields": "Status | null",
    "statusQuery of ErrorDetails": "StatusQuery",
    "statusQuery of RecoveredSale": "StatusQuery",
    "statusQuery of ReturnUrl": "StatusQuery",
    "summary of Recovered": "Summary",
    "summary of Resolved": "Summary",
    "tls of Settings": "TlsConfig",
    "transactionStatus of Summary": "Record<string, number>",
    "unverifiable of Verification": "string[]",
    "verdict of RecoveredSale": "Open<Verdict>",
    "violations of ErrorDetails": "Violation[]",
}
# What only JavaScript has.
RAW = {
    "key": "raw",
    "type": "string",
    "always": True,
    "meaning": "the library's complete JSON text, with fields that this version does not know",
}
SIGNAL = {
    "key": "signal",
    "meaning": "cancels the call. The promise then settles with the library's result",
}
STATE = {
    "key": "state",
    "meaning": 'only entries in this state; "unresolved" is "sending" and "unknown"; "open" is these '
    'and every "created" one that is not "Completed"',
}
FUNCTIONS = {
    "create_order": "createOrder",
    "get_status": "getStatus",
    "wait_for_payment": "waitForPayment",
}
ERROR_KEYS = {"name": "code", "cause": "causeCode"}
# An interface, its object in the description, and what happens to its keys.
OBJECTS = [
    ("Order", "order", ""),
    ("StatusQuery", "query", "given"),
    ("Summary", "summary", "open"),
    ("EntryData", "entry", "open"),
    ("JournalEvent", "journalEvent", "open"),
    ("RecoveredSale", "sale", ""),
    ("Recovered", "recovered", ""),
    ("Resolved", "resolved", ""),
    ("Expected", "expected", ""),
    ("ReturnUrl", "returned", "read"),
    ("Reason", "reason", "open"),
    ("Verification", "verdict", "read"),
    ("Violation", "violation", ""),
]
# An interface of options, what it extends, and its name in the other packages.
OPTIONS = [
    ("CallOptions", "Credentials", "CallOptions"),
    ("CreateOptions", "CallOptions", "OrderOptions"),
    ("WaitOptions", "CallOptions", "WaitOptions"),
    ("BatchOptions", "CallOptions", "BatchOptions"),
    ("RecoverOptions", "BatchOptions", "RecoverOptions"),
    ("ListOptions", "JournalOptions", "ListOptions"),
]


def interface(name, about, keys, form=""):
    """Keys that a program gives may be undefined; those of a result are read only."""
    head, *bases = name.split(" extends ")
    text = f"\n{comment(about, '')}export interface {name} {{\n"
    for one in [*keys, *([RAW] if form == "read" else [])]:
        values = " | ".join(f"'{value}'" for value in one.get("values", ()))
        if form in ("read", "open"):
            values = values and f"{values} | (string & {{}})"
        kind = EXACT.get(f"{one['key']} of {head}") or values or TYPES[one["type"]]
        if one.get("nullable"):
            kind += " | null"
        optional = not one.get("always", one.get("required"))
        if optional:
            kind += " | undefined" if form == "given" else ""
        meaning = one["meaning"]
        if one.get("type") == "integer" and "range" in one:
            meaning += f": {one['range']}"
        key = f"{'readonly ' if form == 'read' else ''}{one['key']}{'?' if optional else ''}"
        text += f"{comment(meaning)}  {key}: {kind};\n"
    return text + "}\n"


def comment(meaning, indent="  "):
    meaning = re.sub(" \\(see AN ORDER THAT EXISTS ALREADY\\)|: an array, see below", "", meaning.rstrip("."))
    meaning = re.sub("see (CAUSE|ACTION)S", lambda found: f"one of `{found[1].title()}`", meaning)
    meaning = re.sub("(order|sales)_json", r"`\1`", meaning)
    for name, own in FUNCTIONS.items():
        meaning = meaning.replace(f"payorder_{name}", f"`{own}`")
    # The value of a list is as it is written.
    if not re.match("http:|[a-z]+_|[a-zA-Z]+, ", meaning):
        meaning = meaning[0].upper() + meaning[1:]
    lines = textwrap.wrap(f"{meaning}.", 94)
    if len(lines) == 1:
        return f"{indent}/** {lines[0]} */\n"
    body = "".join(f"{indent} * {line}\n" for line in lines)
    return f"{indent}/**\n{body}{indent} */\n"


def described(items):
    """Getters or settings of bindings/constants.py as keys of the description."""
    return [{**one, "type": one["kind"], "meaning": one["meaning"].rstrip(".")} for one in items]


def objects(abi):
    def keys(name, *without):
        return [one for one in abi["objects"][name]["keys"] if one["key"] not in without]

    config = {one["key"]: one for one in abi["config"]}
    credentials = [config.pop(key) for key in ("accessToken", "clientKey", "clientId", "secretKey")]
    names = [one["key"] for one in credentials]
    (states,) = (one["values"] for one in keys("entry") if one["key"] == "state")
    response = keys("status", "data", "derived")
    status = [*response, *keys("statusData", "transactionDate"), *keys("derived")]
    status.append(
        {**response[0], "key": "transactionDateText", "meaning": "as the service sent it"}
    )
    error = [
        {**one, "key": ERROR_KEYS.get(one["key"], one["key"]), "always": one["key"] == "violations"}
        | ({"always": True} if one["always"] else {})
        for one in keys("errorDetails", "message")
    ]
    waited = [{**one, "always": True} for one in keys("waited")]
    event = described(abi["getters"]["LogEvent"])
    event[0]["values"] = [one["name"] for one in abi["events"]]
    about = "A setting that is undefined has its default. Times are in milliseconds."
    parts = [
        ("TlsConfig", "Certificates.", config["tls"]["keys"], "given"),
        ("Credentials", "Each is for one call.", credentials, "given"),
        ("Settings", about, config.values(), "given"),
        (
            "LogEvent",
            "An event of a call. It has no credential and no personal data.",
            event,
            "open",
        ),
        (
            "Sale",
            "An order that the program believes open.",
            keys("expected", "transactionId", "notBefore"),
            "",
        ),
        ("CheckoutData", "A created order.", [*keys("checkoutData"), *response], "read"),
        ("StatusData", "What the service says about an order.", status, "read"),
        ("WaitedFields", "The end of a wait.", waited, "read"),
        ("ErrorDetails", "What every error has.", error, "read"),
    ]
    for name, kind, form in OBJECTS:
        parts.append((name, abi["objects"][kind]["meaning"], keys(kind), form))
    for name, base, kind in OPTIONS:
        given = [one for one in described(abi["settings"][kind]) if one["key"] not in names]
        given += [SIGNAL] if base == "Credentials" else [STATE] if name == "ListOptions" else []
        parts.append((f"{name} extends {base}", "Options of calls.", given, "given"))
    text = HEAD + "import type { Action, Cause, Outcome } from './constants.js';\n"
    text += "import { PayorderError } from './index.js';\n"
    text += "import type { JournalEntry, JournalOptions, Status, Verdict } from './index.js';\n"
    text += "\ntype ValueOf<T> = T[keyof T];\n/** The list may grow with the library. */\n"
    text += "export type Open<T extends string> = T | (string & {});\n"
    text += '\n/** "sending" and "unknown" are unresolved. */\n'
    text += f"export type EntryState = {' | '.join(map(repr, states))};\n"
    text += "".join(interface(*part) for part in parts)
    for name, meaning in PARENTS.items():
        text += f"\n/** {meaning} */\nexport class {name}Error extends PayorderError {{}}\n"
        for one in abi["errorClasses"]:
            if one["parent"] == name:
                text += f"/** {one['meaning'][0].upper()}{one['meaning'][1:]}. */\n"
                text += f"export class {class_name(one)} extends {name}Error {{}}\n"
    return text


def class_name(one):
    """Node.js has timeouts of its own, so ours says what was late."""
    return f"{one['class'].replace('Timeout', 'ResponseTimeout')}Error"


def module(abi):
    """Node.js does not see what a CommonJS module exports with `...`."""
    names = [f"{name}Error" for name in ("Payorder", *PARENTS, "UnusableText")]
    names += [class_name(one) for one in abi["errorClasses"]]
    lines = "".join(f"  {name},\n" for name in (*EXPORTS.split(), *names))
    return f"{HEAD}import payorder from './index.js';\n\nexport const {{\n{lines}}} = payorder;\n"


EXPORTS = """Client Checkout Status Waited Result Outcome Cause Action buildCreateOrder buildGetStatus
    parseReturnUrl verifyPayment version liveCounters"""

PARENTS = {
    "NotSent": "Nothing of the request was sent.",
    "Rejected": "The service refused it: of a query or a wait, that says nothing about the order.",
    "OutcomeUnknown": "The order may exist: call `getStatus(error)` before anything else.",
}

COMMITTED = False
FILES = {
    "src/constants.js": script,
    "src/constants.d.ts": types,
    "src/index.mjs": module,
    "src/objects.d.ts": objects,
}

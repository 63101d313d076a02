"""Writes src/constants.js and src/constants.d.ts: results, outcomes, causes and actions; and
src/objects.d.ts: the types of the library's objects and the classes of errors."""

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
    text += "\n// For errors that a program's own tests make: a cause and an action for each result, and for\n"
    text += "// a duplicate by the state of the journal's entry.\n"
    usual = "".join(
        f"  {key}: ['{cause}', '{action}'],\n"
        for key, (cause, action) in {**abi["usualCauses"], **abi["duplicateCauses"]}.items()
    )
    return text + f"exports.USUAL_CAUSES = {{\n{usual}}};\n"


def types(abi):
    text = HEAD
    for table, members in tables(abi):
        lines = "".join(f"  readonly {key}: {value};\n" for key, value in members)
        text += f"\nexport declare const {table}: {{\n{lines}}};\n"
    return text


TYPES = {"string": "string", "integer": "number", "boolean": "boolean", "array": "readonly string[]"}
# What the description says in the words of C, or TypeScript more exactly.
EXACT = {
    "amount of order": "string | { toJSON(): string }",
    "baseUrl of config": "string | undefined",
    "events of entry": "JournalEvent[]",
    "searchType of query": "'1' | '2'",
    "service of entry": "string",
    "tls of config": "TlsConfig",
    "transactionStatus of summary": "Record<string, number>",
}


def interface(name, about, object_name, keys, readonly=False, given=False):
    """Keys that a program gives may be undefined."""
    text = f"\n/** {about} */\nexport interface {name} {{\n"
    for one in keys:
        values = " | ".join(f"'{value}'" for value in one.get("values", ()))
        if readonly or object_name == "entry":
            values = values and f"{values} | (string & {{}})"
        kind = EXACT.get(f"{one['key']} of {object_name}") or values or TYPES[one["type"]]
        if one.get("nullable"):
            kind += " | null"
        optional = not one.get("always", one.get("required"))
        if optional:
            kind += " | undefined" if given else ""
        meaning = one["meaning"].replace("payorder_get_status", "`getStatus`")
        if one["type"] == "integer" and "range" in one:
            meaning += f": {one['range']}"
        key = f"{'readonly ' if readonly else ''}{one['key']}{'?' if optional else ''}"
        text += f"{comment(meaning)}  {key}: {kind};\n"
    return text + "}\n"


def comment(meaning):
    if not meaning.startswith("http"):
        meaning = meaning[0].upper() + meaning[1:]
    lines = textwrap.wrap(f"{meaning}.", 94)
    if len(lines) == 1:
        return f"  /** {lines[0]} */\n"
    return "  /**\n" + "".join(f"   * {line}\n" for line in lines) + "   */\n"


def objects(abi):
    def keys(name, without=()):
        return [one for one in abi["objects"][name]["keys"] if one["key"] not in without]

    config = {one["key"]: one for one in abi["config"]}
    credentials = [config.pop(key) for key in ("accessToken", "clientKey", "clientId", "secretKey")]
    tls = config["tls"]["keys"]
    (states,) = (one["values"] for one in keys("entry") if one["key"] == "state")
    text = HEAD + "import { PayorderError } from './index.js';\n"
    text += interface("TlsConfig", "Certificates.", "config", tls, given=True)
    text += interface("Credentials", "Each is for one call.", "config", credentials, given=True)
    about = "A setting that is undefined has its default. Times are in milliseconds."
    text += interface("Settings", about, "config", config.values(), given=True)
    about = "An order. The service gets all fields unchanged."
    text += interface("Order", about, "order", keys("order"))
    text += interface("StatusQuery", "One of two identifiers.", "query", keys("query"), given=True)
    about = "What the service says about an order."
    data = keys("statusData", ["transactionDate"])
    text += interface("StatusData", about, "statusData", data, readonly=True)
    about = "How many of many queries had which result."
    text += interface("Summary", about, "summary", keys("summary"))
    text += '\n/** "sending" and "unknown" are unresolved. */\n'
    text += f"export type EntryState = {' | '.join(map(repr, states))};\n"
    text += interface("EntryData", "One sending of one order.", "entry", keys("entry"))
    about = "Something that happened to an entry of the journal."
    text += interface("JournalEvent", about, "entry", keys("journalEvent"))
    about = "A field that breaks a rule of the service's interface."
    text += interface("Violation", about, "violation", keys("violation"))
    for name, meaning in PARENTS.items():
        text += f"\n/** {meaning} */\nexport class {name}Error extends PayorderError {{}}\n"
        for one in abi["errorClasses"]:
            if one["parent"] == name:
                one_name = one["class"].replace("Timeout", "ResponseTimeout")
                text += f"/** {one['meaning'][0].upper()}{one['meaning'][1:]}. */\n"
                text += f"export class {one_name}Error extends {name}Error {{}}\n"
    return text


PARENTS = {
    "NotSent": "Nothing of the request was sent.",
    "Rejected": "The service refused it: of a query or a wait, that says nothing about the order.",
    "OutcomeUnknown": "The order may exist: call `getStatus(error)` before anything else.",
}

COMMITTED = False
FILES = {"src/constants.js": script, "src/constants.d.ts": types, "src/objects.d.ts": objects}

"""The constants of the Go package, and most structs of results: see bindings/constants.py."""

import re

import textwrap

FILE = "constants.go"
COMMITTED = False

#: Words that Go writes in capitals.
INITIALISMS = {
    "http": "HTTP",
    "json": "JSON",
    "ok": "OK",
    "tls": "TLS",
    "url": "URL",
    "utf8": "UTF8",
    "id": "ID",
    "sha256": "SHA256",
}

#: The structs, each with what it is and its objects in the description.
STRUCTS = {
    "Error": (
        "is the error of a call. Find it with errors.As. A field that does not apply is its zero"
        " value. NewError makes one for the tests of a program. If the context of the call ended"
        " it, errors.Is also finds context.Canceled or context.DeadlineExceeded. Check the outcome"
        " first: the order may exist all the same",
        ["errorDetails"],
    ),
    "JournalEntry": ("is one sending of one order", ["entry"]),
    "JournalEvent": (
        'is something that happened to an entry. What does not apply is "", 0 or false',
        ["journalEvent"],
    ),
    "LogEvent": (
        "is an event of a call. It has no credential, name, mobile number or e-mail address. A"
        " field that the event does not have is its zero value",
        ["event"],
    ),
    "Reason": ("is a check that failed", ["reason"]),
    "RecoveredSale": (
        'is what is known of one open sale. What is not known is "" or 0',
        ["sale"],
    ),
    "Status": (
        "is what the service says about an order. It does not prove a payment: give it to"
        " VerifyPayment, which compares the complete status in JSON. It refuses a status that a"
        " program filled in or changed, because its fields would not be those that are compared."
        " In tests, make one with ParseStatus",
        ["status", "statusData", "derived"],
    ),
    "Summary": ("counts the results of many queries", ["summary"]),
    "Verification": ("says whether an order is paid", ["verdict"]),
    "Violation": ("is a field that breaks a rule of the service's interface", ["violation"]),
}
#: The types of values that are not plain, by their key or by the struct and the key.
TYPES = {
    "string": "string",
    "integer": "int",
    "boolean": "bool",
    "result": "Result",
    "outcome": "Outcome",
    "cause": "Cause",
    "action": "Action",
    "entry": "int64",
    "at": "time.Time",
    "startedAt": "time.Time",
    "deadline": "time.Time",
    "updatedAt": "time.Time",
    "violations": "[]Violation",
    "reasons": "[]Reason",
    "events": "[]JournalEvent",
    "unverifiable": "[]string",
    "statusQuery": "*Query",
    "previous": "*JournalEntry",
    "status": "*Status",
    "JournalEntry.result": "*Result",
    "JournalEvent.result": "*Result",
    "JournalEvent.cause": "string",
    "JournalEvent.integer": "int64",
    "Summary.transactionStatus": "map[string]int",
}
#: The structs that encoding/json writes with all fields, and a field that others always have.
COMPLETE = ["Reason", "Status", "Verification", "Violation"]
ALWAYS = ["int", "bool", "time.Time", "*Status", "int64"]
#: It is 0 for a sale without one.
ENTRY = ("RecoveredSale", "entry")
#: This is a method.
QUERY = ("RecoveredSale", "statusQuery")
WITHOUT_JSON = ["Reason", "RecoveredSale", "Violation"]
#: What json.Marshal does not show.
PERSONAL = ["customerName", "customerMobile", "customerEmail"]


def go_name(name):
    return "".join(
        INITIALISMS.get(word, word.capitalize()) for word in name.lower().split("_")
    )


def comment(name, meaning):
    text = f"{name}: {meaning}."
    return "".join(f"\t// {line}\n" for line in textwrap.wrap(text, 92))


def constants(kind, items):
    blocks = []
    for name, meaning, value in items:
        name = kind + go_name(name)
        blocks.append(f"{comment(name, meaning)}\t{name} {kind} = {value}\n")
    return "const (\n" + "".join(blocks) + ")\n"


def named(kind, items):
    return constants(
        kind, [(one["name"], one["meaning"], f'"{one["name"]}"') for one in items]
    )


def field(struct, one, derived):
    """A field, with its comment."""
    key = re.sub("Ms$", "", one["key"])
    words = re.findall("[A-Z]?[a-z0-9]+|[A-Z]+", key)
    name = go_name("_".join(words))
    kinds = [f"{struct}.{one['key']}", one["key"], f"{struct}.{one['type']}", one["type"]]
    kind = next(TYPES[kind] for kind in kinds if kind in TYPES)
    if key != one["key"]:
        kind = "time.Duration"
    if derived and name == "TransactionDate":
        key, name = "date", "Date"
    omitted = struct not in COMPLETE and kind not in ALWAYS or (struct, key) == ENTRY
    tag = f'json:"{key}{",omitempty" if omitted else ""}"'
    if struct == "Status" and key in PERSONAL:
        tag = f'json:"-" key:"{key}"'
    return f"{comment(name, one['words'])}\t{name} {kind} `{tag}`\n"


def structs(abi):
    objects = {name: one["keys"] for name, one in abi["objects"].items()}
    kinds = {"whole": "integer", "time": "integer", "number": "integer", "result": "integer"}
    objects["event"] = [
        {**one, "type": kinds.get(one["kind"], "string"), "words": one["meaning"].rstrip(".")}
        for one in abi["getters"]["LogEvent"]
    ]
    for struct, (about, names) in STRUCTS.items():
        lines = "".join(
            field(struct, one, name == "derived")
            for name in names
            for one in objects[name]
            if one["key"] not in ("data", "derived") and (struct, one["key"]) != QUERY
        )
        if struct not in WITHOUT_JSON:
            lines += "\t// JSON: the complete text of the library.\n\tJSON string `json:\"-\"`\n"
        if struct == "Error":
            lines += "\n\tended    error // of the context\n\tunusable bool\n"
        about = "".join(f"// {line}\n" for line in textwrap.wrap(f"{struct} {about}.", 96))
        yield f"\n{about}type {struct} struct {{\n{lines}}}\n"


def text(abi):
    results = [
        (one["name"][len("PAYORDER_") :], one["meaning"], one["number"])
        for one in abi["results"]
    ]
    # gofmt aligns the values of consecutive lines.
    width = max(len(str(number)) for _, _, number in results)
    names = "".join(
        f'\t{str(one["number"]) + ":":{width + 1}} "{one["name"]}",\n'
        for one in abi["results"]
    )
    causes = [
        "".join(
            f"\t{f'{key}:':{width}} {{Cause{go_name(cause)}, Action{go_name(action)}}},\n"
            for key, (cause, action) in table.items()
        )
        for table, width in (
            (abi["usualCauses"], width + 1),
            ({f'"{state}"': pair for state, pair in abi["duplicateCauses"].items()}, 10),
        )
    ]
    return (
        "// Code generated by bindings/constants.py from include/payorder-abi.json. DO NOT EDIT.\n\n"
        'package payorder\n\nimport "time"\n\n'
        "// Results. The range of the number is the outcome.\n"
        + constants("Result", results)
        + "\nvar resultNames = map[Result]string{\n"
        + names
        + "}\n\n// Outcomes.\n"
        + named("Outcome", abi["outcomes"])
        + "\n// Causes. The list may grow: treat an unknown cause as its result.\n"
        + named("Cause", abi["causes"])
        + "\n// Actions.\n"
        + named("Action", abi["actions"])
        + "\n// usualCauses has a cause and its action for errors that tests make.\n"
        + "var usualCauses = map[Result]usualCause{\n"
        + causes[0]
        + "}\n\n// duplicateCauses has them for a duplicate, by the state of the journal's entry.\n"
        + "var duplicateCauses = map[string]usualCause{\n"
        + causes[1]
        + "}\n"
        + "".join(structs(abi))
    )

"""The constants, enums, exceptions and results of the PHP package: see bindings/constants.py."""

import re
import textwrap

FILE = "generated/classes.php"
COMMITTED = False

PREFIX = "PAYORDER_"
PARENTS = {
    "NotSent": "Nothing was sent. Fix the problem and call again, unless you cancelled the call",
    "Rejected": "The service refused the request: the message says why",
    "OutcomeUnknown": "The order may exist: give statusQuery to getStatus before anything else",
}


# Objects of the description, their classes, and what each says.
RESULTS = {
    "entry": ("JournalEntry", "One sending of one order, in the journal"),
    "journalEvent": ("JournalEvent", "What happened to an entry of the journal"),
    "reason": ("Reason", "A check of Library::verifyPayment that failed"),
    "recovered": ("Recovered", "The end of Client::recover"),
    "resolved": ("Resolved", "The end of Client::journalResolve"),
    "returned": ("ReturnUrl", "What a return URL says. It proves no payment"),
    "sale": ("Sale", "What is known about one open sale after Client::recover"),
    "summary": ("Summary", "Counts the results of many queries"),
    "verdict": ("Verification", "Whether an order is paid"),
}
# Of errors, what PayorderException reads in its own way.
CONVERTED = ("result", "name", "outcome", "cause", "action", "message")
READERS = {
    "string": ("string", "text", "''"),
    "integer": ("int", "integer", "0"),
    "boolean": ("bool", "isTrue", None),
    "array": ("array", "value", "[]"),
    "object": ("array", "value", "[]"),
}


def comment(meaning, indent):
    lines = textwrap.wrap(f"{meaning[0].upper()}{meaning[1:]}.", 94 - len(indent))
    if len(lines) == 1:
        return f"{indent}/** {lines[0]} */\n"
    body = "".join(f"{indent} * {line}\n" for line in lines)
    return f"{indent}/**\n{body}{indent} */\n"


def members(name, about, items):
    """A class or an enum; each item has a meaning and a declaration."""
    body = "".join(f"{comment(meaning, '    ')}    {line};\n" for meaning, line in items)
    return f"/** {about} */\n{name}\n{{\n{body}}}\n"


def constants(items):
    return [
        (one["meaning"], f"public const {one['name'].upper()} = '{one['name']}'")
        for one in items
    ]


def case_name(name):
    return name.title().replace("_", "")


def method(function):
    name = case_name(function)
    return name[0].lower() + name[1:]


def cases(items):
    for one in items:
        yield one["meaning"], f"case {case_name(one['name'])} = '{one['name']}'"


def exception(name, parent, meaning):
    return f"{comment(meaning, '')}class {name}Exception extends {parent}Exception {{}}\n"


def array(name, items):
    lines = "".join(f"        {one},\n" for one in items)
    return f"    public const {name} = [\n{lines}    ];\n"


def fields(keys, place=""):
    """The declarations of properties, and the lines that read them."""
    properties, body = "", ""
    for one in keys:
        key = one["key"]
        # Functions have no prefix, and the names of methods.
        meaning = re.sub(r"payorder_(\w+)", lambda found: method(found[1]), one["meaning"])
        kind, reader, missing = READERS[one["type"]]
        value = f"$json->{reader}('{place}/{key}')"
        nullable = one["nullable"] or not one["always"]
        if one.get("object") in RESULTS:
            kind, _ = RESULTS[one["object"]]
            value = f"new {kind}(new Json($json->raw('/{key}') ?? '{{}}'))"
        elif one.get("items") in RESULTS:
            item, _ = RESULTS[one["items"]]
            value = f"Json::all({item}::class, {value}" + (")" if nullable else " ?? [])")
        elif missing is not None and not nullable:
            value += f" ?? {missing}"
        kind = f"?{kind}" if nullable else kind
        properties += f"{comment(meaning, '    ')}    public readonly {kind} ${key};\n"
        body += f"        $this->{key} = {value};\n"
    return properties, body


def result(name, keys):
    """A class that reads its properties from a text of the library, or from a part of one."""
    class_name, about = RESULTS[name]
    properties, body = fields(keys)
    if name == "entry":
        properties += "    /** Asks for the order. */\n    public readonly array $statusQuery;\n"
        query = "['searchType' => '1', 'orderId' => $this->orderId]"
        body += f"        $this->statusQuery = {query};\n"
    properties += "    /** The complete text, with fields that this version does not know. */\n"
    properties += "    public readonly string $raw;\n"
    return (
        f"/** {about}. */\nfinal class {class_name}\n{{\n{properties}\n    /** @internal */\n"
        "    public function __construct(Json $json)\n    {\n"
        f"{body}        $this->raw = $json->text;\n    }}\n}}\n"
    )


def trait(name, *parts):
    """The plain properties of a class by hand, and the function that reads them."""
    properties, bodies = zip(*(fields(keys, place) for keys, place in parts))
    return (
        f"/** @internal */\ntrait {name}\n{{\n{''.join(properties)}\n"
        "    private function read(Json $json): void\n    {\n"
        f"{''.join(bodies)}    }}\n}}\n"
    )


def plain(abi, name, *without):
    """The keys of an object that are texts, numbers or booleans."""
    keys = abi["objects"][name]["keys"]
    kinds = ("string", "integer", "boolean")
    return [one for one in keys if one["type"] in kinds and one["key"] not in without]


def text(abi):
    results = [(one["name"], one["meaning"], one["number"]) for one in abi["results"]]
    numbers = [
        (meaning, f"public const {name[len(PREFIX) :]} = {number}")
        for name, meaning, number in results
    ]
    classes = abi["errorClasses"]
    return (
        "<?php\n\n"
        "// Written by bindings/constants.py from include/payorder-abi.json: do not change it.\n\n"
        "declare(strict_types=1);\n\nnamespace Payorder;\n\n"
    ) + "\n".join(
        [
            members("final class Result", "The range of the number is the outcome.", numbers),
            members(
                "enum Outcome: string",
                "What happened to the request.",
                cases(abi["outcomes"]),
            ),
            members("enum Action: string", "What to do next.", cases(abi["actions"])),
            members(
                "final class Cause",
                "What exactly happened. Treat an unknown cause as its result.",
                constants(abi["causes"]),
            ),
            *(exception(name, "Payorder", about) for name, about in PARENTS.items()),
            *(
                exception(one["class"], one["parent"], one["meaning"])
                for one in classes
            ),
            trait("StatusFields", (plain(abi, "status"), ""), (plain(abi, "statusData"), "/data")),
            trait("ErrorFields", (plain(abi, "errorDetails", *CONVERTED), "/error")),
            *(result(name, abi["objects"][name]["keys"]) for name in RESULTS),
            "/** @internal */\nfinal class Table\n{\n"
            + array(
                "ERROR_CLASSES",
                (f"{one['number']} => {one['class']}Exception::class" for one in classes),
            )
            + array(
                "USUAL_CAUSES",
                (
                    f"{key!r} => ['{cause}', Action::{case_name(action)}]"
                    for table in ("usualCauses", "duplicateCauses")
                    for key, (cause, action) in abi[table].items()
                ),
            )
            + "}\n",
        ]
    )

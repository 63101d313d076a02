"""The constants, enums and exceptions of the PHP package: see bindings/constants.py."""

import textwrap

FILE = "generated/types.php"
COMMITTED = False

PREFIX = "PAYORDER_"
PARENTS = {
    "NotSent": "Nothing was sent. Fix the problem and call again, unless you cancelled the call",
    "Rejected": "The service refused the request: the message says why",
    "OutcomeUnknown": "The order may exist: give statusQuery to getStatus before anything else",
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


def cases(items):
    for one in items:
        yield one["meaning"], f"case {case_name(one['name'])} = '{one['name']}'"


def exception(name, parent, meaning):
    return f"{comment(meaning, '')}class {name}Exception extends {parent}Exception {{}}\n"


def array(name, items):
    return f"const {name} = [\n" + "".join(f"    {one},\n" for one in items) + "];\n"


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
            array(
                "ERROR_CLASSES",
                (f"{one['number']} => {one['class']}Exception::class" for one in classes),
            ),
            array(
                "USUAL_CAUSES",
                (
                    f"{key!r} => ['{cause}', Action::{case_name(action)}]"
                    for table in ("usualCauses", "duplicateCauses")
                    for key, (cause, action) in abi[table].items()
                ),
            ),
        ]
    )

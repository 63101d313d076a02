"""The constants of the PHP package: see bindings/constants.py."""

import textwrap

FILE = "src/constants.php"

PREFIX = "PAYORDER_"


def constant(name, meaning, value):
    lines = textwrap.wrap(f"{meaning[0].upper()}{meaning[1:]}.", 90)
    if len(lines) == 1:
        comment = f"    /** {lines[0]} */\n"
    else:
        comment = (
            "    /**\n" + "".join(f"     * {line}\n" for line in lines) + "     */\n"
        )
    return f"{comment}    public const {name} = {value};\n"


def class_(name, about, items):
    body = "\n".join(constant(*item) for item in items)
    return f"/** {about} */\nfinal class {name}\n{{\n{body}}}\n"


def named(items):
    return [
        (one["name"].upper(), one["meaning"], "'" + one["name"] + "'") for one in items
    ]


def text(abi):
    results = [
        (one["name"][len(PREFIX) :], one["meaning"], one["number"])
        for one in abi["results"]
    ]
    header = (
        "<?php\n\n"
        "// Written by bindings/constants.py from include/payorder-abi.json: do not change it.\n\n"
        "declare(strict_types=1);\n\nnamespace Payorder;\n\n"
    )
    return header + "\n".join(
        [
            class_("Result", "The range of the number is the outcome.", results),
            class_("Outcome", "What happened to the request.", named(abi["outcomes"])),
            class_(
                "Cause",
                "What exactly happened. Treat an unknown cause as its result.",
                named(abi["causes"]),
            ),
            class_("Action", "What to do next.", named(abi["actions"])),
        ]
    )

"""Writes lib/Payorder/Constants.pm: constants, error classes, and the names and types of settings."""

import textwrap

FILE = "lib/Payorder/Constants.pm"
COMMITTED = False


def constants(package, members):
    lines = "".join(f"    {key} => {value},\n" for key, value in members)
    return f"\npackage Payorder::{package};\nuse constant {{\n{lines}}};\n"


#: The options that are not in the configuration, with their types.
OPTIONS = {
    **dict.fromkeys("waitMs intervalMs maxIntervalMs concurrency".split(), "integer"),
    **dict.fromkeys("ratePerSecond limit after entry olderThanDays".split(), "integer"),
    **dict.fromkeys(("resend", "events"), "boolean"),
    **dict.fromkeys(("state", "note", "orderId"), "string"),
}


#: Keys that are methods, and those that are read in another way.
LISTS = [
    ("STATUS_DATA", "statusData", "transactionDate"),
    ("ENTRY", "entry"),
    ("SUMMARY", "summary", "stopped"),
    ("ERROR", "errorDetails", "violations", "statusQuery", "previous", "status"),
]


def words(name, names):
    lines = textwrap.fill(names, 96, initial_indent="    ", subsequent_indent="    ")
    return f"our %{name} = map {{ ( $_ => 1 ) }} qw(\n{lines}\n);\n"


def text(abi):
    prefix = len("PAYORDER_")
    written = "# Generated from include/payorder-abi.json by bindings/constants.py.\n"
    written += "package Payorder::Constants;\nuse strict;\nuse warnings;\n"
    written += f"use constant ABI_VERSION => {abi['abiVersion']};\n"
    results = [(one["name"][prefix:], one["number"]) for one in abi["results"]]
    written += constants("Result", results)
    for package in ("Outcome", "Cause", "Action"):
        names = [one["name"] for one in abi[f"{package.lower()}s"]]
        written += constants(package, [(name.upper(), f"'{name}'") for name in names])
    written += "\npackage Payorder::Constants;\n\n"
    # Perl's own modules have a TimeoutError, so ours says what was late.
    classes = [
        (one["number"], one["class"].replace("Timeout", "ResponseTimeout"))
        for one in abi["errorClasses"]
    ]
    written += "our %ERROR_CLASSES = (\n"
    written += "".join(f"    {number} => '{name}Error',\n" for number, name in classes)
    written += ");\n\nour %RESULT_NAMES = (\n"
    written += "".join(f"    {one['number']} => '{one['name']}',\n" for one in abi["results"])
    written += ");\n\n# For errors that a program's own tests make; a duplicate by the entry's state.\n"
    written += "our %USUAL_CAUSES = (\n"
    usual = {**abi["usualCauses"], **abi["duplicateCauses"]}
    for key, (cause, action) in usual.items():
        written += f"    {key} => [ '{cause}', '{action}' ],\n"
    written += ");\n\n# Perl does not tell numbers and booleans from text, so these settings do.\n"
    types = OPTIONS | {one["key"]: one["type"] for one in abi["config"]}
    for kind in ("integer", "boolean", "string"):
        names = " ".join(sorted(key for key, type in types.items() if type == kind))
        written += words(f"IS_{kind.upper()}", names)
    for name, kind, *without in LISTS:
        keys = [one["key"] for one in abi["objects"][kind]["keys"] if one["key"] not in without]
        written += f"our @{name} = qw({' '.join(keys)});\n"
    return written + "\n1;\n"

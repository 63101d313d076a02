"""Writes lib/payorder/constants.rb: constants, error classes and wire names; and
sig/generated.rbs: the types of error classes and of what results have."""

import json
import re
import textwrap

COMMITTED = False

PARENTS = {
    "NotSentError": "Nothing of the request was sent.",
    "RejectedError": "The service refused the request: the message says why.",
    "OutcomeUnknownError": "The order may exist: call `get_status(error)` before anything else.",
}


# Objects of the description, and their classes.
OBJECTS = {
    "entry": "JournalEntry",
    "errorDetails": "Error < StandardError",
    "reason": "FailedCheck",
    "recovered": "Recovered",
    "resolved": "Resolved",
    "sale": "Sale",
    "status": "Status",
    "statusData": "Status < Reading",
    "summary": "Summary",
    "violation": "Violation",
}
TYPES = {"string": "String", "integer": "Integer", "boolean": "bool", "object": "fields"}


def module(name, members):
    lines = "".join(f"    {key} = {value}\n" for key, value in members)
    return f"\n  module {name}\n{lines}  end\n"


def error(name, parent, meaning):
    comment = textwrap.fill(
        meaning, 98, initial_indent="  # ", subsequent_indent="  # "
    )
    return f"\n{comment}\n  class {name} < {parent}; end\n"


def class_names(abi):
    """Ruby has a TimeoutError already."""
    for one in abi["errorClasses"]:
        yield one, one["class"].replace("Timeout", "ResponseTimeout") + "Error"


def readers(name, keys):
    text = ""
    for one in keys:
        key = re.sub("[A-Z]", lambda letter: f"_{letter[0].lower()}", one["key"])
        # `message` is Ruby's own, and so is `cause`; a date is read.
        if (name, key) in (("errorDetails", "message"), ("statusData", "transaction_date")):
            continue
        key = "cause_name" if (name, key) == ("errorDetails", "cause") else key
        kind = OBJECTS.get(one.get("object"), TYPES.get(one["type"]))
        if one.get("values") == "integer":
            kind = "Hash[String, Integer]"
        elif "items" in one:
            kind = f"Array[{OBJECTS.get(one['items'], 'fields')}]"
        missing = (one["nullable"] or not one["always"]) and key != "violations"
        text += f"    attr_reader {key}: {kind}{'?' if missing else ''}\n"
    return text


def types(abi):
    written = "# Generated from include/payorder-abi.json by bindings/constants.py.\nmodule Payorder\n"
    for name, class_name in OBJECTS.items():
        if name != "status":
            keys = readers(name, abi["objects"][name]["keys"])
            written += f"  class {class_name}\n{keys}  end\n\n"
    for name in PARENTS:
        written += f"  class {name} < Error\n  end\n"
    for one, name in class_names(abi):
        written += f"  class {name} < {one['parent']}Error\n  end\n"
    return written + "end\n"


def text(abi):
    prefix = len("PAYORDER_")
    written = "# frozen_string_literal: true\n\n"
    written += "# Generated from include/payorder-abi.json by bindings/constants.py.\n"
    written += f"module Payorder\n  ABI_VERSION = {abi['abiVersion']}\n"
    written += module(
        "Result", [(one["name"][prefix:], one["number"]) for one in abi["results"]]
    )
    for name in ("Outcome", "Cause", "Action"):
        values = [one["name"] for one in abi[f"{name.lower()}s"]]
        written += module(name, [(value.upper(), f'"{value}"') for value in values])
    written += (
        "\n  # The base class of all errors: see errors.rb.\n"
        "  class Error < StandardError; end\n"
    )
    for name, meaning in PARENTS.items():
        written += error(name, "Error", meaning)
    classes = []
    for one, name in class_names(abi):
        classes.append(f"{one['number']} => {name}")
        meaning = f"{one['meaning'][0].upper()}{one['meaning'][1:]}."
        written += error(name, f"{one['parent']}Error", meaning)
    written += "\n  ERROR_CLASSES = {\n    " + ",\n    ".join(classes)
    written += "\n  }.freeze\n\n  USUAL_CAUSES = {\n    " + ",\n    ".join(
        f'{json.dumps(key)} => ["{cause}", "{action}"]'
        for table in ("usualCauses", "duplicateCauses")
        for key, (cause, action) in abi[table].items()
    )
    names = textwrap.fill(
        " ".join(abi["wireNames"]), 96, initial_indent=" " * 4, subsequent_indent=" " * 4
    )
    written += "\n  }.freeze\n"
    for name in ("statusData", "errorDetails", "entry", "sale", "summary"):
        keys = " ".join(one["key"] for one in abi["objects"][name]["keys"])
        constant = re.sub("[A-Z]", lambda letter: f"_{letter[0]}", name).upper()
        lines = textwrap.fill(keys, 96, initial_indent=" " * 4, subsequent_indent=" " * 4)
        written += f"\n  {constant} = %w[\n{lines}\n  ].freeze\n"
    written += f"\n  WIRE_NAMES = %w[\n{names}\n  ].freeze\n"
    return written + "end\n"


FILES = {"lib/payorder/constants.rb": text, "sig/generated.rbs": types}

"""Writes lib/payorder/constants.rb: constants, error classes and the names in messages."""

import json
import textwrap

FILE = "lib/payorder/constants.rb"
COMMITTED = False

PARENTS = {
    "NotSentError": "Nothing of the request was sent.",
    "RejectedError": "The service refused the request: the message says why.",
    "OutcomeUnknownError": "The order may exist: call `get_status(error)` before anything else.",
}


def module(name, members):
    lines = "".join(f"    {key} = {value}\n" for key, value in members)
    return f"\n  module {name}\n{lines}  end\n"


def error(name, parent, meaning):
    comment = textwrap.fill(
        meaning, 98, initial_indent="  # ", subsequent_indent="  # "
    )
    return f"\n{comment}\n  class {name} < {parent}; end\n"


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
    for one in abi["errorClasses"]:
        # Ruby has a TimeoutError already.
        name = one["class"].replace("Timeout", "ResponseTimeout") + "Error"
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
    written += f"\n  }}.freeze\n\n  WIRE_NAMES = %w[\n{names}\n  ].freeze\n"
    return written + "end\n"

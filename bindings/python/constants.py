"""Writes the results, causes and actions, and the texts of `payorder explain`."""

import json
import re
import textwrap

GENERATED = "# Generated from include/payorder-abi.json by bindings/constants.py.\n"


def results(abi):
    known = [one for one in abi["results"] if one["number"] >= 0]
    prefix = len("PAYORDER_")
    members = [(one["name"][prefix:], one["number"], one) for one in known]
    return (
        GENERATED
        + '"""The results of the library."""\n\n'
        + "from __future__ import annotations\n\nimport enum\n"
        + enumeration(
            "Result(enum.IntEnum)",
            "The results that this version knows by name. "
            "The range of the number is the outcome.",
            members,
        )
    )


def causes(abi):
    return (
        GENERATED
        + '"""Why a call failed and what to do next, as strings that a program may compare."""\n\n'
        + "from __future__ import annotations\n\nimport enum\n"
        + enumeration(
            "Cause(str, enum.Enum)",
            "The causes that this version knows: `error.cause == Cause.CONNECTION_REFUSED`.\n\n"
            "    A newer library may have more of them. For an unknown cause, use the class of the "
            "exception.\n    ",
            named(abi["causes"]),
        )
        + enumeration(
            "Action(str, enum.Enum)",
            "What to do next: `error.action == Action.RETRY`.",
            named(abi["actions"]),
        )
    )


def named(members):
    return [(one["name"].upper(), f'"{one["name"]}"', one) for one in members]


def enumeration(name, about, members):
    lines = f'\n\nclass {name}:\n    """{about}"""\n\n'
    for constant, value, one in members:
        for line in textwrap.wrap(python_names(one["meaning"]), width=93):
            lines += f"    #: {line}\n"
        lines += f"    {constant} = {value}\n"
    return lines


def python_names(meaning):
    """The keys in a text, in Python's spelling: `maxResponseBytes` is `max_response_bytes`."""

    def python_name(found):
        return re.sub("[A-Z]+", lambda letters: "_" + letters[0].lower(), found[0])

    return re.sub(r"`\w+`", python_name, meaning)


def explanations(abi):
    # The keys in the order of the manual.
    order = [key["key"] for key in abi["objects"]["errorDetails"]["keys"]]
    lists = {key: abi[key] for key in ("results", "causes", "actions")}
    lists["causes"] = [
        {**cause, "example": {"error": ordered(cause["example"]["error"], order)}}
        for cause in abi["causes"]
    ]
    # One entry to a line.
    members = (
        f"{json.dumps(key)}: [\n"
        + ",\n".join(json.dumps(entry, ensure_ascii=False) for entry in entries)
        + "\n]"
        for key, entries in lists.items()
    )
    return "{\n" + ",\n".join(members) + "\n}\n"


def ordered(error, order):
    return {key: error[key] for key in order if key in error}


FILES = {
    "payorder/results.py": results,
    "payorder/causes.py": causes,
    "../../tools/payorder_tools/command/explanations.json": explanations,
}

"""Writes the results, causes and actions."""

GENERATED = "# Generated from include/payorder-abi.json by bindings/constants.py.\n"


def results(abi):
    known = [one for one in abi["results"] if one["number"] >= 0]
    prefix = len("PAYORDER_")
    return (
        GENERATED
        + '"""The results of the library. docs/abi.md says what each means."""\n\n'
        + "from __future__ import annotations\n\nimport enum\n"
        + enumeration(
            "Result(enum.IntEnum)",
            "The results that this version knows by name. "
            "The range of the number is the outcome.",
            [(one["name"][prefix:], one["number"]) for one in known],
        )
    )


def causes(abi):
    return (
        GENERATED
        + '"""Why a call failed and what to do next, as strings that a program may compare.\n\n'
        + "docs/causes.md and `payorder explain` say what each means.\n"
        + '"""\n\nfrom __future__ import annotations\n\nimport enum\n'
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
    return [(one["name"].upper(), f'"{one["name"]}"') for one in members]


def enumeration(name, about, members):
    lines = "".join(f"    {constant} = {value}\n" for constant, value in members)
    return f'\n\nclass {name}:\n    """{about}"""\n\n{lines}'


FILES = {"payorder/results.py": results, "payorder/causes.py": causes}

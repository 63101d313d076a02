"""Writes payorder/constants.lua: results, outcomes, causes and actions."""

import json

FILE = "payorder/constants.lua"
COMMITTED = False


def table(name, members):
    lines = "".join(f"    {key} = {value},\n" for key, value in members)
    return f"  {name} = {{\n{lines}  }},\n"


def text(abi):
    prefix = len("PAYORDER_")
    written = "-- Generated from include/payorder-abi.json by bindings/constants.py.\n"
    written += f"return {{\n  ABI_VERSION = {abi['abiVersion']},\n"
    results = [(one["name"][prefix:], one["number"]) for one in abi["results"]]
    written += table("Result", results)
    for name in ("Outcome", "Cause", "Action"):
        names = [one["name"] for one in abi[f"{name.lower()}s"]]
        written += table(name, [(value.upper(), f'"{value}"') for value in names])
    usual = {**abi["usualCauses"], **abi["duplicateCauses"]}
    written += "  -- For errors that a program's own tests make; a duplicate by the entry's state.\n"
    written += table(
        "USUAL_CAUSES",
        [
            (f"[{json.dumps(key)}]", f'{{ "{cause}", "{action}" }}')
            for key, (cause, action) in usual.items()
        ],
    )
    return written + "}\n"

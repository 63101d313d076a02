"""Writes payorder/constants.lua: results, outcomes, causes, actions and the C functions."""

import json
from pathlib import Path

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
    keys = abi["objects"]["errorDetails"]["keys"]
    for name, found in (
        ("STATUS_DATA", abi["objects"]["statusData"]["keys"]),
        ("ERROR_TEXTS", [one for one in keys if one["type"] == "string"]),
        ("ERROR_VALUES", [one for one in keys if one["type"] != "string"]),
    ):
        names = ", ".join(f'"{one["key"]}"' for one in found)
        written += f"  {name} = {{ {names} }},\n"
    header = Path(__file__).parents[2] / "include" / "payorder.cdef"
    # From the first type on: the results are above.
    declared = "typedef" + header.read_text(encoding="utf-8").split("\ntypedef", 1)[1]
    return f"{written}  C = [[\n{declared}]],\n}}\n"

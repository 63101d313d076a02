"""Writes payorder/constants.lua: results, outcomes, causes and actions."""

FILE = "payorder/constants.lua"


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
    return written + "}\n"

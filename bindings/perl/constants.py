"""Writes lib/Payorder/Constants.pm: results, outcomes, causes and actions."""

FILE = "lib/Payorder/Constants.pm"


def constants(package, members):
    lines = "".join(f"    {key} => {value},\n" for key, value in members)
    return f"\npackage Payorder::{package};\nuse constant {{\n{lines}}};\n"


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
    return written + "\n1;\n"

"""Writes lib/payorder/constants.rb: results, outcomes, causes and actions."""

FILE = "lib/payorder/constants.rb"


def module(name, members):
    lines = "".join(f"    {key} = {value}\n" for key, value in members)
    return f"\n  module {name}\n{lines}  end\n"


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
    return written + "end\n"

"""Writes src/constants.js and src/constants.d.ts: results, outcomes, causes and actions."""

HEAD = "// Generated from include/payorder-abi.json by bindings/constants.py.\n"


def tables(abi):
    """The name of each table, and its keys and values as JavaScript."""
    prefix = len("PAYORDER_")
    yield "Result", [(one["name"][prefix:], one["number"]) for one in abi["results"]]
    for table in ("Outcome", "Cause", "Action"):
        names = [one["name"] for one in abi[f"{table.lower()}s"]]
        yield table, [(name.upper(), f"'{name}'") for name in names]


def script(abi):
    text = f"{HEAD}'use strict';\n\nexports.ABI_VERSION = {abi['abiVersion']};\n"
    for table, members in tables(abi):
        lines = "".join(f"  {key}: {value},\n" for key, value in members)
        text += f"\nexports.{table} = Object.freeze({{\n{lines}}});\n"
    text += "\n// For errors that a program's own tests make: a cause and an action for each result, and for\n"
    text += "// a duplicate by the state of the journal's entry.\n"
    usual = "".join(
        f"  {key}: ['{cause}', '{action}'],\n"
        for key, (cause, action) in {**abi["usualCauses"], **abi["duplicateCauses"]}.items()
    )
    return text + f"exports.USUAL_CAUSES = {{\n{usual}}};\n"


def types(abi):
    text = HEAD
    for table, members in tables(abi):
        lines = "".join(f"  readonly {key}: {value};\n" for key, value in members)
        text += f"\nexport declare const {table}: {{\n{lines}}};\n"
    return text


COMMITTED = False
FILES = {"src/constants.js": script, "src/constants.d.ts": types}

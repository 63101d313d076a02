"""The constants that the Pascal unit includes: see bindings/constants.py."""

FILE = "payorder_constants.inc"
COMMITTED = False


def text(abi):
    lines = ["const", f"  PAYORDER_ABI_VERSION = {abi['abiVersion']};", ""]
    for result in abi["results"]:
        lines.append(f"  {result['name']} = {result['number']};")
    for kind, items in (("CAUSE", abi["causes"]), ("ACTION", abi["actions"])):
        lines.append("")
        for item in items:
            name = item["name"].upper()
            lines.append(f"  PAYORDER_{kind}_{name} = '{item['name']}';")
    return "\n".join(lines) + "\n"

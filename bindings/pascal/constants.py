"""The constants of the Pascal unit, between two comments in it: see bindings/constants.py."""

from pathlib import Path

FILE = "payorder.pas"
BEGIN = "{ constants: written by constants.py }\n"
END = "{ end of constants }\n"


def text(abi):
    unit = (Path(__file__).parent / FILE).read_text(encoding="utf-8")
    before, rest = unit.split(BEGIN)
    after = rest.split(END)[1]
    lines = ["const", f"  PAYORDER_ABI_VERSION = {abi['abiVersion']};", ""]
    for result in abi["results"]:
        lines.append(f"  {result['name']} = {result['number']};")
    for kind, items in (("CAUSE", abi["causes"]), ("ACTION", abi["actions"])):
        lines.append("")
        for item in items:
            name = item["name"].upper()
            lines.append(f"  PAYORDER_{kind}_{name} = '{item['name']}';")
    return before + BEGIN + "\n".join(lines) + "\n" + END + after

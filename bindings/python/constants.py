"""The texts of `payorder explain`. bindings/constants.py writes the file."""

import json

FILE = "payorder/command/explanations.json"


def text(abi):
    # The keys in the order of the manual.
    order = [key["key"] for key in abi["objects"]["errorDetails"]["keys"]]
    lists = {key: abi[key] for key in ("results", "causes", "actions")}
    lists["causes"] = [
        {**cause, "example": {"error": ordered(cause["example"]["error"], order)}}
        for cause in abi["causes"]
    ]
    return json.dumps(lists, indent=1, ensure_ascii=False) + "\n"


def ordered(error, order):
    return {key: error[key] for key in order if key in error}

#!/usr/bin/env python3
"""Writes the constants of the language packages, from include/payorder-abi.json.

    bindings/constants.py            writes the files
    bindings/constants.py --check    fails if a file is not current

A package that has constants has a file `constants.py` in its folder:

    FILE = "src/constants.go"        the file to write, in the package's folder
    def text(abi): ...               its text, from the description in payorder-abi.json

or, for several files, `FILES`, which maps each file to the function that gives its text.
"""

import difflib
import json
import runpy
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent


def texts(abi):
    """The path and the text of each file."""
    for writer in sorted(FOLDER.glob("*/constants.py")):
        package = runpy.run_path(str(writer))
        files = package.get("FILES") or {package["FILE"]: package["text"]}
        for name, text in files.items():
            yield writer.parent / name, text(abi)


def main(arguments):
    if arguments not in ([], ["--check"]):
        sys.exit(__doc__)
    description = FOLDER.parent / "include" / "payorder-abi.json"
    abi = json.loads(description.read_text(encoding="utf-8"))
    stale = 0
    for path, text in texts(abi):
        current = path.read_text(encoding="utf-8") if path.exists() else ""
        if text == current:
            continue
        if arguments:
            stale += 1
            lines = current.splitlines(True), text.splitlines(True)
            sys.stdout.writelines(
                difflib.unified_diff(*lines, str(path), "what the library has")
            )
        else:
            path.write_text(text, encoding="utf-8")
            print(path)
    if stale:
        sys.exit("these constants are not current: run bindings/constants.py")


main(sys.argv[1:])

"""Puts the shared library that this Python uses into the bundle, in the package's folder."""

from pathlib import Path

from payorder._library import _file_name, library

# The program looks for this name only.
if Path(library._name).name != _file_name():
    raise SystemExit(f"payorder: {library._name} must have the name {_file_name()}")
binaries = [(library._name, "payorder")]

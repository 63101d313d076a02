"""A library with another version of the ABI, which every binding must refuse."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Dict, Optional

from .results import FUNCTIONS

VERSION = 99


def compiler() -> Optional[str]:
    """A C compiler, or None."""
    names = (os.environ.get("CC"), "cc", "gcc", "clang")
    return next((name for name in names if name and shutil.which(name)), None)


def environment(folder: Path, using: str) -> Dict[str, str]:
    """Builds the library, and returns the environment that makes a driver load it."""
    lines = [
        # `int` and pointers: a call returns 0 or NULL, if a binding makes one nevertheless.
        f"void *{name}(void) {{ return 0; }}"
        for name in FUNCTIONS
        if name not in ("payorder_abi_version", "payorder_version")
    ]
    lines.append(f"unsigned payorder_abi_version(void) {{ return {VERSION}; }}")
    lines.append(f'const char *payorder_version(void) {{ return "{VERSION}.0.0"; }}')
    source, library = folder / "other_abi.c", folder / "libpayorder.so"
    source.write_text("\n".join(lines) + "\n")
    subprocess.run(
        [using, "-shared", "-fPIC", "-o", str(library), str(source)],
        check=True,
        stdin=subprocess.DEVNULL,
    )
    path = os.pathsep.join(
        filter(None, [str(folder), os.environ.get("LD_LIBRARY_PATH")])
    )
    return {**os.environ, "PAYORDER_LIBRARY": str(library), "LD_LIBRARY_PATH": path}

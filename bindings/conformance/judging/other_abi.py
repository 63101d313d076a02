"""A library with another version of the ABI, which every binding must refuse."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Dict, Optional

SOURCE = Path(__file__).resolve().parent.parent / "stub.c"
VERSION = 99


def compiler() -> Optional[str]:
    """A C compiler, or None."""
    names = (os.environ.get("CC"), "cc", "gcc", "clang")
    return next((name for name in names if name and shutil.which(name)), None)


def environment(folder: Path, using: str) -> Dict[str, str]:
    """Builds the library, and returns the environment that makes a driver load it."""
    library = folder / "libpayorder.so"
    flags = ["-shared", "-fPIC", f"-DSTUB_VERSION={VERSION}", "-o", str(library)]
    subprocess.run([using, *flags, str(SOURCE)], check=True, stdin=subprocess.DEVNULL)
    path = os.pathsep.join(filter(None, [str(folder), os.environ.get("LD_LIBRARY_PATH")]))
    return {**os.environ, "PAYORDER_LIBRARY": str(library), "LD_LIBRARY_PATH": path}

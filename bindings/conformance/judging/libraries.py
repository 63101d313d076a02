"""Libraries that take the place of ours: most of them must be refused."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Dict, Optional, Tuple

from .results import ABI_VERSION

STUB = (Path(__file__).resolve().parents[1] / "stub.c").read_text(encoding="utf-8")
_OTHER_ABI = 99
#: The C source of each. None: the file does not exist. An empty source: the file is empty.
_SOURCES = {
    "missing": None,
    "empty": "",
    "foreign": "int another;",
    "older": "unsigned payorder_abi_version(void) { return %d; }" % ABI_VERSION,
    "other-abi": "#define STUB_VERSION %d\n%s" % (_OTHER_ABI, STUB),
    # Its answers cannot be read. It is not refused.
    "unreadable": STUB,
}
#: What the message of a package has in addition to the path, so that a reader knows what is wrong.
REFUSED: Dict[str, Tuple[str, ...]] = {
    "missing": ("(?i)no such file",),
    "empty": ("file too short",),
    "foreign": ("payorder_[a-z]|not a payorder library",),
    "older": ("payorder_[a-z]",),
    "other-abi": ("(?i)version", rf"\b{_OTHER_ABI}\b", rf"\b{ABI_VERSION}\b"),
}


def compiler() -> Optional[str]:
    """A C compiler, or None."""
    names = (os.environ.get("CC"), "cc", "gcc", "clang")
    return next((name for name in names if name and shutil.which(name)), None)


def environment(name: str, folder: Path, using: str) -> Dict[str, str]:
    """Builds the library, and returns the environment that makes a driver load it."""
    library = folder / "libpayorder.so"
    source = _SOURCES[name]
    if source:
        flags = ["-shared", "-fPIC", "-x", "c", "-", "-o", str(library)]
        subprocess.run([using, *flags], check=True, input=source.encode())
    elif source is not None:
        library.touch()
    path = os.pathsep.join(filter(None, [str(folder), os.environ.get("LD_LIBRARY_PATH")]))
    return {**os.environ, "PAYORDER_LIBRARY": str(library), "LD_LIBRARY_PATH": path}

"""Where the sandbox's program is."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import List, Optional

_SUFFIX = ".exe" if sys.platform == "win32" else ""
_HOW_TO_GET_ONE = (
    "install a wheel of payorder-tools, run `cargo build --example sandbox` in a checkout, "
    "or name the program in PAYORDER_SANDBOX"
)


class SandboxError(Exception):
    """The sandbox could not be started, or refused what a test asked for."""


def program() -> Path:
    """The sandbox's program: PAYORDER_SANDBOX, that of the package, a build, or an installed one.

    Raises `SandboxError` if there is none.
    """
    named = os.environ.get("PAYORDER_SANDBOX")
    if named:
        if not Path(named).is_file():
            raise SandboxError(
                f"PAYORDER_SANDBOX names {named}, which is not a file; {_HOW_TO_GET_ONE}"
            )
        return Path(named)
    packed = Path(__file__).resolve().parents[1] / f"payorder-sandbox{_SUFFIX}"
    if packed.is_file():
        return packed
    built = [path for path in _builds() if path.is_file()]
    if built:
        # The newest is the one that the developer has just built.
        return max(built, key=lambda path: path.stat().st_mtime)
    installed: Optional[str] = shutil.which("payorder-sandbox")
    if installed is None:
        raise SandboxError(f"the sandbox was not found: {_HOW_TO_GET_ONE}")
    return Path(installed)


def _builds() -> List[Path]:
    """Where cargo puts the program, if it has built the library that is in use."""
    try:
        from payorder._library import library
    except ImportError:
        return []
    # The library is in target/BUILD, or in target/BUILD/deps.
    folders = list(Path(library._name).resolve().parents)[:3]
    return [
        folder / build / "examples" / f"sandbox{_SUFFIX}"
        for folder in folders
        for build in ("debug", "release")
    ]


def could_not_start(path: str, reason: Optional[str]) -> SandboxError:
    """The error for a program that could not be started."""
    return SandboxError(f"the sandbox {path} cannot be started: {reason}; {_HOW_TO_GET_ONE}")

"""Commands that a user may paste into a shell."""

from __future__ import annotations

import shlex
import sys
from typing import Sequence


def one_command(words: Sequence[str]) -> str:
    """A command line that can be pasted into a shell."""
    if sys.platform == "win32":
        import subprocess  # It takes a while to import.

        return subprocess.list2cmdline(words)
    return " ".join(map(shlex.quote, words))

"""How far it is, on a terminal."""

from __future__ import annotations

import sys
import time
from typing import Optional

_WIDTH = 30
_EVERY_SECONDS = 0.1


class Progress:
    """A bar on stderr, where that is a terminal; nothing elsewhere."""

    def __init__(self, total: Optional[int]) -> None:
        self._total = total
        self._shown = sys.stderr.isatty()
        self._began = self._last = time.monotonic()

    def at(self, done: int) -> None:
        """So many are done."""
        now = time.monotonic()
        if not self._shown or now - self._last < _EVERY_SECONDS:
            return
        self._last = now
        pace = f"{done / (now - self._began):.0f} a second"
        if self._total:
            filled = min(_WIDTH, _WIDTH * done // self._total)
            bar = "#" * filled + "." * (_WIDTH - filled)
            self._write(f"[{bar}] {done:,} of {self._total:,}, {pace}")
        else:
            self._write(f"{done:,}, {pace}")

    def end(self) -> None:
        """Takes the bar away."""
        if self._shown:
            self._write("")

    def _write(self, text: str) -> None:
        sys.stderr.write(f"\r\x1b[K{text}")
        sys.stderr.flush()

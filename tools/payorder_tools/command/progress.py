"""Shows the progress of a long run on a terminal."""

from __future__ import annotations

import sys
import time

from .output import terminal_width

_WIDEST_BAR = 30
_NARROWEST_BAR = 5
_EVERY_SECONDS = 0.1


class Progress:
    """A line on stderr, if that is a terminal."""

    def __init__(self, total: int, shown: bool) -> None:
        self._total = total
        self._shown = shown and sys.stderr.isatty()
        self._began = self._last = time.monotonic()

    def at(self, done: int) -> None:
        """Shows how many are done."""
        now = time.monotonic()
        if not self._shown or now - self._last < _EVERY_SECONDS:
            return
        self._last = now
        rate = f"{done / (now - self._began):.0f} per second"
        self._write(f"{done:,} of {self._total:,}, {rate}", done / self._total)

    def end(self) -> None:
        """Removes the line."""
        if self._shown:
            self._write("")

    def _write(self, text: str, part: float = 0) -> None:
        # Some terminals wrap a line that is exactly as wide as they are.
        width = terminal_width(sys.stderr) - 1
        bar = min(_WIDEST_BAR, width - len(text) - 3)
        if text and bar >= _NARROWEST_BAR:
            filled = min(bar, int(bar * part))
            text = f"[{'#' * filled}{'.' * (bar - filled)}] {text}"
        try:
            sys.stderr.write(f"\r\x1b[K{text[:width]}")
            sys.stderr.flush()
        except (OSError, ValueError):
            self._shown = False

"""Draws a checkout URL as a QR code, for the customer's phone."""

from __future__ import annotations

import io
import sys

from .output import print_line, terminal_width, write

# The characters that a compact QR code is drawn with.
_BLOCKS = "\u2588\u2580\u2584"


def show_qr_code(url: str) -> None:
    """Draws a checkout URL, if stdout is a terminal. The URL itself was printed before."""
    if not sys.stdout.isatty() or not _can_show_blocks():
        return
    try:
        import segno
    except ImportError:
        print_line("(to see it as a QR code too: pip install segno)")
        return
    try:
        code = segno.make(url, micro=False)
        if code.symbol_size()[0] > terminal_width(sys.stdout):
            print_line("(this terminal is too narrow for the QR code)")
            return
        drawn = io.StringIO()
        code.terminal(drawn, compact=True)
    except Exception as error:
        # A failure here must not look like a failure of the order.
        print_line(f"(no QR code: {error})")
        return
    write(drawn.getvalue())


def _can_show_blocks() -> bool:
    try:
        _BLOCKS.encode(sys.stdout.encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True

"""A checkout address, for the customer's own phone."""

from __future__ import annotations

import sys


def show(url: str) -> None:
    """Prints the address, and on a terminal its QR code."""
    print(url, flush=True)
    if not sys.stdout.isatty():
        return
    try:
        import segno
    except ImportError:
        print("(as a QR code too, after: pip install 'payorder[cli]')")
        return
    try:
        segno.make(url, micro=False).terminal(compact=True)
    except UnicodeEncodeError:
        # A terminal without block characters.
        return

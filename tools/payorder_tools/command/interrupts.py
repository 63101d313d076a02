"""Ctrl-C during a call: it cancels the request, and no response is lost."""

from __future__ import annotations

import contextlib
import signal
from typing import Iterator

from payorder.cancellation import Cancellation


@contextlib.contextmanager
def recording_interrupts() -> Iterator[Cancellation]:
    """Within this context, Ctrl-C cancels the calls that have this, and raises no exception.

    A `KeyboardInterrupt` between the arrival of a response and its use would lose the response.
    """
    with Cancellation() as interrupts:
        before = signal.getsignal(signal.SIGINT)
        # If the signal is ignored (nohup), it stays ignored.
        if before is signal.default_int_handler:
            signal.signal(signal.SIGINT, lambda *_: interrupts.cancel())
        try:
            yield interrupts
        finally:
            signal.signal(signal.SIGINT, before)

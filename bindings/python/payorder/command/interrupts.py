"""Ctrl-C during a call: it cancels the request, and no response is lost."""

from __future__ import annotations

import contextlib
import signal
import threading
import time
from typing import Callable, Generic, Iterator, Optional, TypeVar

from ..client import Client

T = TypeVar("T")

# How often a waiting thread checks whether Ctrl-C was pressed.
_TICK = 0.1
# How long Ctrl-C waits for the call that it cancels. The library ends it within 0.1 s.
_ENDING_SECONDS = 5.0


class Interrupts:
    """Whether Ctrl-C was pressed."""

    def __init__(self) -> None:
        self.pressed = False

    def record(self, *_: object) -> None:
        """The signal handler."""
        self.pressed = True


@contextlib.contextmanager
def recording_interrupts() -> Iterator[Interrupts]:
    """Within this context, Ctrl-C is recorded and raises no exception.

    A `KeyboardInterrupt` between the arrival of a response and its use would lose the response.
    """
    interrupts = Interrupts()
    before = signal.getsignal(signal.SIGINT)
    # If the signal is ignored (nohup), it stays ignored.
    if before is signal.default_int_handler:
        signal.signal(signal.SIGINT, interrupts.record)
    try:
        yield interrupts
    finally:
        signal.signal(signal.SIGINT, before)


class CallResult(Generic[T]):
    """How a call ended: with a `value`, with an `error`, or not at all (both None)."""

    def __init__(self) -> None:
        self.value: Optional[T] = None
        self.error: Optional[BaseException] = None


def call_cancellably(
    client: Client, interrupts: Interrupts, call: Callable[[], T]
) -> CallResult[T]:
    """Makes a call of the client in a thread, and cancels it if Ctrl-C was pressed.

    Python runs signal handlers only in the main thread, and never while it is inside the library.
    """
    ended: CallResult[T] = CallResult()

    def make() -> None:
        try:
            ended.value = call()
        except BaseException as error:
            ended.error = error

    thread = threading.Thread(target=make, name="payorder-call", daemon=True)
    thread.start()
    give_up = None
    while thread.is_alive() and (give_up is None or time.monotonic() < give_up):
        thread.join(_TICK)
        if interrupts.pressed:
            give_up = give_up or time.monotonic() + _ENDING_SECONDS
            # Repeated, because a call that has not started yet cannot be cancelled.
            client.cancel()
    return ended

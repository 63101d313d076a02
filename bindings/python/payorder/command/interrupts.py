"""Ctrl-C while an order is sent: it cancels the request, and loses no answer."""

from __future__ import annotations

import contextlib
import signal
import threading
import time
from typing import Callable, Generic, Iterator, Optional, TypeVar

from ..client import Client

T = TypeVar("T")

# How often a waiting thread looks whether Ctrl-C was pressed.
_TICK = 0.1
# How long Ctrl-C waits for the call that it cancels. The library ends it within 0.1 s.
_ENDING_SECONDS = 5.0


class Interrupts:
    """Whether Ctrl-C was pressed."""

    def __init__(self) -> None:
        self.pressed = False

    def note(self, *_: object) -> None:
        """The handler of the signal."""
        self.pressed = True


@contextlib.contextmanager
def noted() -> Iterator[Interrupts]:
    """Within this, Ctrl-C is noted and raises nothing.

    `KeyboardInterrupt` could be raised between the arrival of an answer and its use, and the
    answer would be lost.
    """
    interrupts = Interrupts()
    before = signal.getsignal(signal.SIGINT)
    # Where somebody ignores the signal (nohup), that stays so.
    if before is signal.default_int_handler:
        signal.signal(signal.SIGINT, interrupts.note)
    try:
        yield interrupts
    finally:
        signal.signal(signal.SIGINT, before)


class Ended(Generic[T]):
    """How a call ended: with a `value`, with an `error`, or not at all (both None)."""

    def __init__(self) -> None:
        self.value: Optional[T] = None
        self.error: Optional[BaseException] = None


def cancellable(
    client: Client, interrupts: Interrupts, call: Callable[[], T]
) -> Ended[T]:
    """Makes a call of the client, which a noted Ctrl-C cancels.

    In a thread: Python acts on signals only in the main thread, and never inside a call of the
    library.
    """
    ended: Ended[T] = Ended()

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
            # Again and again: a call that is about to begin cannot be cancelled yet.
            client.cancel()
    return ended

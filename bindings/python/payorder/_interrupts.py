"""Calls that take long, made so that Ctrl-C ends them."""

from __future__ import annotations

import threading
import time
from typing import Any, List, Union

from ._events import log_kept
from ._handles import ClientHandle
from ._running import call, cancel_if_alone, exiting

#: How often a waiting thread checks for log events, and for Ctrl-C where that does not wake it.
TICK = 0.2
# How long Ctrl-C waits for the call that it ends.
_ENDING_SECONDS = 1.0


def call_interruptibly(client: ClientHandle, function: Any, *arguments: object) -> str:
    """Makes a long call of the client.

    Python handles signals in the main thread only, and never inside a call. So there the call gets
    a thread of its own. When the wait for it is interrupted, the call is cancelled.
    """
    if threading.current_thread() is not threading.main_thread() or exiting():
        return call(client, function, *arguments)
    ended = threading.Event()
    answers: List[Union[str, BaseException]] = []
    wanted = [True]

    def make() -> None:
        try:
            if wanted:
                answers.append(call(client, function, *arguments))
        except BaseException as error:
            answers.append(error)
        finally:
            ended.set()

    try:
        threading.Thread(target=make, name="payorder-call", daemon=True).start()
        while not ended.wait(TICK):
            log_kept()
    except BaseException:
        wanted.clear()
        give_up = time.monotonic() + _ENDING_SECONDS
        # Again and again, since a call that is about to begin is not in flight yet.
        while (
            cancel_if_alone(client)
            and not ended.wait(0.02)
            and time.monotonic() < give_up
        ):
            pass
        raise
    (given,) = answers
    if isinstance(given, BaseException):
        raise given
    return given

"""Waiting: for a payment to be final, and for any call that takes long, so that Ctrl-C ends it."""

from __future__ import annotations

import json
import threading
import time
from ctypes import c_void_p
from dataclasses import dataclass, field
from typing import Callable, List, Optional, Union

from ._events import cancel_if_alone, exiting, log_kept, logged
from ._library import answer, library
from .errors import PayorderError, error_class
from .statuses import Status

#: How often a thread that waits looks up: to log what was kept, and for Ctrl-C where waiting is not interrupted by it.
TICK = 0.2
# How long Ctrl-C waits for the call that it ends.
_ENDING_SECONDS = 1.0


@dataclass(frozen=True)
class Waited:
    """How a wait for a payment ended: `final`, or `timed_out`.

    `status` is the last one seen. Where none ever was it is None, and `error` says why the last question had no answer.
    """

    final: bool
    timed_out: bool
    polls: int  #: how often the service was asked
    status: Optional[Status]
    error: Optional[PayorderError]
    raw: str = field(repr=False)

    @classmethod
    def from_json(cls, raw: str) -> Waited:
        waited = json.loads(raw)
        status = error = None
        # As it stands in the text: parsed and written anew, fields that this version does not know could change.
        if "status" in waited:
            status = Status.from_json(
                answer(library.payorder_json_get, raw.encode(), b"/status")
            )
        else:
            inner = answer(library.payorder_json_get, raw.encode(), b"/error")
            error = error_class(waited["error"]["result"])(f'{{"error":{inner}}}')
        return cls(
            waited["final"], waited["timedOut"], waited["polls"], status, error, raw
        )


def interruptible(client: c_void_p, call: Callable[[], str]) -> str:
    """Makes a long call of the client.

    Python acts on signals in the main thread alone, and never inside a call; so there the call gets a thread of its
    own. When the waiting for it is interrupted, the call is cancelled. Where the client has other calls in
    flight, which cancelling would end too, it runs out on its own instead: it asks, and changes nothing.
    """
    if threading.current_thread() is not threading.main_thread() or exiting():
        with logged(client):
            return call()
    ended = threading.Event()
    answers: List[Union[str, BaseException]] = []
    wanted = [True]

    def make() -> None:
        try:
            with logged(client):
                if wanted:
                    answers.append(call())
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

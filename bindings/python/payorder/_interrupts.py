"""Signal handlers during a call.

Python runs signal handlers only in the main thread, and never while that thread is inside the
library. So the library calls back about every 50 ms while a call of the main thread waits. Python
then runs the handlers, and an exception that one of them raises ends the call.
"""

from __future__ import annotations

import atexit
import signal
import threading
from typing import Any, Dict, Generator, List, Optional, Tuple

from ._calls import LibraryResult
from ._events import log_pending_events
from ._handles import ClientHandle
from ._library import IDLE_FN, library
from ._running import begin, end, exiting, in_main_thread
from .cancellation import Cancellation, options_json
from .errors import PayorderError


class _Handlers:
    """Lets Python run signal handlers in the main thread, until one raises an exception.

    The library calls the `send` of a generator. Python runs the handlers when the generator goes
    on, which is inside `try`. In an ordinary function it would run them before the first `try`, and
    ctypes would only print what they raise.
    """

    def __init__(self) -> None:
        self.raised: List[BaseException] = []
        self.ended = False
        #: The thread that has this callback.
        self.thread: Optional[int] = None
        #: Whether events are logged while the call waits. A slow logging handler delays it then.
        self.logs = False
        self._running = self._run()
        next(self._running)
        self.idle = IDLE_FN(self._running.send)

    def _run(self) -> Generator[int, object, None]:
        try:
            while True:
                yield 0
                if self.logs:
                    log_pending_events()
        except GeneratorExit:
            raise
        except BaseException as error:
            self.ended = True
            # There is no call and no loop before `yield`, where the next handler could run.
            self.raised += (error,)
            yield 1

    def take(self) -> BaseException:
        """What a handler raised."""
        self._running.close()
        return self.raised.pop()


#: The last one is in use. It must exist as long as the library may call it.
_handlers: List[_Handlers] = []


def idle_handlers() -> Optional[_Handlers]:
    """The handlers of the main thread, or None if Python runs none in this one."""
    if not in_main_thread() or exiting():
        return None
    for last in _handlers[-1:]:
        if last.thread == threading.get_ident() and not last.ended:
            return last
    try:
        # Changes nothing: None is a TypeError. In another interpreter it is a ValueError.
        signal.signal(signal.SIGINT, None)
    except ValueError:
        return None
    except TypeError:
        handlers = _Handlers()
    _handlers.append(handlers)
    library.payorder_set_idle(handlers.idle, None)
    handlers.thread = threading.get_ident()
    del _handlers[:-1]
    return handlers


# At exit, before the generator ends.
atexit.register(library.payorder_set_idle, IDLE_FN(), None)


def call(
    client: ClientHandle,
    function: Any,
    arguments: Tuple[object, ...],
    options: Dict[str, object],
    cancellation: Optional[Cancellation] = None,
    received: Optional[LibraryResult] = None,
    logs: bool = False,
) -> str:
    """Makes one call of the client, and logs its events: with `logs` also while it waits.

    `arguments` are those between the client and the options. The exception of a signal handler is
    raised from here. A caller that needs the result even then passes `received`.
    """
    text = options_json(options, cancellation)
    del options  # Error trackers show variables, and it may have credentials.
    received = received or LibraryResult()
    handlers = idle_handlers()
    if handlers is not None:
        handlers.logs = logs
    begin(client, received, client.cancel)
    try:
        received.call(function, client.pointer, *arguments, text)
    except PayorderError as error:
        if handlers is not None and handlers.raised:
            raise handlers.take() from error
        raise
    finally:
        end(received)
    if handlers is not None and handlers.raised:
        raise handlers.take()
    return received.text or ""

"""Calls that do not block: the library's queue makes them, and their answers are taken."""

from __future__ import annotations

import contextvars
import ctypes
import itertools
import threading
from typing import Any, Callable, Dict, Generic, List, Optional, Set, Tuple, TypeVar

from . import _running
from ._events import listen, log_pending_events
from ._handles import ClientHandle
from ._interrupts import idle_handlers
from ._library import DONE_FN, library, string_free
from ._operations import Operation
from .cancellation import Cancellation, options_json, token_name
from .errors import error_class

Value = TypeVar("Value")

#: The longest wait for an answer, in milliseconds.
_LONGEST_WAIT = 2**32 - 1


class StartedCall(Generic[Value]):
    """A call that `Client.start` put into the queue.

    Attributes:
        ended: Whether the call was taken, so that `result` has an answer.
    """

    # The answer is not in `vars`, which error trackers show: a status has the customer's data.
    __slots__ = ("__dict__", "__weakref__", "_answer")

    ended: bool

    def __init__(
        self,
        operation: Operation[Value],
        on_end: Optional[Callable[[], object]] = None,
    ) -> None:
        # `on_end` runs in the thread that takes the answer, and may run twice.
        self.ended = False
        #: Whether the library has the call, or had it.
        self._was_started = False
        self._answer = 0, ""
        self._operation = operation.reader()
        self._on_end = on_end
        self._context: Optional[contextvars.Context] = contextvars.copy_context()
        self._own: Optional[Cancellation] = Cancellation()
        self._given = operation.cancellation

    def cancel(self) -> None:
        """Ends the call within about a tenth of a second. `result` says what happened to it."""
        own = self._own
        if own is not None:
            own.cancel()

    def result(self) -> Value:
        """Returns or raises what the method that blocks would have returned or raised."""
        if not self.ended:
            raise RuntimeError("the call has not ended: take_done has not returned it")
        return self._operation.read(*self._answer)

    def _linked(self) -> Cancellation:
        """A cancellation that `cancel` and the caller's one both cancel."""
        assert self._own is not None
        if self._given is None:
            return self._own
        token_name(self._given)
        return self._given._join(self._own)

    def _unlink(self) -> None:
        if self._given is not None and self._own is not None:
            self._given._unlink(self._own)
        self._own = self._given = None

    def _end(self, result: int, text: str) -> None:
        """Takes the answer. May be repeated."""
        self._answer = result, text
        self.ended = True
        self._unlink()
        context, self._context = self._context, None
        if context is not None:
            context.run(log_pending_events)


class _Place:
    """Where the library puts an answer."""

    def __init__(self) -> None:
        self.thread = threading.get_ident()
        self.taken, self.result = ctypes.c_int32(), ctypes.c_int32()
        self.text, self.number = ctypes.c_char_p(), ctypes.c_void_p()
        self.is_freed = False

    def pointers(self) -> Tuple[object, ...]:
        return (
            *(ctypes.byref(self.taken), ctypes.byref(self.result)),
            *(ctypes.byref(self.text), ctypes.byref(self.number)),
        )


class Queue:
    """The started calls of one client, in this process."""

    def __init__(self, client: ClientHandle) -> None:
        self._client = client
        self._closed = False
        #: How often the client was cancelled.
        self.cancels: int = 0
        self._numbers = itertools.count(1)
        self.forget()
        _running.queues.add(self)
        # Nobody else may take what they have: then this frees their clients.
        for queue in tuple(_running.closed):
            queue.settle()

    def forget(self) -> None:
        """For a forked child: the calls go on in the parent."""
        self._calls: Dict[int, StartedCall[Any]] = {}
        _running.closed.discard(self)
        #: Those that have ended, until `take` returns them; without those that have `on_end`.
        self._ended: Dict[int, StartedCall[Any]] = {}
        # A signal handler may raise an exception before an answer has reached its call.
        self._places: List[_Place] = []
        #: Calls of asyncio that began before a `close`, and that the library does not have yet.
        self.beginning: Set[StartedCall[Any]] = set()
        #: What takes the answers in event loops of asyncio, a weak reference.
        self.loops: Callable[[], Any] = lambda: None
        #: How many event loops watch the descriptor: it must stay open.
        self.watched = 0

    def start(self, call: StartedCall[Any], operation: Operation[Any]) -> None:
        """Starts a call, or raises: then nothing was sent."""
        text = options_json(operation.options, call._linked())
        listen(self._client, not _running.exiting())
        number = next(self._numbers)
        # The library writes its error here, or NULL if it has the call. A signal handler may raise
        # an exception before it was asked, or after it has the call.
        out = ctypes.c_char_p(b"not asked")
        try:
            # Before it is started: another thread may take its answer at once.
            self._calls[number] = call
            call._was_started = True
            result = library.payorder_start(
                self._client.owned if call in self.beginning else self._client.pointer,
                operation.name.encode(),
                (*operation.arguments, None)[0],
                text,
                DONE_FN(),
                number,
                ctypes.byref(out),
            )
        finally:
            refused = out.value
            if refused is not None:
                call._was_started = False
                self._calls.pop(number, None)
                call._unlink()
                if refused != b"not asked":
                    string_free(out)
        if refused is not None:
            raise operation.complete(error_class(result)(refused.decode()))

    def cancel(self) -> None:
        """The client is about to be cancelled, and the library does not know each call yet."""
        if not self._closed:
            self.cancels += 1

    def begin(self, call: StartedCall[Any]) -> None:
        """The call will be started, also if the client is closed meanwhile."""
        if not self._closed:
            self.beginning.add(call)

    def has_calls(self) -> bool:
        """Whether there are calls that were not taken."""
        return bool(self._calls)

    def take(self, seconds: float) -> List[StartedCall[Any]]:
        """The calls that have ended. Waits for the first one."""
        self.settle(seconds)
        # One step of Python: a signal handler runs before it or after it. Another thread may take
        # one of them.
        takes = map(self._ended.pop, tuple(self._ended), itertools.repeat(None))
        return list(filter(None, takes))

    def settle(self, seconds: float = 0) -> None:
        """Takes the answers that are there. Waits for the first one."""
        wait = round(min(max(seconds * 1000, 0), _LONGEST_WAIT))
        handlers = idle_handlers() if wait else None
        for place in tuple(self._places):
            if place.thread == threading.get_ident():
                self._settle(place)
        while self._calls:
            place = _Place()
            self._places.append(place)
            library.payorder_take_done(
                self._client.owned, 0 if self._ended else wait, *place.pointers()
            )
            if not self._settle(place):
                break
        self.free_if_done()
        if handlers is not None and handlers.raised:
            raise handlers.take()

    def _settle(self, place: _Place) -> bool:
        """Gives an answer to its call. Whether there was one."""
        number, text = place.number.value or 0, place.text.value
        if text is not None and not place.is_freed:
            call = self._calls.get(number)
            if call is not None:
                call._end(place.result.value, text.decode())
                if call._on_end is not None:
                    call._on_end()
                else:
                    self._ended[number] = call
            # Set first, so that a signal at this point cannot cause a second free.
            place.is_freed = True
            string_free(place.text)
        self._calls.pop(number, None)
        self._places.remove(place)
        return place.taken.value == 1

    def fileno(self) -> int:
        """What an event loop can wait for."""
        handle: int = library.payorder_done_handle(self._client.owned)
        if handle == -1:
            raise OSError("the client is closed, or the system has no descriptor left")
        return handle

    def close(self) -> None:
        """Refuses later calls. The client is freed when every call has ended and was taken."""
        self._closed = True
        self._client.pointer = ctypes.c_void_p()
        _running.closed.add(self)
        self.free_if_done()

    def free_if_done(self) -> None:
        if self._closed and not self._calls and not self.beginning:
            _running.closed.discard(self)
            if not self.watched:
                self._client.close()

    def end(self) -> bool:
        """Ends the calls, because the interpreter exits. Whether some are left."""
        if self._calls:
            library.payorder_client_cancel(self._client.owned)
            self.settle()
        return bool(self._calls)

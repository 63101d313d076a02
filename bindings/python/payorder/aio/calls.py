"""One call of the library in a thread, and the task that awaits its result.

The task always waits for the result, also after it was cancelled: then the library's call is
cancelled too, and ends within about a tenth of a second. The result is not passed through the event
loop. So it is not lost if the loop is closed first.

The threads belong to one client: other programs' work cannot fill them. A thread ends when no call
waits for it. All are daemons: at exit, `_running` ends their calls.
"""

from __future__ import annotations

import asyncio
import collections
import contextlib
import contextvars
import functools
import inspect
import os
import re
import threading
from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    Coroutine,
    Deque,
    Generic,
    Iterator,
    Optional,
    TypeVar,
)

from .._calls import made_error
from .._running import exiting, start_thread
from ..cancellation import Cancellation, token_name
from ..causes import Action, Cause
from ..results import Result

if TYPE_CHECKING:
    from typing_extensions import Concatenate, ParamSpec

    Parameters = ParamSpec("Parameters")

Value = TypeVar("Value")


class Threads:
    """At most `limit` threads. Further calls wait, and begin in the order in which they came."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._begin()

    def _begin(self) -> None:
        self._process = os.getpid()
        self._lock = threading.Lock()
        self._waiting: Deque[Call[Any]] = collections.deque()
        self._running = 0

    def start(self, call: Call[Any]) -> None:
        """Runs a call in a thread, now or when one is free. If there is none, the call fails."""
        if os.getpid() != self._process:
            # A forked child has none of its parent's threads.
            self._begin()
        with self._lock:
            self._waiting.append(call)
            if self._running >= self._limit:
                return
            self._running += 1
        try:
            start_thread("payorder-aio", self._work)
        except RuntimeError:
            with self._lock:
                self._running -= 1
            # If another thread was just free, it makes the call.
            if self.remove(call):
                call.refuse(
                    Result.INTERNAL,
                    Cause.NO_RESOURCES,
                    Action.RETRY_LATER,
                    "the system gave this process no thread; nothing was sent",
                )

    def remove(self, call: Call[Any]) -> bool:
        """Whether the call had not begun. Then it never begins."""
        with self._lock:
            if call not in self._waiting:
                return False
            self._waiting.remove(call)
            return True

    def _work(self) -> None:
        while True:
            with self._lock:
                if not self._waiting:
                    self._running -= 1
                    return
                call = self._waiting.popleft()
            if exiting():
                call.cancel()
            else:
                call.run()


class Call(Generic[Value]):
    """A call with its result: after `ended`, either `value` or `error` is set."""

    def __init__(
        self,
        threads: Threads,
        function: Callable[[Cancellation], Value],
        given: Optional[Cancellation] = None,
        own: Optional[Cancellation] = None,
    ) -> None:
        self.value: Optional[Value] = None
        self.error: Optional[BaseException] = None
        self.ended = False
        #: Whether the task no longer waits for the result.
        self.dropped = False
        self.loop = asyncio.get_running_loop()
        self._threads = threads
        self._function = function
        self._given = given
        self._own = own or Cancellation()
        self._context = contextvars.copy_context()
        # Set when the call has ended. The result is not in it.
        self._woken: asyncio.Future[None] = self.loop.create_future()

    def run(self) -> None:
        """Makes the call. In a thread."""
        try:
            with self._linked() as cancellation:
                self.value = self._context.run(self._function, cancellation)
        except BaseException as error:
            self.error = error
        self._end()

    def cancel(self) -> None:
        """Ends a call that never begins, because it was cancelled or the interpreter exits."""
        self.refuse(
            Result.CANCELLED,
            Cause.CANCELLED,
            Action.NONE,
            "cancelled before the call began; nothing was sent",
        )

    def refuse(
        self, result: Result, cause: Cause, action: Action, message: str
    ) -> None:
        """Ends a call that never begins, with an error."""
        self.error = made_error(result, cause, action, message)
        self._end()

    @contextlib.contextmanager
    def _linked(self) -> Iterator[Cancellation]:
        """A cancellation that the task's own one and the caller's both cancel."""
        if self._given is None:
            yield self._own
            return
        try:
            yield self._given._join(self._own)
        finally:
            self._given._unlink(self._own)

    def _end(self) -> None:
        # They have the order, with the customer's data. The outcome may be kept for long.
        del self._function, self._context
        self.ended = True
        # RuntimeError: the event loop is closed.
        with contextlib.suppress(RuntimeError):
            self.loop.call_soon_threadsafe(self._wake)

    def _wake(self) -> None:
        if not self._woken.done():
            self._woken.set_result(None)

    async def result(self, patience: Optional[float] = None) -> Value:
        """Starts the call, and returns or raises its result.

        After the task was cancelled, `CancelledError` is raised when the call has ended, or after
        `patience` seconds. The library's error is its cause.
        """
        stop: Optional[asyncio.CancelledError] = None
        if self._given is not None:
            token_name(self._given)
        try:
            self._threads.start(self)
            while not self._woken.done():
                try:
                    ended, _ = await asyncio.wait(
                        [self._woken], timeout=patience if stop else None
                    )
                    if not ended:
                        break
                except asyncio.CancelledError as error:
                    # Each time: only the first one of several cancels the call.
                    stop = stop or error
                    self._stop()
        except BaseException:
            # The event loop gave up the task, or Ctrl-C was pressed.
            self.dropped = True
            self._stop()
            raise
        if stop is not None:
            self.dropped = True
            raise self._stopped(stop)
        if self.error is not None:
            try:
                raise self.error
            finally:
                # The traceback has this frame, which would keep the error alive.
                self.error = None
        value: Value = self.value  # type: ignore[assignment]
        return value

    def _stop(self) -> None:
        """Cancels the call. If it has not begun, it never begins."""
        if self._threads.remove(self):
            self.cancel()
        else:
            self._own.cancel()

    def _stopped(self, stop: asyncio.CancelledError) -> asyncio.CancelledError:
        """What a cancelled task raises: exactly a `CancelledError`, as `asyncio.timeout` needs."""
        stop.__cause__ = self.error
        return stop


def awaited(
    method: Callable[Concatenate[Any, Parameters], Value],
    if_cancelled: str = "",
    long: bool = False,
) -> Callable[Concatenate[Any, Parameters], Coroutine[Any, Any, Value]]:
    """A method that makes a call of the ordinary client or journal in a thread.

    Its task cancels the call. `long` calls have threads of their own.
    """

    call: Callable[..., Value] = method

    async def own(self: Any, *args: Any, **given: Any) -> Value:
        cancellation = given.pop("cancellation", None)

        def function(own: Cancellation) -> Value:
            return call(self._ordinary, *args, **given, cancellation=own)

        threads = self._waits if long else self._calls
        return await Call(threads, function, cancellation).result()

    return described(method, if_cancelled)(own)


def same(
    method: Callable[Concatenate[Any, Parameters], Value],
) -> Callable[Concatenate[Any, Parameters], Value]:
    """A method that calls that of the ordinary client."""

    def own(self: Any, *args: Any, **given: Any) -> Value:
        return method(self._ordinary, *args, **given)

    return described(method)(own)


def described(
    method: Callable[Concatenate[Any, Parameters], object], more: str = ""
) -> Callable[[Callable[..., Value]], Callable[Concatenate[Any, Parameters], Value]]:
    """Gives a method the signature and the description of the ordinary one, and `more`.

    A method with a docstring of its own gets only the sections: arguments, result and errors.
    """
    text = inspect.getdoc(method) or ""
    about, args, sections = text.partition("\n\nArgs:\n")
    about = re.sub(r"\s+Ctrl-C [^.]*\.", "", about)

    def decorate(
        own: Callable[..., Value],
    ) -> Callable[Concatenate[Any, Parameters], Value]:
        told = inspect.getdoc(own) or "\n\n".join(filter(None, (about, more)))
        functools.update_wrapper(own, method, ("__annotations__", "__name__"), ())
        own.__qualname__ = f"Async{method.__qualname__}"
        own.__doc__ = told + args + sections
        return own

    return decorate

"""One call of the library in a thread, and the task that awaits its result.

The task always waits for the result, also after it was cancelled: then the library's call is
cancelled too, and ends within about a tenth of a second. The result is not passed through the event
loop. So it is not lost if the loop is closed first.
"""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
from typing import Any, Callable, Dict, Generic, Iterator, Optional, Tuple, TypeVar

from .._calls import made_error
from ..cancellation import Cancellation, token_name
from ..causes import Action, Cause
from ..results import Result
from .threads import Threads

Value = TypeVar("Value")


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


async def in_thread(
    threads: Threads,
    method: Callable[..., Value],
    args: Tuple[Any, ...],
    given: Dict[str, Any],
) -> Value:
    """Calls a method in a thread. A cancelled task cancels the call."""
    given = dict(given)
    cancellation = given.pop("cancellation", None)

    def function(own: Cancellation) -> Value:
        return method(*args, **given, cancellation=own)

    return await Call(threads, function, cancellation).result()

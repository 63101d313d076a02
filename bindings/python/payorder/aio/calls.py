"""One call that a task awaits: in the library's queue, or in a thread.

The task always waits for the result, also after it was cancelled: then the library's call is
cancelled too, and ends within about a tenth of a second. The result is not passed through the event
loop. So it is not lost if the loop is closed first.
"""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import functools
import inspect
import re
from concurrent.futures import Future
from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    Coroutine,
    Generic,
    Optional,
    TypeVar,
    Union,
)

from .._operations import Operation
from .._running import start_thread
from ..cancellation import Cancellation, token_name
from ..started import StartedCall
from .loops import Loops, no_thread

if TYPE_CHECKING:
    from typing_extensions import Concatenate, ParamSpec

    Parameters = ParamSpec("Parameters")

Value = TypeVar("Value")


class InThread(Generic[Value]):
    """A call that the library's queue does not have, in a thread of its own.

    It is a daemon: at exit, `_running` ends its call.
    """

    def __init__(
        self,
        function: Callable[[Cancellation], Value],
        given: Optional[Cancellation] = None,
        own: Optional[Cancellation] = None,
    ) -> None:
        self._function = function
        self._given = given
        self._own = own or Cancellation()
        self._outcome: Future[Value] = Future()
        self._was_started = False

    @property
    def ended(self) -> bool:
        return self._outcome.done()

    def cancel(self) -> None:
        self._own.cancel()

    def result(self) -> Value:
        return self._outcome.result()

    def start(self, on_end: Callable[[], object]) -> None:
        if self._given is not None:
            token_name(self._given)
        run = contextvars.copy_context().run
        try:
            self._was_started = True
            start_thread("payorder-aio", run, self._run, on_end)
        except RuntimeError:
            self._was_started = False
            raise no_thread() from None

    def _run(self, on_end: Callable[[], object]) -> None:
        own, given = self._own, self._given
        try:
            # The caller's cancellation cancels the task's own one too.
            self._outcome.set_result(self._function(given._join(own) if given else own))
        except BaseException as error:
            self._outcome.set_exception(error)
        if given is not None:
            given._unlink(own)
        on_end()


class Call(Generic[Value]):
    """The wait of a task for a call."""

    made: Union[StartedCall[Value], InThread[Value]]

    def __init__(self) -> None:
        self.loop: asyncio.AbstractEventLoop = asyncio.get_running_loop()
        # Set when the call has ended. The result is not in it.
        self._woken: asyncio.Future[None] = self.loop.create_future()

    async def start(self) -> None:
        """Starts the call, or raises: then nothing was sent."""
        raise NotImplementedError

    def leave(self) -> None:
        """The task waits no more."""

    def cancel(self) -> None:
        """The task was cancelled."""
        self.made.cancel()

    def stopped(self) -> Optional[BaseException]:
        """What the `CancelledError` of a cancelled task has as its cause."""
        if self.made.ended:
            try:
                self.made.result()
            except Exception as error:
                return error
        return None

    def wake(self) -> None:
        """The call has ended. From any thread."""
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
        try:
            await self.start()
            while not self._woken.done():
                try:
                    ended, _ = await asyncio.wait([self._woken], timeout=patience if stop else None)
                    if not ended:
                        break
                except asyncio.CancelledError as error:
                    # Each time: only the first one of several cancels the call.
                    stop = stop or error
                    self.cancel()
        except BaseException:
            # It was not started, or the event loop gave up the task, or a signal handler raised an
            # exception.
            if self.made._was_started:
                self.made.cancel()
            raise
        finally:
            self.leave()
        if stop is not None:
            # Exactly a `CancelledError`, as `asyncio.timeout` needs.
            stop.__cause__ = self.stopped()
            raise stop
        return self.made.result()


class QueuedCall(Call[Value]):
    """A call in the library's queue."""

    def __init__(self, loops: Loops, operation: Operation[Value]) -> None:
        super().__init__()
        self.made: StartedCall[Value] = StartedCall(operation, self.wake)
        self._operation: Optional[Operation[Value]] = operation
        self._loops = loops
        self._has_entered = False

    async def start(self) -> None:
        queue = self._loops.queue
        cancels = queue.cancels
        queue.begin(self.made)
        # A task that is already cancelled ends here, and nothing is sent. In the first turn, the
        # event loop calls the timers that have expired.
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        if queue.cancels != cancels:
            # The library did not know this call.
            self.made.cancel()
        operation, self._operation = self._operation, None
        assert operation is not None
        self._loops.enter(self.loop)
        self._has_entered = True
        queue.start(self.made, operation)
        queue.beginning.discard(self.made)

    def cancel(self) -> None:
        self.made.cancel()
        # A signal handler may have interrupted the taking of its answer, or the event loop just
        # before it woke the task.
        self._loops.queue.settle()
        if self.made.ended:
            self._wake()

    def leave(self) -> None:
        queue = self._loops.queue
        queue.beginning.discard(self.made)
        if self._has_entered:
            self._loops.leave(self.loop)
        else:
            queue.free_if_done()


class ThreadCall(Call[Value]):
    """A call in a thread."""

    def __init__(
        self,
        function: Callable[[Cancellation], Value],
        given: Optional[Cancellation] = None,
        own: Optional[Cancellation] = None,
    ) -> None:
        super().__init__()
        self.made: InThread[Value] = InThread(function, given, own)

    async def start(self) -> None:
        self.made.start(self.wake)


# Decorators, because type checkers do not trust an attribute without a type of its own. What they
# decorate has only the end of the description.


def queued(
    method: Callable[Concatenate[Any, Parameters], Value],
) -> Callable[
    [Callable[..., object]], Callable[Concatenate[Any, Parameters], Coroutine[Any, Any, Value]]
]:
    """Makes a method that puts the call of the ordinary client or journal into the queue.

    Its task cancels the call.
    """

    prepare: Callable[..., Any] = method

    async def own(self: Any, *args: Any, **given: Any) -> Value:
        asked: Operation[Value] = prepare(self._prepares, *args, **given)
        given.clear()  # Error trackers show variables, and it may have credentials.
        return await QueuedCall(self._loops, asked).result()

    return lambda empty: described(method, inspect.getdoc(empty))(own)


def in_thread(
    method: Callable[Concatenate[Any, Parameters], Value],
) -> Callable[
    [Callable[..., object]], Callable[Concatenate[Any, Parameters], Coroutine[Any, Any, Value]]
]:
    """Makes a method that makes a call of the ordinary journal in a thread.

    Its task cancels the call.
    """

    call: Callable[..., Value] = method

    async def own(self: Any, *args: Any, **given: Any) -> Value:
        cancellation = given.pop("cancellation", None)

        def function(own: Cancellation) -> Value:
            return call(self._ordinary, *args, **given, cancellation=own)

        return await ThreadCall(function, cancellation).result()

    return lambda empty: described(method, inspect.getdoc(empty))(own)


def same(
    method: Callable[Concatenate[Any, Parameters], Value],
) -> Callable[[Callable[..., object]], Callable[Concatenate[Any, Parameters], Value]]:
    """Makes a method that calls that of the ordinary client."""

    def own(self: Any, *args: Any, **given: Any) -> Value:
        return method(self._ordinary, *args, **given)

    return lambda empty: described(method)(own)


def described(
    method: Callable[Concatenate[Any, Parameters], object], more: Optional[str] = None
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

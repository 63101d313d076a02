"""Create Order in a task: what became known of an order whose task was cancelled."""

from __future__ import annotations

import os
from typing import Dict, List, Optional

from ..errors import OutcomeUnknownError, PayorderError
from ..orders import Checkout
from .calls import QueuedCall
from .loops import Loops


class OrderCancelled(Exception):
    """The outcome of a `create_order` whose task was cancelled.

    It is the `__cause__` of the `CancelledError`, so a traceback shows it. `asyncio.timeout` and
    `wait_for` turn that one into a `TimeoutError`: `OrderCancelled.find` finds it there too.

    Attributes:
        order_id: The order's identifier.
        checkout: The created order, or None.
        error: Why there is no checkout, otherwise None. If it is an `OutcomeUnknownError`, the
            order may exist. None without a checkout: the call has not ended, and the order may
            exist.
    """

    order_id: Optional[str]
    checkout: Optional[Checkout]
    error: Optional[PayorderError]

    def __init__(
        self,
        order_id: Optional[str],
        checkout: Optional[Checkout],
        error: Optional[PayorderError],
    ) -> None:
        super().__init__(order_id, checkout, error)
        self.order_id, self.checkout, self.error = order_id, checkout, error

    @property
    def may_exist(self) -> bool:
        """Whether the order was created or may have been created."""
        return self.error is None or isinstance(self.error, OutcomeUnknownError)

    def __str__(self) -> str:
        if self.checkout is not None:
            url = self.checkout.url
            return f"the order {self.order_id} was created; send the customer to {url}"
        error = self.error or "it may exist, and take_undelivered returns its outcome"
        return f"the task of the order {self.order_id} was cancelled: {error}"

    @staticmethod
    def find(error: BaseException) -> Optional[OrderCancelled]:
        """Finds the outcome in an exception and in those that led to it.

        Args:
            error: A `CancelledError`, or a `TimeoutError` of `asyncio`.

        Returns:
            The outcome, or None if `create_order` was not cancelled, or before it sent anything.
        """
        seen: List[BaseException] = []
        next_ones: List[Optional[BaseException]] = [error]
        while next_ones:
            one = next_ones.pop()
            if one is None or one in seen:
                continue
            if isinstance(one, OrderCancelled):
                return one
            seen.append(one)
            next_ones += [one.__context__, one.__cause__]
        return None


class OrderCall(QueuedCall[Checkout]):
    """A `create_order`."""

    order_id: Optional[str] = None
    #: Whether the task does not receive the outcome, and the order may exist.
    dropped: bool = False

    def stopped(self) -> Optional[OrderCancelled]:
        if not self.made.ended:
            return None
        try:
            return OrderCancelled(self.order_id, self.made.result(), None)
        except PayorderError as error:
            return OrderCancelled(self.order_id, None, error)


class Undelivered:
    """The calls whose result no task has received yet."""

    def __init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self._process = os.getpid()
        self._calls: Dict[int, OrderCall] = {}

    async def result(self, call: OrderCall) -> Checkout:
        """The result of a call, which is kept here until the task has it."""
        if os.getpid() != self._process:
            # The parent of a fork has its calls itself.
            self._begin()
        self._calls[id(call)] = call
        try:
            checkout = await call.result()
            del self._calls[id(call)]
            return checkout
        except BaseException as error:
            outcome = None
            if call.made._was_started and getattr(error, "raw", None) is not call.made._answer[1]:
                # Not the call's own error: the task was cancelled, or a signal handler raised it.
                outcome = call.stopped() or OrderCancelled(call.order_id, None, None)
                call.dropped = outcome.may_exist
            if call.dropped:
                # Again: it may be removed already.
                self._calls[id(call)] = call
            else:
                self._calls.pop(id(call), None)
            if outcome is not None and isinstance(error, PayorderError):
                # A signal handler's own call failed. Its error says nothing about this order.
                raise outcome.error or outcome from error
            raise

    def take(self, loops: Loops) -> List[OrderCancelled]:
        """Removes and returns the outcomes that no task will receive."""
        loops.take()
        taken = []
        for key, call in list(self._calls.items()):
            if call.made.ended and (call.dropped or call.loop.is_closed()):
                self._calls.pop(key, None)
                outcome = call.stopped()
                if outcome is not None and outcome.may_exist:
                    taken.append(outcome)
        return taken

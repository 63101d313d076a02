"""The client for asyncio: its calls go through the library's queue."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, Iterable, List, Mapping, Optional, overload

from .._arguments import BatchOptions, OrderArguments, OrderOptions
from ..batch import Query
from ..client import Client, Prepares
from ..configuration import Config
from ..orders import Checkout
from .calls import described, queued, same
from .journals import AsyncJournal
from .loops import Loops
from .orders import OrderCall, OrderCancelled, Undelivered
from .statuses import AsyncStatuses

if TYPE_CHECKING:
    from typing_extensions import Unpack


class AsyncClient:
    """A client whose calls are awaited. It uses a `payorder.Client`, and closes it at the end.

        async with AsyncClient(payorder.Client("https://pay.example.com", ...)) as client:
            checkout = await client.create_order(amount="100.00", order_id=..., ...)

    One is enough for a process. Calls are in the client's queue, and never in threads of the event
    loop, so other work in `asyncio.to_thread` does not delay them. At most `max_calls` of the
    client run at once. Further ones wait: their time limit counts from the start, and a call that
    is cancelled while it waits sends nothing. A `wait_for_payment` holds no thread between its
    queries, and delays no order.

    Give the client a journal: it has the outcome of every order, also if the program ends.
    """

    def __init__(self, client: Client) -> None:
        """Creates a client. Several event loops may use it, also at the same time.

        Args:
            client: The client that makes the calls. Required.
        """
        if not isinstance(client, Client):
            kind = type(client).__name__
            raise TypeError(f"client must be a payorder.Client, not {kind}")
        self._ordinary = client
        self._prepares: Any = Prepares(client)
        self._kept = Loops.of(client)
        self._undelivered = Undelivered()

    @property
    def _loops(self) -> Loops:
        """Those of this process."""
        self._kept = Loops.of(self._ordinary)
        return self._kept

    @classmethod
    def from_env(cls, base_url: Optional[str] = None, **settings: Unpack[Config]) -> AsyncClient:
        """Creates a client with settings from the environment, as `Client.from_env` does.

        Args:
            base_url: The https URL of the service. Default: PAYORDER_BASE_URL.
            settings: The keyword arguments of `Client`, which override the environment.

        Returns:
            The new client.

        Raises:
            InvalidConfigError: PAYORDER_BASE_URL is missing, or a setting cannot be used.
        """
        return cls(Client.from_env(base_url, **settings))

    @overload
    async def create_order(
        self, order: Mapping[str, object], **options: Unpack[OrderOptions]
    ) -> Checkout: ...

    @overload
    async def create_order(self, **order: Unpack[OrderArguments]) -> Checkout: ...

    async def create_order(
        self, order: Optional[Mapping[str, object]] = None, **given: Any
    ) -> Checkout:
        """Creates an order, and sends it once: never again after a byte has left this machine.

        If the task is cancelled, the request is cancelled, and the task waits for its outcome,
        usually less than a second. Then it raises `CancelledError`, whose `__cause__` is an
        `OrderCancelled` with the `checkout` or the `error`. The order may exist. What no task
        received, `take_undelivered` returns. To limit the time, prefer `timeout` to
        `asyncio.wait_for`: then nothing is cancelled, and the outcome is a result or an error.
        """
        asked: Any = self._prepares.create_order(order, **given)
        call = OrderCall(self._loops, asked)
        fields = given if order is None else order
        call.order_id = _text(fields.get("order_id") or fields.get("orderId"))
        del order, given, fields  # Error trackers show variables: these have the customer's data.
        return await self._undelivered.result(call)

    @queued(Client.get_status)
    def get_status(self) -> None:
        """If the task is cancelled, the request is cancelled too."""

    @queued(Client.wait_for_payment)
    def wait_for_payment(self) -> None:
        """If the task is cancelled, the wait ends at once. The `__cause__` of its `CancelledError`
        is the library's error, with the last `status` seen.
        """

    @queued(Client.recover)
    def recover(self) -> None:
        """If the task is cancelled, the queries are cancelled too."""

    @queued(Client.check)
    def check(self) -> None:
        """If the task is cancelled, the check is cancelled too."""

    def get_statuses(
        self, queries: Iterable[Query], **options: Unpack[BatchOptions]
    ) -> AsyncStatuses[Query]:
        """Asks for many statuses, several at a time. Iterate over the result.

            async with client.get_statuses(order_ids, concurrency=16) as results:
                async for result in results:
                    ...

        A query is an order id, a mapping with the wire's names, or an object with a `status_query`.
        If a query is invalid or gets no usable response, its result has an `error`. The queries are
        read in a thread. While you take no results, only a limited number is sent ahead. An invalid
        option, or a closed client, is an error of the first step.
        """
        cancellation = options.pop("cancellation", None)
        # `__call__` has another `repr`: error trackers show variables, and it may have credentials.
        start = functools.partial(self._ordinary.get_statuses, queries, **options).__call__
        return AsyncStatuses(lambda own: start(cancellation=own), cancellation)

    @property
    def journal(self) -> AsyncJournal:
        """The journal. Without one, its methods raise `InvalidArgumentError`."""
        return AsyncJournal(self)

    def take_undelivered(self) -> List[OrderCancelled]:
        """Returns the orders that exist or may exist, and whose outcome no task will receive.

        An order is here if its task was cancelled, also if the program has the outcome from the
        `CancelledError`, or if the event loop was closed during the call. Each is returned once,
        from any thread, and kept until then.

        Returns:
            The outcomes.
        """
        return self._undelivered.take(self._loops)

    @same(Client.cancel)
    def cancel(self) -> None: ...

    @same(Client.stop)
    def stop(self) -> None: ...

    @same(Client.set_credentials)
    def set_credentials(self) -> None: ...

    async def aclose(self) -> None:
        """Frees the client. Calls in flight finish; later calls raise `InvalidHandleError`.

        Calls in the queue finish too, and the tasks that await them get the results. To end them,
        call `cancel` or `stop` before: then no further order is sent.
        """
        self._ordinary.close()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    def __repr__(self) -> str:
        return f"<payorder.aio.AsyncClient with {self._ordinary!r}>"


# Not as decorators: a type checker would lose the overloads and the type of the queries.
described(Client.create_order)(AsyncClient.create_order)
described(Client.get_statuses)(AsyncClient.get_statuses)


def _text(value: object) -> Optional[str]:
    return value if isinstance(value, str) else None

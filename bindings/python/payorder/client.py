"""The client of one payment service."""

from __future__ import annotations

import ctypes
from typing import (
    TYPE_CHECKING,
    Any,
    Iterable,
    List,
    Literal,
    Mapping,
    NoReturn,
    Optional,
    Sequence,
    get_args,
    overload,
)

from ._arguments import BatchOptions, Config, Credentials, OrderArguments, OrderFields
from ._arguments import CheckOptions, OrderOptions, RecoverOptions, StatusOptions, WaitOptions
from ._calls import LibraryResult, call_library, check_result
from ._handles import ClientHandle
from ._library import library
from ._operations import Operation, Value
from ._options import call_options, check_names, takes
from ._requests import order_json, query_json, sales_json
from ._text import c_json
from .cancellation import options_json
from .configuration import wire_settings
from .errors import OrderInterrupted, PayorderError
from .orders import Checkout
from .started import Queue, StartedCall
from .statuses import Status

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .batch import Query, Statuses
    from .checks import Checked
    from .journals import Journal
    from .recovery import Recovered
    from .waiting import Waited

#: "1" by order, "2" by transaction.
SearchType = Literal["1", "2"]
#: What `Client.start` can start.
Startable = Literal[
    "create_order", "get_status", "wait_for_payment", "recover", "journal_resolve", "check"
]


class Client:
    """A client of one service. One client is enough for a process, and every thread may use it.

        with Client("https://pay.example.com", access_token=...) as client:
            checkout = client.create_order(amount="100.00", order_id=..., ...)

    After a fork, parent and child may both use it. It cannot be pickled: other processes create
    their own.

    Every time limit is in seconds: an int or a float, rounded to a millisecond.
    """

    # What `repr` shows: a debugger also shows a client that could not be created.
    _service = "…"

    @takes(Config)
    def __init__(self, base_url: str, **settings: Unpack[Config]) -> None:
        """Creates a client. None is the same as leaving an argument out.

        Args:
            base_url: The https URL of the service. Required.
            settings: See `Config`.

        Raises:
            InvalidConfigError: A setting cannot be used.
        """
        check_names("Client", settings, Config)
        config = c_json(wire_settings({"base_url": base_url, **settings}), "config")
        del settings  # Error trackers show variables, and it has the credentials.
        self._open(ClientHandle(library.payorder_client_new, config), base_url)

    def _open(self, handle: ClientHandle, service: str) -> None:
        self._handle, self._service = handle, service
        self._queue = Queue(handle)

    def _make(self, operation: Operation[Value]) -> Value:
        return operation.call(self._handle)

    @classmethod
    def from_env(cls, base_url: Optional[str] = None, **settings: Unpack[Config]) -> Client:
        """Creates a client with settings from the environment.

        PAYORDER_BASE_URL is required. The credentials are in PAYORDER_ACCESS_TOKEN,
        PAYORDER_CLIENT_KEY, PAYORDER_CLIENT_ID and PAYORDER_SECRET_KEY, the path of the journal in
        PAYORDER_JOURNAL, and that of a PEM file with further certificate authorities in
        PAYORDER_CA_FILE. PAYORDER_CONFIG names a JSON file with the keys of the library's
        configuration ("baseUrl"), which the other variables override. Only its owner may have
        access to it. A variable that is empty counts as not set.

        No message shows a credential. The command `payorder` reads the same variables.

        Args:
            base_url: The https URL of the service. Default: PAYORDER_BASE_URL.
            settings: The keyword arguments of `Client`, which override the environment.

        Raises:
            InvalidConfigError: PAYORDER_BASE_URL is missing, or a setting cannot be used. The
                message names the variable, or the file and the key.
        """
        check_names("from_env", settings, Config)
        client = cls.__new__(cls)
        config = c_json(wire_settings({"base_url": base_url, **settings}), "config")
        del settings
        handle = ClientHandle(library.payorder_client_from_env, config)
        client._open(handle, str("PAYORDER_BASE_URL" if base_url is None else base_url))
        return client

    @overload
    def create_order(
        self, order: Mapping[str, object], **options: Unpack[OrderOptions]
    ) -> Checkout: ...

    @overload
    def create_order(self, **order: Unpack[OrderArguments]) -> Checkout: ...

    @takes(OrderFields, OrderOptions)
    def create_order(self, order: Optional[Mapping[str, object]] = None, **given: Any) -> Checkout:
        """Creates an order, and sends it once: never again after a byte has left this machine.

        The service requires all fields. Give them as keyword arguments, or as one mapping
        in `order`.

        Ctrl-C ends the call, and `OrderInterrupted` is raised: a `KeyboardInterrupt` with the
        `checkout`, if it had arrived, or the `error`, which says whether the order may exist. What
        another signal handler raises has an `OrderInterrupted` as its `__cause__`. If that is a
        `PayorderError`, it is the `__cause__` of this order's error, or of the `OrderInterrupted`.

        Args:
            order: All fields as one mapping. Its keys are the keyword arguments, or the wire's
                names ("orderId"). Default: the keyword arguments.
            given: See `OrderFields` and `OrderOptions`.

        Returns:
            The created order: send the customer to its `url`.

        Raises:
            NotSentError: Nothing was sent.
            RejectedError: The service refused the order.
            OutcomeUnknownError: The order may exist: do what `error.action` says before anything
                else.
        """
        name, received = "create_order", LibraryResult()
        names = OrderFields.__annotations__
        request = order_json(name, order, {one: given.pop(one, None) for one in names})
        del order  # Error trackers show variables, and it has the customer's data.
        operation = Operation(name, Checkout, OrderOptions, given, request)
        operation.received = received
        try:
            return self._make(operation)
        except BaseException as stop:
            received.take_text()
            if not received.text or getattr(stop, "raw", None) is received.text:
                raise
            interrupted = OrderInterrupted(received.text)
            if isinstance(stop, KeyboardInterrupt):
                raise interrupted from None
            if isinstance(stop, (RecursionError, ctypes.ArgumentError)) and interrupted.error:
                # There was no stack left to read the answer.
                raise interrupted.error from None
            if isinstance(stop, PayorderError):
                # A signal handler's own call failed. Its error says nothing about this order.
                raise interrupted.error or interrupted from stop
            # A signal handler of the program raised something else.
            raise stop from interrupted

    @takes(StatusOptions)
    def get_status(
        self,
        query: object = None,
        *,
        order_id: Optional[str] = None,
        transaction_id: Optional[str] = None,
        search_type: Optional[SearchType] = None,
        **options: Unpack[StatusOptions],
    ) -> Status:
        """Asks for the status of an order.

        A status query changes nothing, so you may repeat it after any failure. Ctrl-C ends the
        call at once.

        Args:
            query: An order id, a mapping such as a `status_query`, or an object that has one: an
                error of an order, a query or a wait, a `ReturnUrl`, a `JournalEntry`. Default: the
                next three arguments.
            order_id: The order's identifier. Default: none.
            transaction_id: The transaction's identifier, from the return URL. Default: none.
            search_type: "1" by order, "2" by transaction; needed only if both identifiers are
                given. Default: by the one that is given.
            options: See `StatusOptions`.

        Returns:
            The status. It does not prove a payment: use `verify_payment`.

        Raises:
            NotSentError: Nothing was sent.
            RejectedError: The service refused the query; see
                `payorder.reconciliation.does_not_know`.
            OutcomeUnknownError: No response came, or one that cannot be used.
        """
        name = "get_status"
        asked = query_json(name, query, order_id, transaction_id, search_type)
        return self._make(Operation(name, Status, StatusOptions, options, asked, asked=asked))

    @takes(StatusOptions, WaitOptions)
    def wait_for_payment(
        self,
        query: object = None,
        *,
        order_id: Optional[str] = None,
        transaction_id: Optional[str] = None,
        search_type: Optional[SearchType] = None,
        **options: Unpack[WaitOptions],
    ) -> Waited:
        """Asks for the status again and again, until the payment is final or the time is up.

        A query that fails is repeated. Ctrl-C ends the wait at once.

        Args:
            query: An order id, a mapping such as a `status_query`, or an object that has one: an
                `OutcomeUnknownError`, a `ReturnUrl`, a `JournalEntry`. Default: the next three
                arguments.
            order_id: The order's identifier. Default: none.
            transaction_id: The transaction's identifier, from the return URL. Default: none.
            search_type: "1" by order, "2" by transaction; needed only if both identifiers are
                given. Default: by the one that is given.
            options: See `WaitOptions`.

        Returns:
            The last status seen, and whether it is final or the time was up.

        Raises:
            UnauthorizedError: The service refused the credentials.
            CancelledError: Cancelled before anything was sent.
            CancelledInFlightError: Cancelled later. Its `status` is the last one seen.
            NotSentError: The first query cannot be sent, for example because it is invalid.
        """
        from .waiting import Waited

        name = "wait_for_payment"
        asked = query_json(name, query, order_id, transaction_id, search_type)
        return self._make(Operation(name, Waited, WaitOptions, options, asked, logs=True))

    @takes(StatusOptions, BatchOptions)
    def get_statuses(
        self, queries: Iterable[Query], **options: Unpack[BatchOptions]
    ) -> Statuses[Query]:
        """Asks for many statuses, several at a time. Iterate over the result.

            with client.get_statuses(order_ids, concurrency=16) as results:
                for result in results:
                    ...

        A query is an order id, a mapping with the wire's names, or an object with a `status_query`.
        If a query is invalid or gets no usable response, its result has an `error`.

        Args:
            queries: Any iterable of queries. It is read as its queries are needed.
            options: See `BatchOptions`.

        Returns:
            An iterator over the results, in the order in which they arrive.

        Raises:
            NotSentError: An option is invalid, or the client is closed.
        """
        from .batch import Statuses

        given = call_options("get_statuses", options, BatchOptions)
        text = options_json(given, options.get("cancellation"))
        del given  # As in `create_order`: it may have credentials.
        return Statuses(self._handle, queries, text)

    @takes(StatusOptions, BatchOptions, RecoverOptions)
    def recover(
        self,
        sales: Optional[Sequence[Mapping[str, object]]] = None,
        **options: Unpack[RecoverOptions],
    ) -> Recovered:
        """Says for each sale that may be open what is known about it. For the start of a program.

        It takes the given sales and every entry of the journal that is not closed, asks for their
        statuses, and records what it learns. If the service cannot be reached, this is no error:
        what could not be asked is "unknown".

        Args:
            sales: The sales that the program believes open, as mappings with `orderId` and
                `amount`. They are needed without a journal. Default: those of the journal.
            options: See `RecoverOptions`.

        Returns:
            A verdict for each sale.

        Raises:
            NotSentError: The journal cannot be used, or an argument is invalid.
        """
        from .recovery import Recovered

        read, request = Recovered.from_raw, None if sales is None else sales_json(sales)
        return self._make(Operation("recover", read, RecoverOptions, options, request, logs=True))

    @takes(StatusOptions, CheckOptions)
    def check(self, **options: Unpack[CheckOptions]) -> Checked:
        """Looks at one thing after the other, from the name to the journal, and creates nothing.

        It asks the service for one status. What does not work is a step that is not `ok`.

        Args:
            options: See `CheckOptions`.

        Returns:
            What each step found.

        Raises:
            NotSentError: An argument is invalid, or the client was stopped.
        """
        from .checks import Checked

        return self._make(Operation("check", Checked.from_raw, CheckOptions, options, logs=True))

    def start(self, operation: Startable, *arguments: Any, **options: Any) -> StartedCall[Any]:
        """Puts a call into the client's queue, and returns at once.

        For event loops: `payorder.aio` is built on it, and the package's README shows gevent and
        Trio. At most `max_calls` of the client run at once. The others wait, without a thread,
        and their time limit counts from here.

        Args:
            operation: "create_order", "get_status", "wait_for_payment", "recover", "check" or
                "journal_resolve".
            arguments: Those of the method of that name; "journal_resolve" is `journal.resolve`.
            options: Those of the method of that name.

        Returns:
            The call. When it has ended, `take_done` returns it.

        Raises:
            NotSentError: The call was not started: nothing was sent.
        """
        if operation not in get_args(Startable):
            known = ", ".join(get_args(Startable))
            raise TypeError(f"{operation!r} cannot be started: only {known} can")
        prepares: Any = Prepares(self)
        if operation == "journal_resolve":
            asked = prepares.journal.resolve(*arguments, **options)
        else:
            asked = getattr(prepares, operation)(*arguments, **options)
        del arguments, options  # Error trackers show variables, and these may have an order.
        call = StartedCall[Any](asked)
        self._queue.start(call, asked)
        return call

    def take_done(self, wait: float = 0) -> List[StartedCall[Any]]:
        """Takes the calls of `start` that have ended. Each is returned once, from any thread.

        Args:
            wait: How many seconds it waits if none has ended. Default: 0, which does not wait.

        Returns:
            The calls, in the order in which they ended; none if the time was up, or if no call is
            in the queue.
        """
        return self._queue.take(wait)

    def fileno(self) -> int:
        """Returns a descriptor that can be read while `take_done` has a call to return.

        It is for event loops: do not read from it, or close it. On Windows it is the handle of an
        event. It is valid until the client is closed and every call was taken.
        """
        return self._queue.fileno()

    @property
    def journal(self) -> Journal:
        """The journal. Without one, its methods raise `InvalidArgumentError`."""
        from .journals import Journal

        return Journal(self)

    def cancel(self) -> None:
        """Ends all calls in flight on this client, from another thread. Later calls work.

        The calls raise `CancelledError`, or `CancelledInFlightError` if something was sent. On a
        closed client this raises `InvalidHandleError`, and its calls continue.
        """
        self._queue.cancel()
        check_result(self._handle.cancel(), "client")

    def stop(self) -> None:
        """Ends all calls in flight on this client, and refuses later ones. From any thread.

        They raise `CancelledError`, or `CancelledInFlightError` if something was sent. The journal
        can still be read. On a closed client this raises `InvalidHandleError`.
        """
        check_result(library.payorder_client_stop(self._handle.pointer), "client")

    @takes(Credentials)
    def set_credentials(self, **credentials: Unpack[Credentials]) -> None:
        """Replaces credentials, also for the later attempts of calls that are running.

        Args:
            credentials: See `Credentials`.

        Raises:
            InvalidConfigError: A credential cannot be used. None was replaced.
            ValueError: No credential is given.
        """
        text = c_json(call_options("set_credentials", credentials, Credentials), "credentials")
        if text == b"{}":
            raise ValueError("no credential is given")
        call_library(library.payorder_client_set_credentials, self._handle.pointer, text)

    def close(self) -> None:
        """Frees the client. Calls in flight finish; later calls raise `InvalidHandleError`.

        Calls that were started finish too, also those in the queue, and also if the program drops
        the client. Their results can still be taken. To end them, call `cancel` or `stop` before.
        """
        self._queue.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<payorder.Client of {self._service}>"

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "a Client cannot be pickled or copied:"
            " threads share one client, and other processes create their own"
        )


class Prepares(Client):
    """Its methods return the `Operation`, and make no call."""

    def __init__(self, client: Client) -> None:
        self._handle, self._service = client._handle, client._service

    def _make(self, operation: Any) -> Any:
        return operation

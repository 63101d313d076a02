"""The client of one payment service."""

from __future__ import annotations

import json
import os
from typing import (
    TYPE_CHECKING,
    Iterable,
    Literal,
    Mapping,
    NoReturn,
    Optional,
    Sequence,
    Union,
    overload,
)

from ._arguments import OrderArguments, OrderOptions
from ._calls import LibraryResult, call_library, check_result
from ._handles import ClientHandle
from ._interrupts import call
from ._library import library
from ._requests import order_json, query_json, sales_json
from ._options import call_options
from ._text import c_json
from .amounts import Amount
from .batch import Query, Statuses
from .cancellation import Cancellation
from .configuration import Config, TlsConfig, check_settings, wire_settings
from .errors import OrderInterrupted, PayorderError
from .journals import Journal
from .orders import Checkout, PayMode, order_fields
from .recovery import Recovered
from .statuses import Status
from .waiting import Waited

if TYPE_CHECKING:
    from typing_extensions import Unpack

#: "1" by order, "2" by transaction.
SearchType = Literal["1", "2"]


class Client:
    """A client of one service. One client is enough for a process, and every thread may use it.

        with Client("https://pay.example.com", access_token=...) as client:
            checkout = client.create_order(amount="100.00", order_id=..., ...)

    After a fork, parent and child may both use it. It cannot be pickled: other processes create
    their own.

    Every time limit is in seconds: an int or a float, rounded to a millisecond.
    """

    def __init__(
        self,
        base_url: str,
        *,
        access_token: Optional[str] = None,
        client_key: Optional[str] = None,
        client_id: Optional[str] = None,
        secret_key: Optional[str] = None,
        timeout: Optional[float] = None,
        connect_timeout: Optional[float] = None,
        create_retries: Optional[int] = None,
        status_retries: Optional[int] = None,
        max_idle: Optional[float] = None,
        max_response_bytes: Optional[int] = None,
        proxy: Optional[str] = None,
        tls: Union[TlsConfig, Mapping[str, object], None] = None,
        allow_insecure_http: Optional[bool] = None,
        checkout_hosts: Optional[Sequence[str]] = None,
        return_url_field: Optional[str] = None,
        user_agent: Optional[str] = None,
        journal: Optional[Union[str, "os.PathLike[str]"]] = None,
    ) -> None:
        """Creates a client. None is the same as leaving an argument out.

        Args:
            base_url: The https URL of the service. Required.
            access_token: The credential of Create Order. Default: given to each call.
            client_key: A credential of Get Status. Default: given to each call.
            client_id: A credential of Get Status. Default: given to each call.
            secret_key: A credential of Get Status. Default: given to each call.
            timeout: The time limit of a whole call, with its attempts and pauses, in seconds;
                0.001 to 600. Default: 30.
            connect_timeout: The time limit of one connection in seconds; 0.001 to 600.
                Default: 10.
            create_retries: The number of further attempts at Create Order, made only if there was
                no connection; 0 to 10. Default: 1.
            status_retries: The number of further attempts at Get Status; 0 to 10. Default: 2.
            max_idle: How long an idle connection is kept for the next call, in seconds; 0 to 600,
                and 0 keeps none. Default: 2.
            max_response_bytes: The largest response in bytes; 1024 to 16777216. Default: 1048576.
            proxy: The URL of a proxy, or "none". Default: the environment variables, as for curl.
            tls: A `TlsConfig`, or a mapping with the wire's names ("caFile"). Default: the
                library's own authorities.
            allow_insecure_http: Allow http to other hosts than this machine, for tests.
                Default: False.
            checkout_hosts: The hosts that a checkout URL may have. Default: any.
            return_url_field: The wire name of the return URL. Default: "redirectionURL".
            user_agent: Put before "payorder/VERSION" in the header `User-Agent`. Default: nothing.
            journal: The path of the journal, created if it does not exist; see `Client.journal`.
                Default: no journal.

        Raises:
            InvalidConfigError: A setting cannot be used.
        """
        given = dict(locals())
        del given["self"]
        settings = c_json(wire_settings(given), "config")
        self._handle = ClientHandle(library.payorder_client_new, settings)
        self._service = base_url

    @classmethod
    def from_env(
        cls, base_url: Optional[str] = None, **settings: Unpack[Config]
    ) -> Client:
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
        check_settings("from_env", settings)
        client = cls.__new__(cls)
        given = wire_settings({"base_url": base_url, **settings})
        config = c_json(given, "config")
        client._handle = ClientHandle(library.payorder_client_from_env, config)
        client._service = str(given.get("baseUrl", "PAYORDER_BASE_URL"))
        return client

    @overload
    def create_order(
        self, order: Mapping[str, object], **options: Unpack[OrderOptions]
    ) -> Checkout: ...

    @overload
    def create_order(self, **order: Unpack[OrderArguments]) -> Checkout: ...

    def create_order(
        self,
        order: Optional[Mapping[str, object]] = None,
        *,
        amount: Optional[Amount] = None,
        merchant_txn_id: Optional[str] = None,
        order_id: Optional[str] = None,
        pay_mode: Optional[PayMode] = None,
        merchant_id: Optional[str] = None,
        product_info: Optional[str] = None,
        customer_name: Optional[str] = None,
        customer_mobile: Optional[str] = None,
        customer_email: Optional[str] = None,
        redirection_url: Optional[str] = None,
        currency_code: Optional[str] = None,
        extra_fields: Optional[Mapping[str, str]] = None,
        resend: Optional[bool] = None,
        timeout: Optional[float] = None,
        cancellation: Optional[Cancellation] = None,
        access_token: Optional[str] = None,
    ) -> Checkout:
        """Creates an order, and sends it once: never again after a byte has left this machine.

        The service requires all eleven fields. Give them as keyword arguments, or as one mapping
        in `order`.

        Ctrl-C ends the call, and `OrderInterrupted` is raised: a `KeyboardInterrupt` with the
        `checkout`, if it had arrived, or the `error`, which says whether the order may exist. What
        another signal handler raises has an `OrderInterrupted` as its `__cause__`.

        Args:
            order: All fields as one mapping. Its keys are the keyword arguments, or the wire's
                names ("orderId"). Default: the keyword arguments.
            amount: Text such as "100.00", or a Decimal; at least 1. Required.
            merchant_txn_id: Your own identifier of the transaction, a new one for each order.
                Required.
            order_id: Your own identifier of the order, a new one for each order. Required.
            pay_mode: "all", "cc", "dc", "upi" or "nb". Required.
            merchant_id: Your identifier at the service. Required.
            product_info: What the customer pays for. Required.
            customer_name: The customer's name. Required.
            customer_mobile: The customer's mobile number. Required.
            customer_email: The customer's e-mail address. Required.
            redirection_url: Where the customer returns after the payment. Required.
            currency_code: The currency, such as "INR". Required.
            extra_fields: Further fields of the request, sent after the eleven. Default: none.
            resend: Send an order again that is "unknown" in the journal. Default: False.
            timeout: The time limit of this call in seconds; 0.001 to 600. Default: the client's.
            cancellation: A `Cancellation`, with which another thread can end this call.
                Default: none.
            access_token: The credential of this call. Default: the client's.

        Returns:
            The created order: send the customer to its `url`.

        Raises:
            NotSentError: Nothing was sent.
            RejectedError: The service refused the order.
            OutcomeUnknownError: The order may exist: do what `error.action` says before anything
                else.
        """
        options = call_options("create_order", locals())
        request = order_json("create_order", order, order_fields(locals()))
        received = LibraryResult()
        try:
            function = library.payorder_create_order
            return Checkout(
                call(
                    self._handle, function, (request,), options, cancellation, received
                )
            )
        except BaseException as stop:
            text = received.take_text()
            if not text or getattr(stop, "raw", None) is text:
                raise
            interrupted = OrderInterrupted(text)
            if isinstance(stop, KeyboardInterrupt):
                raise interrupted from None
            # A signal handler of the program raised something else.
            raise stop from interrupted

    def get_status(
        self,
        query: object = None,
        *,
        order_id: Optional[str] = None,
        transaction_id: Optional[str] = None,
        search_type: Optional[SearchType] = None,
        timeout: Optional[float] = None,
        cancellation: Optional[Cancellation] = None,
        client_key: Optional[str] = None,
        client_id: Optional[str] = None,
        secret_key: Optional[str] = None,
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
            timeout: The time limit of this call in seconds; 0.001 to 600. Default: the client's.
            cancellation: A `Cancellation`, with which another thread can end this call.
                Default: none.
            client_key: A credential of this call. Default: the client's.
            client_id: A credential of this call. Default: the client's.
            secret_key: A credential of this call. Default: the client's.

        Returns:
            The status. It does not prove a payment: use `verify_payment`.

        Raises:
            NotSentError: Nothing was sent.
            RejectedError: The service refused the query; see
                `payorder.reconciliation.does_not_know`.
            OutcomeUnknownError: No response came, or one that cannot be used.
        """
        options = call_options("get_status", locals())
        request = query_json("get_status", query, order_id, transaction_id, search_type)
        function = library.payorder_get_status
        try:
            return Status(
                call(self._handle, function, (request,), options, cancellation)
            )
        except PayorderError as error:
            error._asked = error._asked or json.loads(request)
            raise

    def wait_for_payment(
        self,
        query: object = None,
        *,
        order_id: Optional[str] = None,
        transaction_id: Optional[str] = None,
        search_type: Optional[SearchType] = None,
        wait: Optional[float] = None,
        interval: Optional[float] = None,
        max_interval: Optional[float] = None,
        final: Optional[Sequence[str]] = None,
        timeout: Optional[float] = None,
        cancellation: Optional[Cancellation] = None,
        client_key: Optional[str] = None,
        client_id: Optional[str] = None,
        secret_key: Optional[str] = None,
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
            wait: How long to wait in total, in seconds; 0.001 to 86400. Default: 300.
            interval: The pause between the first two queries in seconds; it grows by half each
                time; 0.01 to 600. Default: 3.
            max_interval: The longest pause between two queries in seconds; 0.01 to 600.
                Default: 15.
            final: Texts of `transaction_status` that end the wait, in addition to "Completed".
                Default: none.
            timeout: The time limit of one query, not of the wait, in seconds; 0.001 to 600.
                Default: the client's.
            cancellation: A `Cancellation`, with which another thread can end the wait.
                Default: none.
            client_key: A credential of this call. Default: the client's.
            client_id: A credential of this call. Default: the client's.
            secret_key: A credential of this call. Default: the client's.

        Returns:
            The last status seen, and whether it is final or the time was up.

        Raises:
            UnauthorizedError: The service refused the credentials.
            CancelledError: Cancelled before anything was sent.
            CancelledInFlightError: Cancelled later. Its `status` is the last one seen.
            NotSentError: The first query cannot be sent, for example because it is invalid.
        """
        operation = "wait_for_payment"
        options = call_options(operation, locals())
        request = query_json(operation, query, order_id, transaction_id, search_type)
        function = library.payorder_wait_for_payment
        return Waited(
            call(self._handle, function, (request,), options, cancellation, logs=True)
        )

    def get_statuses(
        self,
        queries: Iterable[Query],
        *,
        concurrency: Optional[int] = None,
        rate_per_second: Optional[float] = None,
        timeout: Optional[float] = None,
        cancellation: Optional[Cancellation] = None,
        client_key: Optional[str] = None,
        client_id: Optional[str] = None,
        secret_key: Optional[str] = None,
    ) -> Statuses[Query]:
        """Asks for many statuses, several at a time. Iterate over the result.

            with client.get_statuses(order_ids, concurrency=16) as results:
                for result in results:
                    ...

        A query is an order id, a mapping with the wire's names, or an object with a `status_query`.
        If a query is invalid or gets no usable response, its result has an `error`.

        Args:
            queries: Any iterable of queries. It is read as its queries are needed.
            concurrency: How many queries run at once; 1 to 64. Default: 8.
            rate_per_second: The most queries per second, evenly spaced; above 0. Default: no limit.
            timeout: The time limit of each query in seconds; 0.001 to 600. Default: the client's.
            cancellation: A `Cancellation`, with which another thread can end this. Iterating then
                stops early, without an exception, and `summary.stopped` is true. Default: none.
            client_key: A credential of each query. Default: the client's.
            client_id: A credential of each query. Default: the client's.
            secret_key: A credential of each query. Default: the client's.

        Returns:
            An iterator over the results, in the order in which they arrive.

        Raises:
            NotSentError: An option is invalid, or the client is closed.
        """
        options = call_options("get_statuses", locals())
        return Statuses(self._handle, queries, options, cancellation)

    def recover(
        self,
        sales: Optional[Sequence[Mapping[str, object]]] = None,
        *,
        wait: Optional[float] = None,
        concurrency: Optional[int] = None,
        rate_per_second: Optional[float] = None,
        timeout: Optional[float] = None,
        cancellation: Optional[Cancellation] = None,
        client_key: Optional[str] = None,
        client_id: Optional[str] = None,
        secret_key: Optional[str] = None,
    ) -> Recovered:
        """Says for each sale that may be open what is known about it. For the start of a program.

        It takes the given sales and every entry of the journal that is not closed, asks for their
        statuses, and records what it learns. If the service cannot be reached, this is no error:
        what could not be asked is "unknown".

        Args:
            sales: The sales that the program believes open, as mappings with `orderId` and
                `amount`. They are needed without a journal. Default: those of the journal.
            wait: How long to wait for orders that another process is sending, in seconds; 0 to 600.
                Default: 0.
            concurrency: How many queries run at once; 1 to 64. Default: 8.
            rate_per_second: The most queries per second, evenly spaced; above 0. Default: no limit.
            timeout: The time limit of each query in seconds; 0.001 to 600. Default: the client's.
            cancellation: A `Cancellation`, with which another thread can end this. Default: none.
            client_key: A credential of each query. Default: the client's.
            client_id: A credential of each query. Default: the client's.
            secret_key: A credential of each query. Default: the client's.

        Returns:
            A verdict for each sale.

        Raises:
            NotSentError: The journal cannot be used, or an argument is invalid.
        """
        options = call_options("recover", locals())
        given = None if sales is None else sales_json(sales)
        function = library.payorder_recover
        raw = call(self._handle, function, (given,), options, cancellation, logs=True)
        return Recovered.from_mapping(json.loads(raw))

    @property
    def journal(self) -> Journal:
        """The journal. Without one, its methods raise `InvalidArgumentError`."""
        return Journal(self._handle)

    def cancel(self) -> None:
        """Ends all calls in flight on this client, from another thread. Later calls work.

        The calls raise `CancelledError`, or `CancelledInFlightError` if something was sent. On a
        closed client this raises `InvalidHandleError`, and its calls continue.
        """
        check_result(self._handle.cancel(), "client")

    def stop(self) -> None:
        """Ends all calls in flight on this client, and refuses later ones. From any thread.

        They raise `CancelledError`, or `CancelledInFlightError` if something was sent. The journal
        can still be read. On a closed client this raises `InvalidHandleError`.
        """
        check_result(library.payorder_client_stop(self._handle.pointer), "client")

    def set_credentials(
        self,
        *,
        access_token: Optional[str] = None,
        client_key: Optional[str] = None,
        client_id: Optional[str] = None,
        secret_key: Optional[str] = None,
    ) -> None:
        """Replaces credentials, also for the later attempts of calls that are running.

        Args:
            access_token: The credential of Create Order. Default: unchanged.
            client_key: A credential of Get Status. Default: unchanged.
            client_id: A credential of Get Status. Default: unchanged.
            secret_key: A credential of Get Status. Default: unchanged.

        Raises:
            InvalidConfigError: A credential cannot be used. None was replaced.
        """
        given = c_json(call_options("set_credentials", locals()), "credentials")
        function = library.payorder_client_set_credentials
        call_library(function, self._handle.pointer, given)

    def close(self) -> None:
        """Frees the client. Calls in flight finish; later calls raise `InvalidHandleError`."""
        self._handle.close()

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

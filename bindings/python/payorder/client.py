"""The client of one payment service."""

from __future__ import annotations

import os
from dataclasses import dataclass
from types import TracebackType
from typing import (
    Iterable,
    Mapping,
    NoReturn,
    Optional,
    Sequence,
    Type,
    TypedDict,
    Union,
)

from ._calls import LibraryResult, check_result
from ._handles import ClientHandle
from ._interrupts import call_long, call_short, token_name
from ._library import library
from ._requests import order_fields, order_json, query_json
from ._text import c_json, wire_name, without_none
from .amounts import Amount
from .batch import Query, Statuses
from .cancellation import Cancellation
from .errors import OrderInterrupted, PayorderError
from .journals import Journal
from .orders import Checkout
from .statuses import Status
from .waiting import Waited

_Path = Union[str, "os.PathLike[str]"]


@dataclass(frozen=True)
class TlsConfig:
    """Which certificates to trust, and the client's own. Files are PEM and are read at once."""

    roots: Optional[str] = (
        None  #: "bundled" (the library's own, the default) or "system"
    )
    ca_file: Optional[_Path] = None  #: added to the roots
    cert_file: Optional[_Path] = None  #: the client's certificate; needs key_file
    key_file: Optional[_Path] = None


class Config(TypedDict, total=False):
    """The keyword arguments of `Client`, for a program that builds them as a dict."""

    access_token: Optional[str]
    client_key: Optional[str]
    client_id: Optional[str]
    secret_key: Optional[str]
    timeout_ms: Optional[int]
    connect_timeout_ms: Optional[int]
    create_retries: Optional[int]
    status_retries: Optional[int]
    max_idle_ms: Optional[int]
    max_response_bytes: Optional[int]
    proxy: Optional[str]
    tls: Union[TlsConfig, Mapping[str, object], None]
    allow_insecure_http: Optional[bool]
    checkout_hosts: Optional[Sequence[str]]
    return_url_field: Optional[str]
    user_agent: Optional[str]
    journal: Optional[_Path]


class Client:
    """A client of one service. One client is enough for a process, and every thread may use it.

        with Client("https://pay.example.com", access_token=...) as client:
            checkout = client.create_order(amount="100.00", order_id=..., ...)

    After a fork, parent and child may both use it. It cannot be pickled: other processes create
    their own.
    """

    def __init__(
        self,
        base_url: str,
        *,
        access_token: Optional[str] = None,
        client_key: Optional[str] = None,
        client_id: Optional[str] = None,
        secret_key: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        connect_timeout_ms: Optional[int] = None,
        create_retries: Optional[int] = None,
        status_retries: Optional[int] = None,
        max_idle_ms: Optional[int] = None,
        max_response_bytes: Optional[int] = None,
        proxy: Optional[str] = None,
        tls: Union[TlsConfig, Mapping[str, object], None] = None,
        allow_insecure_http: Optional[bool] = None,
        checkout_hosts: Optional[Sequence[str]] = None,
        return_url_field: Optional[str] = None,
        user_agent: Optional[str] = None,
        journal: Optional[_Path] = None,
    ) -> None:
        """Creates a client. None is the same as leaving an argument out.

        base_url: the https URL of the service.
        access_token: the credential of Create Order.
        client_key, client_id, secret_key: the credentials of Get Status.
        timeout_ms: the time limit of a whole call, with its attempts and pauses; 1 to 600000,
            default 30000.
        connect_timeout_ms: the time limit of one connection; 1 to 600000, default 10000.
        create_retries: further attempts at Create Order, only if no connection could be made; 0 to
            10, default 1.
        status_retries: further attempts at Get Status; 0 to 10, default 2.
        max_idle_ms: how long an idle connection is kept for the next call; 0 to 600000, default
            2000; 0 keeps none.
        max_response_bytes: the largest response; 1024 to 16777216, default 1048576.
        proxy: the URL of a proxy, or "none"; default: the environment variables, as for curl.
        tls: a `TlsConfig`, or a mapping with the wire's names ("caFile").
        allow_insecure_http: allow http to other hosts than this machine, for tests; default False.
        checkout_hosts: the hosts that a checkout URL may have; default any.
        return_url_field: the wire name of the return URL; default "redirectionURL".
        user_agent: put before "payorder/VERSION" in the header `User-Agent`.
        journal: the path of the journal, created if it does not exist; see `Client.journal`.
        """
        if isinstance(tls, TlsConfig):
            tls = without_none(
                **{wire_name(name): value for name, value in vars(tls).items()}
            )
        settings = without_none(
            baseUrl=base_url,
            accessToken=access_token,
            clientKey=client_key,
            clientId=client_id,
            secretKey=secret_key,
            timeoutMs=timeout_ms,
            connectTimeoutMs=connect_timeout_ms,
            createRetries=create_retries,
            statusRetries=status_retries,
            maxIdleMs=max_idle_ms,
            maxResponseBytes=max_response_bytes,
            proxy=proxy,
            tls=tls,
            allowInsecureHttp=allow_insecure_http,
            checkoutHosts=checkout_hosts,
            returnUrlField=return_url_field,
            userAgent=user_agent,
            journal=journal,
        )
        self._handle = ClientHandle(c_json(settings, "config"))
        self._base_url = base_url

    def create_order(
        self,
        order: Optional[Mapping[str, object]] = None,
        *,
        amount: Optional[Amount] = None,
        merchant_txn_id: Optional[str] = None,
        order_id: Optional[str] = None,
        pay_mode: Optional[str] = None,
        merchant_id: Optional[str] = None,
        product_info: Optional[str] = None,
        customer_name: Optional[str] = None,
        customer_mobile: Optional[str] = None,
        customer_email: Optional[str] = None,
        redirection_url: Optional[str] = None,
        currency_code: Optional[str] = None,
        extra_fields: Optional[Mapping[str, str]] = None,
        resend: Optional[bool] = None,
        timeout_ms: Optional[int] = None,
        cancellation: Optional[Cancellation] = None,
        access_token: Optional[str] = None,
        client_key: Optional[str] = None,
        client_id: Optional[str] = None,
        secret_key: Optional[str] = None,
    ) -> Checkout:
        """Creates an order, and sends it once: never again after a byte has left this machine.

        The service requires all eleven fields. Give them as keyword arguments, or as one mapping
        with the wire's names in `order`.

        amount: text such as "100.00", or a Decimal; at least 1.
        merchant_txn_id, order_id: your own identifiers, unique for each order.
        pay_mode: "all", "cc", "dc", "upi" or "nb".
        redirection_url: where the customer returns after the payment.
        extra_fields: further fields of the request, sent after the eleven.
        resend: send an order again that is "unknown" in the journal.
        timeout_ms, access_token, client_key, client_id, secret_key: for this call only.
        cancellation: a `Cancellation`, with which another thread can end this call.

        Raises `NotSentError`, `RejectedError` or `OutcomeUnknownError`. After the last one the
        order may exist: call `get_status(error.status_query)` before anything else.

        Ctrl-C does not end the call, because the response has the only copy of the checkout URL.
        After the response, `OrderInterrupted` is raised: a `KeyboardInterrupt` with the `checkout`
        or the `error`. Ctrl-C pressed twice cancels the call.
        """
        fields = order_fields(
            amount,
            merchant_txn_id,
            order_id,
            pay_mode,
            merchant_id,
            product_info,
            customer_name,
            customer_mobile,
            customer_email,
            redirection_url,
            currency_code,
        )
        request = order_json("create_order", order, fields)
        options = without_none(
            extraFields=extra_fields,
            resend=resend,
            timeoutMs=timeout_ms,
            accessToken=access_token,
            clientKey=client_key,
            clientId=client_id,
            secretKey=secret_key,
        )
        received = LibraryResult()
        try:
            return Checkout(
                call_short(
                    self._handle,
                    library.payorder_create_order,
                    request,
                    options=options,
                    cancellation=cancellation,
                    # The response has the only copy of the checkout URL.
                    presses=2,
                    received=received,
                )
            )
        except BaseException as stop:
            if isinstance(stop, PayorderError) or not received.has_text():
                raise
            interrupted = OrderInterrupted(received.take_text())
            if isinstance(stop, KeyboardInterrupt):
                raise interrupted from None
            # A signal handler of the program raised something else.
            raise stop from interrupted

    def get_status(
        self,
        query: Optional[Mapping[str, object]] = None,
        *,
        order_id: Optional[str] = None,
        transaction_id: Optional[str] = None,
        search_type: Optional[str] = None,
        timeout_ms: Optional[int] = None,
        cancellation: Optional[Cancellation] = None,
        access_token: Optional[str] = None,
        client_key: Optional[str] = None,
        client_id: Optional[str] = None,
        secret_key: Optional[str] = None,
    ) -> Status:
        """Asks for the status of an order.

        Ask by `order_id`, by the `transaction_id` of the return URL, or with the `status_query` of
        an `OutcomeUnknownError` or a `ReturnUrl` as `query`. `search_type` ("1" by order, "2" by
        transaction) is needed only if both identifiers are given. The other arguments are for this
        call only.

        A status query changes nothing, so you may repeat it after any failure. Ctrl-C ends the
        call at once.
        """
        request = query_json("get_status", query, order_id, transaction_id, search_type)
        options = without_none(
            timeoutMs=timeout_ms,
            accessToken=access_token,
            clientKey=client_key,
            clientId=client_id,
            secretKey=secret_key,
        )
        return Status(
            call_short(
                self._handle,
                library.payorder_get_status,
                request,
                options=options,
                cancellation=cancellation,
            )
        )

    def wait_for_payment(
        self,
        query: Optional[Mapping[str, object]] = None,
        *,
        order_id: Optional[str] = None,
        transaction_id: Optional[str] = None,
        search_type: Optional[str] = None,
        wait_ms: Optional[int] = None,
        interval_ms: Optional[int] = None,
        max_interval_ms: Optional[int] = None,
        final: Optional[Sequence[str]] = None,
        timeout_ms: Optional[int] = None,
        cancellation: Optional[Cancellation] = None,
        access_token: Optional[str] = None,
        client_key: Optional[str] = None,
        client_id: Optional[str] = None,
        secret_key: Optional[str] = None,
    ) -> Waited:
        """Asks for the status again and again, until the payment is final or the time is up.

        The query is the same as in `get_status`.

        wait_ms: how long to wait; 1 to 86400000, default 300000.
        interval_ms: the pause between the first two queries; it grows by half each time; 10 to
            600000, default 3000.
        max_interval_ms: the longest pause between two queries; 10 to 600000, default 15000.
        final: texts of `transaction_status` that end the wait, in addition to "Completed".
        timeout_ms: the time limit of one query; 1 to 600000.
        cancellation: a `Cancellation`, with which another thread can end the wait.
        access_token, client_key, client_id, secret_key: for this call only.

        A query that fails is repeated. Raises `UnauthorizedError`, `CancelledError` or
        `CancelledInFlightError`, and errors that prevent the first query, such as
        `InvalidRequestError`. Ctrl-C ends the wait at once.
        """
        request = query_json(
            "wait_for_payment", query, order_id, transaction_id, search_type
        )
        options = without_none(
            waitMs=wait_ms,
            intervalMs=interval_ms,
            maxIntervalMs=max_interval_ms,
            final=final,
            timeoutMs=timeout_ms,
            accessToken=access_token,
            clientKey=client_key,
            clientId=client_id,
            secretKey=secret_key,
        )
        return Waited.from_json(
            call_long(
                self._handle,
                library.payorder_wait_for_payment,
                request,
                options=options,
                cancellation=cancellation,
            )
        )

    def get_statuses(
        self,
        queries: Iterable[Query],
        *,
        concurrency: Optional[int] = None,
        rate_per_second: Optional[float] = None,
        timeout_ms: Optional[int] = None,
        cancellation: Optional[Cancellation] = None,
        access_token: Optional[str] = None,
        client_key: Optional[str] = None,
        client_id: Optional[str] = None,
        secret_key: Optional[str] = None,
    ) -> Statuses[Query]:
        """Asks for many statuses, several at a time. Iterate over the result.

            with client.get_statuses(order_ids, concurrency=16) as results:
                for result in results:
                    ...

        A query is an order id, a mapping with the wire's names, or an object with a `status_query`.
        There may be any number of them: they are read as they are needed. If a query is invalid or
        gets no usable response, its result has an `error`.

        concurrency: how many queries run at once; 1 to 64, default 8.
        rate_per_second: the most queries in any second, evenly spaced; default no limit.
        timeout_ms, access_token, client_key, client_id, secret_key: for each query.
        cancellation: a `Cancellation`, with which another thread can end this. Iterating then
            stops early, without an exception, and `summary.stopped` is true.
        """
        if isinstance(queries, (str, bytes, Mapping)):
            raise TypeError(
                "queries must be an iterable of queries,"
                f" not one {type(queries).__name__}: put it into a list"
            )
        options = without_none(
            concurrency=concurrency,
            ratePerSecond=rate_per_second,
            timeoutMs=timeout_ms,
            accessToken=access_token,
            clientKey=client_key,
            clientId=client_id,
            secretKey=secret_key,
        )
        if cancellation is not None:
            token_name(cancellation)
        return Statuses(self._handle, queries, options, cancellation)

    @property
    def journal(self) -> Journal:
        """The journal. Without one, its methods raise `InvalidArgumentError`."""
        return Journal(self._handle)

    def cancel(self) -> None:
        """Ends all calls in flight on this client, from another thread. Later calls work.

        The calls raise `CancelledError`, or `CancelledInFlightError` if something was sent. On a
        closed client this raises `InvalidHandleError`, and its calls continue.
        """
        check_result(library.payorder_client_cancel(self._handle.pointer), "client")

    def close(self) -> None:
        """Frees the client. Calls in flight finish; later calls raise `InvalidHandleError`."""
        self._handle.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<payorder.Client of {self._base_url}>"

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "a Client cannot be pickled or copied:"
            " threads share one client, and other processes create their own"
        )

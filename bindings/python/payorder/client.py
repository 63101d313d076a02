"""The client: what is asked of the service."""

from __future__ import annotations

import os
from ctypes import byref, c_void_p
from dataclasses import dataclass
from types import TracebackType
from typing import (
    TYPE_CHECKING,
    Any,
    Iterable,
    Mapping,
    NoReturn,
    Optional,
    Sequence,
    Type,
    TypedDict,
    Union,
)

from ._events import logged
from ._library import answer, done, library
from ._text import c_json, wire_name, wire_names
from .asking import Query, Statuses
from .journals import Journal
from .options import CallOptions, CreateOptions, StatusesOptions, WaitOptions
from .orders import Checkout, OrderFields, order_json
from .statuses import Status, query_json
from .waiting import Waited, interruptible

if TYPE_CHECKING:
    from typing_extensions import Unpack

_Path = Union[str, "os.PathLike[str]"]


@dataclass(frozen=True)
class TlsConfig:
    """Whom to trust, and who the client is. Files are PEM and are read when the client is made."""

    roots: Optional[str] = (
        None  #: "bundled" (the library's own, the default) or "system"
    )
    ca_file: Optional[_Path] = None  #: added to the roots
    cert_file: Optional[_Path] = None  #: the client's certificate; needs key_file
    key_file: Optional[_Path] = None


class Config(TypedDict, total=False):
    """The settings of a client beside `base_url`. None means "not given": the library's default holds."""

    access_token: Optional[str]  #: credential of Create Order
    client_key: Optional[str]  #: these three: credentials of Get Status
    client_id: Optional[str]
    secret_key: Optional[str]
    timeout_ms: Optional[int]  #: a whole call, attempts and waits included; 30000
    connect_timeout_ms: Optional[int]  #: one connection; 10000
    create_retries: Optional[
        int
    ]  #: further attempts, only ever where nothing was sent; 1
    status_retries: Optional[int]  #: further attempts; 2
    max_idle_ms: Optional[
        int
    ]  #: a kept connection older than this is not used again; 2000
    max_response_bytes: Optional[int]  #: 1048576
    proxy: Optional[
        str
    ]  #: a proxy's URL, or "none"; the environment's proxy by default
    tls: Union[
        TlsConfig, Mapping[str, object], None
    ]  #: a mapping has the wire's names ("caFile")
    allow_insecure_http: Optional[bool]  #: http to other hosts than this one; False
    checkout_hosts: Optional[
        Sequence[str]
    ]  #: hosts that a checkout URL may have; any by default
    return_url_field: Optional[
        str
    ]  #: the return URL's name on the wire; "redirectionURL"
    user_agent: Optional[str]  #: put before "payorder/VERSION"
    journal: Optional[
        _Path
    ]  #: path of the journal, made where it is missing; see `Client.journal`


class CreateArguments(OrderFields, CreateOptions, total=False):
    """The keyword arguments of `Client.create_order`."""


_CREATE_OPTIONS = [wire_name(name) for name in CreateOptions.__annotations__]


class Client:
    """A client of one service. One serves the whole process: every method may be called from any thread.

        with Client("https://pay.example.com", access_token=...) as client:
            checkout = client.create_order(amount="100.00", order_id=..., ...)

    It may be used on both sides of a fork. It cannot be pickled: other processes make their own.
    """

    # A client that could not be made has the NULL handle, which may be freed.
    _handle = c_void_p()

    def __init__(self, base_url: str, **config: Unpack[Config]) -> None:
        # Kept here since the module's own name may be gone when the interpreter exits.
        self._library = library
        settings = wire_names("Client", config, Config)
        if base_url is not None:
            settings["baseUrl"] = base_url
        tls = settings.get("tls")
        if isinstance(tls, TlsConfig):
            settings["tls"] = {
                wire_name(name): value
                for name, value in vars(tls).items()
                if value is not None
            }
        text = c_json(settings, "config")
        self._handle = c_void_p()
        answer(library.payorder_client_new, text, byref(self._handle))
        self._base_url = base_url

    def create_order(
        self,
        order: Optional[Mapping[str, object]] = None,
        **arguments: Unpack[CreateArguments],
    ) -> Checkout:
        """Makes an order, once: it is never sent again once a byte of it has left.

        The order is given by its eleven fields as keyword arguments (`OrderFields`), or as a mapping with the wire's
        names. The other keyword arguments are the call's own (`CreateOptions`).

        Raises `NotSentError`, `RejectedError`, or `OutcomeUnknownError`: the order may exist then, so ask
        `get_status(error.status_query)` before anything else.
        """
        named = wire_names("create_order", arguments, CreateArguments)
        options = {name: named.pop(name) for name in _CREATE_OPTIONS if name in named}
        request = order_json("create_order", order, named)
        return Checkout.from_json(
            self._call(
                library.payorder_create_order, request, c_json(options, "options")
            )
        )

    def get_status(
        self,
        query: Optional[Mapping[str, object]] = None,
        *,
        order_id: Optional[str] = None,
        transaction_id: Optional[str] = None,
        search_type: Optional[str] = None,
        **options: Unpack[CallOptions],
    ) -> Status:
        """Asks what became of an order.

        Asked by `order_id`, by the `transaction_id` of the return URL, or with a query as `OutcomeUnknownError` and
        `ReturnUrl` carry it (`status_query`). Asking changes nothing, so any failure may be followed by another try.
        """
        request = query_json("get_status", query, order_id, transaction_id, search_type)
        named = wire_names("get_status", options, CallOptions)
        return Status.from_json(
            self._call(library.payorder_get_status, request, c_json(named, "options"))
        )

    def wait_for_payment(
        self,
        query: Optional[Mapping[str, object]] = None,
        *,
        order_id: Optional[str] = None,
        transaction_id: Optional[str] = None,
        search_type: Optional[str] = None,
        **options: Unpack[WaitOptions],
    ) -> Waited:
        """Asks until the payment is final, or the time is over: `Waited` says which. The query as in `get_status`.

        Raises `UnauthorizedError`, what keeps the first question from being asked, and what `cancel` raises; a question
        that fails otherwise is asked again. Ctrl-C ends the wait at once.
        """
        request = query_json(
            "wait_for_payment", query, order_id, transaction_id, search_type
        )
        named = c_json(wire_names("wait_for_payment", options, WaitOptions), "options")
        handle = self._handle
        return Waited.from_json(
            interruptible(
                handle,
                lambda: answer(
                    library.payorder_wait_for_payment, handle, request, named
                ),
            )
        )

    def get_statuses(
        self, queries: Iterable[Query], **options: Unpack[StatusesOptions]
    ) -> Statuses[Query]:
        """Asks for many statuses, some at a time. Iterate over what this gives: results come as the answers do.

            with client.get_statuses(order_ids, concurrency=16) as results:
                for result in results:
                    ...

        A query is an order id, a mapping with the wire's names, or an object with a `status_query`. Any number of them
        is fine: they are read as they are asked. What is wrong with one, or with its answer, is its result's `error`.
        """
        if isinstance(queries, (str, bytes, Mapping)):
            raise TypeError(
                f"queries must be an iterable of queries, not one {type(queries).__name__}: put it into a list"
            )
        return Statuses(
            self, queries, wire_names("get_statuses", options, StatusesOptions)
        )

    @property
    def journal(self) -> Journal:
        """The journal, of a client that has one in its settings."""
        return Journal(self)

    def cancel(self) -> None:
        """Ends the calls in flight, from another thread; the client can be used on.

        They raise `CancelledError`, or `CancelledInFlightError` where something was sent. On a closed client this is
        an `InvalidHandleError`: its calls can no longer be reached.
        """
        done(library.payorder_client_cancel(self._handle))

    def close(self) -> None:
        """Frees the client. Calls in flight finish on their own; later ones raise `InvalidHandleError`."""
        # A second time the key is stale, which the library says and which is no news here.
        self._library.payorder_client_free(self._handle)

    def _call(self, function: Any, request: bytes, options: bytes) -> str:
        with logged(self._handle):
            return answer(function, self._handle, request, options)

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()

    def __del__(self) -> None:
        if self._handle:
            self.close()

    def __repr__(self) -> str:
        return f"<payorder.Client of {self._base_url}>"

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "a Client cannot be pickled or copied: it is shared as it is, and other processes make their own"
        )

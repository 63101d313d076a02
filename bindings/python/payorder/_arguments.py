# Generated from include/payorder-abi.json by bindings/generate.
"""The fields of an order, the settings of a client and the options of calls, as arguments."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Literal, Mapping, NamedTuple, Optional, Sequence, TypedDict, Union

from .amounts import Amount

if TYPE_CHECKING:
    from .cancellation import Cancellation
    from .journal_entries import JournalState

FilePath = Union[str, "os.PathLike[str]"]

#: How the customer may pay: "all", by credit card, debit card, UPI or net banking.
PayMode = Literal["all", "cc", "dc", "upi", "nb"]

#: The arguments that are times, in seconds.
TIMES = ("connect_timeout", "interval", "max_idle", "max_interval", "timeout", "wait")


class OrderFields(TypedDict):
    """The fields of an order, for a program that builds its keyword arguments as a dict.

    All are required. A type checker, and then the library, says which are missing.

    Attributes:
        amount: Decimal text, at least 1: "100" or "100.00", not "1e2", "+100", "100.", ".5",
            "0100" or "100.005". Required.
        merchant_txn_id: Your unique identifier of the transaction. It, `order_id` and
            `merchant_id` have no white space at their ends and no control character. Required.
        order_id: Your unique identifier of the order, by which `get_status` finds it. Required.
        pay_mode: One of all, cc, dc, upi, nb. Required.
        merchant_id: Your identifier at the service. Required.
        product_info: What is paid for. Required.
        customer_name: The customer's full name. Required.
        customer_mobile: The customer's mobile number. Required.
        customer_email: The customer's e-mail address. Required.
        redirection_url: The return URL: where the customer goes after the payment; an absolute
            URL without a parameter txn. Required.
        currency_code: Such as INR. Required.
    """

    amount: Amount
    merchant_txn_id: str
    order_id: str
    pay_mode: PayMode
    merchant_id: str
    product_info: str
    customer_name: str
    customer_mobile: str
    customer_email: str
    redirection_url: str
    currency_code: str


class TlsConfig(NamedTuple):
    """Which certificates to trust, and the client's own. Files are PEM and are read at once.

    Attributes:
        roots: Which certificate authorities are trusted: "bundled", "system", "both". Default:
            "bundled".
        ca_file: Certificate authorities that are trusted as well. Default: none.
        cert_file: The client certificate for the service (never for a proxy); needs `key_file`.
            Default: none.
        key_file: The private key of `cert_file`. Default: none.
    """

    roots: Optional[str] = None
    ca_file: Optional[FilePath] = None
    cert_file: Optional[FilePath] = None
    key_file: Optional[FilePath] = None


class Config(TypedDict, total=False):
    """The keyword arguments of `Client`, also for a program that builds them as a dict.

    Attributes:
        access_token: ACCESS-TOKEN of Create Order; a call's options can replace it; visible
            ASCII. Default: none.
        client_key: X-CLIENT-KEY of Get Status; a call's options can replace it; visible ASCII.
            Default: none.
        client_id: X-CLIENT-ID of Get Status; a call's options can replace it; visible ASCII.
            Default: none.
        secret_key: X-SECRET-KEY of Get Status; a call's options can replace it; visible ASCII.
            Default: none.
        timeout: The time for a whole call, with all attempts and pauses, in seconds; 0.001 to
            600. Default: 30.
        connect_timeout: The time for one connection: name lookup, TCP, proxy and TLS, in
            seconds; 0.001 to 600. Default: 10.
        create_retries: How many further attempts at Create Order, only after
            PAYORDER_CONNECT_FAILED; 0 to 10. Default: 1.
        status_retries: How many further attempts at Get Status, after results 6, 102, 200, 201,
            202 and 203; 0 to 10. Default: 2.
        max_calls: How many started calls run at once; the others wait for a thread. Calls that
            block are not counted; 1 to 1024. Default: 64.
        max_idle: How long an idle connection is kept for the next call; 0 keeps none, in
            seconds; 0 to 600. Default: 2.
        max_response_bytes: The largest response that is read, in bytes; 1024 to 16777216.
            Default: 1048576.
        proxy: http://user:password@host:port or https://..., the user and port being optional;
            or "none". Without it, the environment variables https_proxy, http_proxy, all_proxy
            and no_proxy decide, as they do for curl. Default: none.
        tls: A `TlsConfig`, or a mapping with the wire's names ("caFile"). Default: the
            library's own authorities.
        allow_insecure_http: Allows http to any host; for tests only. Default: False.
        checkout_hosts: Hosts that a checkout URL may have: complete names without a port.
            Default: none.
        return_url_field: The wire name of the return URL; not the name of another field of the
            order. Default: "redirectionURL".
        user_agent: Put before payorder/VERSION in the User-Agent header; visible ASCII.
            Default: none.
        headers: Further headers of every request, by name; not those that HTTP, the interface
            or the library sets itself (such as Host, Content-Type, User-Agent, ACCESS-TOKEN).
            Their values count as credentials: visible ASCII, and never shown. Default: none.
        quote_responses: Errors of results 202 and 203 quote the response's first 2000
            characters in `response_body`, without credentials. It may contain personal data, so
            log events and the journal never have it. Default: False.
        journal: The path of the journal, a file that is created when it is first used; or the
            connection URI of a PostgreSQL database that several machines share
            (postgresql://user@host/database). Default: none.
    """

    access_token: Optional[str]
    client_key: Optional[str]
    client_id: Optional[str]
    secret_key: Optional[str]
    timeout: Optional[float]
    connect_timeout: Optional[float]
    create_retries: Optional[int]
    status_retries: Optional[int]
    max_calls: Optional[int]
    max_idle: Optional[float]
    max_response_bytes: Optional[int]
    proxy: Optional[str]
    tls: Optional[Union[TlsConfig, Mapping[str, object]]]
    allow_insecure_http: Optional[bool]
    checkout_hosts: Optional[Sequence[str]]
    return_url_field: Optional[str]
    user_agent: Optional[str]
    headers: Optional[Mapping[str, str]]
    quote_responses: Optional[bool]
    journal: Optional[FilePath]


class Credentials(TypedDict, total=False):
    """The keyword arguments of `Client.set_credentials`.

    Attributes:
        access_token: ACCESS-TOKEN of Create Order; a call's options can replace it; visible
            ASCII. Default: unchanged.
        client_key: X-CLIENT-KEY of Get Status; a call's options can replace it; visible ASCII.
            Default: unchanged.
        client_id: X-CLIENT-ID of Get Status; a call's options can replace it; visible ASCII.
            Default: unchanged.
        secret_key: X-SECRET-KEY of Get Status; a call's options can replace it; visible ASCII.
            Default: unchanged.
    """

    access_token: Optional[str]
    client_key: Optional[str]
    client_id: Optional[str]
    secret_key: Optional[str]


class OrderOptions(TypedDict, total=False):
    """The keyword arguments of `create_order`, but for the fields of the order.

    Attributes:
        access_token: Used instead of the configuration's. Default: the client's.
        timeout: The time for the whole call, or for each query of a call that sends several, in
            seconds; 0.001 to 600. Default: the client's.
        headers: Sent in addition to the configuration's; one of the same name replaces it.
            Default: none.
        tag: Comes back in each log event of the call, so that you find the request, trace or
            scope that made it; no control characters. It is sent nowhere and kept nowhere.
            Default: none.
        cancellation: A `Cancellation`, with which another thread can end this. Default: none.
        extra_fields: Strings that are sent after the fields of the order, under other names
            than theirs. Default: none.
        resend: Sends an order that the journal has as "unknown" again, if it is the same order,
            byte for byte. The customer may then have two orders. Default: False.
    """

    access_token: Optional[str]
    timeout: Optional[float]
    headers: Optional[Mapping[str, str]]
    tag: Optional[str]
    cancellation: Optional[Cancellation]
    extra_fields: Optional[Mapping[str, str]]
    resend: Optional[bool]


class StatusOptions(TypedDict, total=False):
    """The keyword arguments of `get_status`, and of every call that asks for statuses.

    Attributes:
        client_key: Used instead of the configuration's. Default: the client's.
        client_id: Used instead of the configuration's. Default: the client's.
        secret_key: Used instead of the configuration's. Default: the client's.
        timeout: The time for the whole call, or for each query of a call that sends several, in
            seconds; 0.001 to 600. Default: the client's.
        headers: Sent in addition to the configuration's; one of the same name replaces it.
            Default: none.
        tag: Comes back in each log event of the call, so that you find the request, trace or
            scope that made it; no control characters. It is sent nowhere and kept nowhere.
            Default: none.
        cancellation: A `Cancellation`, with which another thread can end this. Default: none.
    """

    client_key: Optional[str]
    client_id: Optional[str]
    secret_key: Optional[str]
    timeout: Optional[float]
    headers: Optional[Mapping[str, str]]
    tag: Optional[str]
    cancellation: Optional[Cancellation]


class WaitOptions(StatusOptions, total=False):
    """The keyword arguments of `wait_for_payment`.

    Attributes:
        wait: The time until the wait ends, final or not, in seconds; 0.001 to 86400. Default:
            300.
        interval: The pause between the first two queries; grows by half each time, in seconds;
            0.01 to 600. Default: 3.
        max_interval: The longest pause between two queries; if `interval` is longer, it is used
            instead, in seconds; 0.01 to 600. Default: 15.
        final: Texts of `transaction_status` that end the wait, in addition to "Completed".
            Default: none.
    """

    wait: Optional[float]
    interval: Optional[float]
    max_interval: Optional[float]
    final: Optional[Sequence[str]]


class BatchOptions(StatusOptions, total=False):
    """The keyword arguments of `get_statuses` and `Journal.resolve`.

    Attributes:
        concurrency: How many queries run at the same time; 1 to 64. Default: 8.
        rate_per_second: How many queries are sent per second, evenly spaced. Default: none.
    """

    concurrency: Optional[int]
    rate_per_second: Optional[float]


class RecoverOptions(BatchOptions, total=False):
    """The keyword arguments of `recover`.

    Attributes:
        wait: How long to wait for entries that another process is still sending, in seconds; 0
            to 600. Default: 0.
    """

    wait: Optional[float]


class CheckOptions(StatusOptions, total=False):
    """The keyword arguments of `check`.

    Attributes:
        order_id: The order whose status is asked. Default: none.
    """

    order_id: Optional[str]


class ListOptions(TypedDict, total=False):
    """The keyword arguments of `Journal.list`.

    Attributes:
        cancellation: A `Cancellation`, with which another thread can end this. Default: none.
        state: One of the states, "unresolved" for "sending" and "unknown", or "open" for these
            and every "created" entry that is not "Completed". Default: all.
        order_id: Only entries of the order with this identifier. Default: none.
        events: Also return what happened to each entry, in its key `events`. Default: False.
    """

    cancellation: Optional[Cancellation]
    state: Optional[Union[JournalState, Literal["unresolved", "open"]]]
    order_id: Optional[str]
    events: Optional[bool]


class SettleOptions(TypedDict, total=False):
    """The keyword arguments of `Journal.settle`.

    Attributes:
        cancellation: A `Cancellation`, with which another thread can end this. Default: none.
        note: Why it was closed; no personal data. Default: none.
    """

    cancellation: Optional[Cancellation]
    note: Optional[str]


class PruneOptions(TypedDict, total=False):
    """The keyword arguments of `Journal.prune`.

    Attributes:
        cancellation: A `Cancellation`, with which another thread can end this. Default: none.
        older_than_days: Only entries that were last written more days ago than this; 1 to 3650.
            Default: 90.
    """

    cancellation: Optional[Cancellation]
    older_than_days: Optional[int]


class BuildOptions(TypedDict, total=False):
    """The keyword arguments of `build_create_order`, but for the fields of the order.

    Attributes:
        return_url_field: As in the configuration. Default: "redirectionURL".
        extra_fields: As in `create_order`. Default: none.
    """

    return_url_field: Optional[str]
    extra_fields: Optional[Mapping[str, str]]


class OrderArguments(OrderFields, OrderOptions):
    """All keyword arguments of `create_order`."""


class BuildArguments(OrderFields, BuildOptions):
    """All keyword arguments of `build_create_order`."""

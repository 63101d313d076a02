# Generated from include/payorder-abi.json by bindings/constants.py.
"""Why a call failed and what to do next, as strings that a program may compare."""

from __future__ import annotations

import enum


class Cause(str, enum.Enum):
    """The causes that this version knows: `error.cause == Cause.CONNECTION_REFUSED`.

    A newer library may have more of them. For an unknown cause, use the class of the exception.
    """

    #: a required argument is NULL
    NULL = "null"
    #: a text is not UTF-8
    NOT_UTF8 = "not_utf8"
    #: a text is not JSON, or not the kind of JSON that is expected there
    NOT_JSON = "not_json"
    #: a JSON object has the same key twice
    DUPLICATE_KEY = "duplicate_key"
    #: a text is longer than allowed
    TOO_LONG = "too_long"
    #: a configuration key or an option has an unknown name
    UNKNOWN_KEY = "unknown_key"
    #: a value has the wrong type, the wrong form, or is out of range
    INVALID_VALUE = "invalid_value"
    #: a file named in the configuration cannot be read or used
    UNREADABLE_FILE = "unreadable_file"
    #: the client was freed or never created
    CLIENT_FREED = "client_freed"
    #: the cancellation token was freed or never created
    CANCELLATION_FREED = "cancellation_freed"
    #: the client has no journal, or this build of the library has none
    NO_JOURNAL = "no_journal"
    #: a field breaks a rule of the service's interface
    RULE_BROKEN = "rule_broken"
    #: the endpoint's credentials are in neither the configuration nor the options
    CREDENTIALS_MISSING = "credentials_missing"
    #: the host name does not exist
    NAME_NOT_FOUND = "name_not_found"
    #: the system could not look up the host name
    NAME_LOOKUP_FAILED = "name_lookup_failed"
    #: the host name lookup took too long
    NAME_LOOKUP_TIMED_OUT = "name_lookup_timed_out"
    #: nothing listens at the host's address and port
    CONNECTION_REFUSED = "connection_refused"
    #: the connection was not established in time
    CONNECT_TIMED_OUT = "connect_timed_out"
    #: there is no route to the host
    NETWORK_UNREACHABLE = "network_unreachable"
    #: the process or the system has no file descriptor left
    NO_DESCRIPTORS = "no_descriptors"
    #: the proxy cannot be reached
    PROXY_UNREACHABLE = "proxy_unreachable"
    #: the proxy refused to connect to the service
    PROXY_REFUSED = "proxy_refused"
    #: the proxy needs a user name and password, or does not accept the given ones
    PROXY_NEEDS_CREDENTIALS = "proxy_needs_credentials"
    #: application data arrived before the request was sent, so the connection was not used
    ANSWER_BEFORE_REQUEST = "answer_before_request"
    #: the certificate has expired, or this machine's clock is wrong
    CERTIFICATE_EXPIRED = "certificate_expired"
    #: the certificate is not valid yet, or this machine's clock is wrong
    CERTIFICATE_NOT_YET_VALID = "certificate_not_yet_valid"
    #: the certificate comes from an authority that is not trusted here
    CERTIFICATE_UNKNOWN_ISSUER = "certificate_unknown_issuer"
    #: the certificate is for another host
    CERTIFICATE_WRONG_HOST = "certificate_wrong_host"
    #: the certificate was revoked
    CERTIFICATE_REVOKED = "certificate_revoked"
    #: the certificate cannot be used for another reason, which the message gives
    CERTIFICATE_INVALID = "certificate_invalid"
    #: the other side refused this machine's client certificate, or needs one
    CLIENT_CERTIFICATE_REFUSED = "client_certificate_refused"
    #: the two sides have no TLS version in common
    TLS_VERSION_UNSUPPORTED = "tls_version_unsupported"
    #: the TLS handshake failed, or the TLS connection broke later
    HANDSHAKE_FAILED = "handshake_failed"
    #: the TLS handshake was not finished in time
    HANDSHAKE_TIMED_OUT = "handshake_timed_out"
    #: no complete response arrived in time
    RESPONSE_TIMED_OUT = "response_timed_out"
    #: the connection was reset
    CONNECTION_RESET = "connection_reset"
    #: the connection was closed before a complete response
    CONNECTION_CLOSED = "connection_closed"
    #: the response is not valid HTTP
    RESPONSE_NOT_HTTP = "response_not_http"
    #: the response's body is not JSON of the expected form
    RESPONSE_NOT_JSON = "response_not_json"
    #: the response is larger than `max_response_bytes`
    RESPONSE_TOO_LARGE = "response_too_large"
    #: the response has no `response_code`
    RESPONSE_CODE_MISSING = "response_code_missing"
    #: the answer is a refusal, but its body cannot be read or contradicts it
    REFUSAL_UNCLEAR = "refusal_unclear"
    #: the response reports success without a checkout URL, or with an empty one
    CHECKOUT_URL_MISSING = "checkout_url_missing"
    #: the checkout URL is not one that a customer can be sent to safely
    CHECKOUT_URL_UNUSABLE = "checkout_url_unusable"
    #: the checkout URL's host is not on the list `checkout_hosts`
    CHECKOUT_HOST_NOT_ALLOWED = "checkout_host_not_allowed"
    #: the response is about another order or transaction
    ANOTHER_ORDER = "another_order"
    #: the service answered with a redirect, which is never followed
    REDIRECTED = "redirected"
    #: the service failed
    SERVICE_ERROR = "service_error"
    #: the service refused the request
    SERVICE_REFUSED = "service_refused"
    #: the order was sent again (`resend`), and the service refused it: the first attempt may still
    #: have created it
    RESEND_REFUSED = "resend_refused"
    #: the service does not accept the credentials
    UNAUTHORIZED = "unauthorized"
    #: the service limits how often it may be called
    RATE_LIMITED = "rate_limited"
    #: the journal's disk is full, or a limit on file sizes was reached
    JOURNAL_FULL = "journal_full"
    #: the journal cannot be written: permissions, or a read-only disk
    JOURNAL_READ_ONLY = "journal_read_only"
    #: the journal's file is damaged, or the disk failed
    JOURNAL_DAMAGED = "journal_damaged"
    #: the file is a database of another program
    JOURNAL_FOREIGN = "journal_foreign"
    #: the journal was created by a newer version of this library
    JOURNAL_NEWER = "journal_newer"
    #: another process has the journal locked
    JOURNAL_LOCKED = "journal_locked"
    #: the journal's file was moved, deleted, replaced or linked while it was in use
    JOURNAL_REPLACED = "journal_replaced"
    #: the journal's file cannot be opened, or not be kept safely where it is
    JOURNAL_UNAVAILABLE = "journal_unavailable"
    #: entries of the journal lie in the future: the clock was changed
    JOURNAL_IN_FUTURE = "journal_in_future"
    #: the journal has this order as created
    ORDER_ALREADY_SENT = "order_already_sent"
    #: the journal has this order as being sent
    ORDER_BEING_SENT = "order_being_sent"
    #: the journal has this order with an unknown outcome
    ORDER_MAY_EXIST = "order_may_exist"
    #: the journal has this order, sent to a service with another base URL
    ORDER_OF_ANOTHER_SERVICE = "order_of_another_service"
    #: a person closed this order in the journal
    ORDER_SETTLED = "order_settled"
    #: the call was cancelled
    CANCELLED = "cancelled"
    #: the client was stopped before the call
    CLIENT_STOPPED = "client_stopped"
    #: the process was forked during the call, which continues in the parent process
    FORKED = "forked"
    #: the system could not start a thread for the call, or for its queries
    NO_THREAD = "no_thread"
    #: the system gave this process no thread or no memory
    NO_RESOURCES = "no_resources"
    #: a bug in the library
    BUG = "bug"


class Action(str, enum.Enum):
    """What to do next: `error.action == Action.RETRY`."""

    #: change the arguments of the call
    FIX_REQUEST = "fix_request"
    #: change the configuration, or the files, disks and services that it names
    FIX_CONFIGURATION = "fix_configuration"
    #: check the credentials
    CHECK_CREDENTIALS = "check_credentials"
    #: check the network, the host name and the port
    CHECK_NETWORK = "check_network"
    #: check this machine's clock
    CHECK_CLOCK = "check_clock"
    #: repeat the call: nothing was sent, or the call only asks for a status
    RETRY = "retry"
    #: pause for `retry_after_ms`, or a while, then repeat the call
    RETRY_LATER = "retry_later"
    #: show the service's reason; do not repeat the call unchanged
    SHOW_REASON = "show_reason"
    #: ask for the order's status before anything else: it may exist, or the customer can still pay
    ASK_STATUS = "ask_status"
    #: an order was created earlier: compare it, and continue with `previous`
    USE_PREVIOUS = "use_previous"
    #: report a bug in this library
    REPORT_BUG = "report_bug"
    #: nothing: the program itself ended the call
    NONE = "none"

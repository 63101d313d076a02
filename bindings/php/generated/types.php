<?php

// Written by bindings/constants.py from include/payorder-abi.json: do not change it.

declare(strict_types=1);

namespace Payorder;

/** The range of the number is the outcome. */
final class Result
{
    /** Done. */
    public const OK = 0;
    /** An argument is NULL, not UTF-8, not JSON or too long, or an option is unknown or invalid. */
    public const INVALID_ARGUMENT = 1;
    /** Not a live client or token (NULL, freed or never created). */
    public const INVALID_HANDLE = 2;
    /** A configuration key is unknown, invalid or out of range, or a named file cannot be used. */
    public const INVALID_CONFIG = 3;
    /** The request breaks the interface's rules; all violations are listed. */
    public const INVALID_REQUEST = 4;
    /** The endpoint's credentials are in neither the configuration nor the options. */
    public const MISSING_CREDENTIALS = 5;
    /** DNS, TCP or proxy failed, or the connection broke before a byte of the request was sent. */
    public const CONNECT_FAILED = 6;
    /** The certificate or the handshake failed. */
    public const TLS_FAILED = 7;
    /** Cancelled before a byte of the request was sent. */
    public const CANCELLED = 8;
    /** The journal cannot be used, so nothing was sent. */
    public const JOURNAL_FAILED = 10;
    /** A bug in the library, or no thread or memory left, before a byte of the request was sent. */
    public const INTERNAL = 11;
    /** The service refused the request for another reason. */
    public const REJECTED = 100;
    /** HTTP or responseCode 401 or 403. */
    public const UNAUTHORIZED = 101;
    /** HTTP or responseCode 429. */
    public const RATE_LIMITED = 102;
    /** No complete response in time. */
    public const TIMEOUT = 200;
    /** The connection ended before a complete response. */
    public const CONNECTION_LOST = 201;
    /** A response that cannot be used. */
    public const BAD_RESPONSE = 202;
    /**
     * HTTP 5xx or a 4xx that is not a refusal code, a responseCode that is neither 200 nor a
     * refusal code, or a refused `resend`.
     */
    public const SERVICE_FAILED = 203;
    /** Cancelled after the first byte of the request was sent. */
    public const CANCELLED_IN_FLIGHT = 204;
    /**
     * A bug in the library after the first byte of the request was sent, or a forked child
     * inside its parent's call.
     */
    public const INTERNAL_IN_FLIGHT = 205;
    /** The journal has this order already; this call sent nothing. */
    public const DUPLICATE = 206;
}

/** What happened to the request. */
enum Outcome: string
{
    /** The service did what was asked. */
    case Done = 'done';
    /** Nothing of the request left this machine. */
    case NotSent = 'not_sent';
    /** The service answered and refused. */
    case Rejected = 'rejected';
    /** The service may have acted. */
    case Unknown = 'unknown';
}

/** What to do next. */
enum Action: string
{
    /** Change the arguments of the call. */
    case FixRequest = 'fix_request';
    /** Change the configuration, or the files, disks and services that it names. */
    case FixConfiguration = 'fix_configuration';
    /** Check the credentials. */
    case CheckCredentials = 'check_credentials';
    /** Check the network, the host name and the port. */
    case CheckNetwork = 'check_network';
    /** Check this machine's clock. */
    case CheckClock = 'check_clock';
    /** Repeat the call: nothing was sent, or the call only asks for a status. */
    case Retry = 'retry';
    /** Pause for `retryAfterMs`, or a while, then repeat the call. */
    case RetryLater = 'retry_later';
    /** Show the service's reason; do not repeat the call unchanged. */
    case ShowReason = 'show_reason';
    /**
     * Ask for the order's status before anything else: it may exist, or the customer can still
     * pay.
     */
    case AskStatus = 'ask_status';
    /** An order was created earlier: compare it, and continue with `previous`. */
    case UsePrevious = 'use_previous';
    /** Report a bug in this library. */
    case ReportBug = 'report_bug';
    /** Nothing: the program itself ended the call. */
    case None = 'none';
}

/** What exactly happened. Treat an unknown cause as its result. */
final class Cause
{
    /** A required argument is NULL. */
    public const NULL = 'null';
    /** A text is not UTF-8. */
    public const NOT_UTF8 = 'not_utf8';
    /** A text is not JSON, or not the kind of JSON that is expected there. */
    public const NOT_JSON = 'not_json';
    /** A JSON object has the same key twice. */
    public const DUPLICATE_KEY = 'duplicate_key';
    /** A text is longer than allowed. */
    public const TOO_LONG = 'too_long';
    /** A configuration key or an option has an unknown name. */
    public const UNKNOWN_KEY = 'unknown_key';
    /** A value has the wrong type, the wrong form, or is out of range. */
    public const INVALID_VALUE = 'invalid_value';
    /** A file named in the configuration cannot be read or used. */
    public const UNREADABLE_FILE = 'unreadable_file';
    /** The client was freed or never created. */
    public const CLIENT_FREED = 'client_freed';
    /** The cancellation token was freed or never created. */
    public const CANCELLATION_FREED = 'cancellation_freed';
    /** The client has no journal, or this build of the library has none. */
    public const NO_JOURNAL = 'no_journal';
    /** A field breaks a rule of the service's interface. */
    public const RULE_BROKEN = 'rule_broken';
    /** The endpoint's credentials are in neither the configuration nor the options. */
    public const CREDENTIALS_MISSING = 'credentials_missing';
    /** The host name does not exist. */
    public const NAME_NOT_FOUND = 'name_not_found';
    /** The system could not look up the host name. */
    public const NAME_LOOKUP_FAILED = 'name_lookup_failed';
    /** The host name lookup took too long. */
    public const NAME_LOOKUP_TIMED_OUT = 'name_lookup_timed_out';
    /** Nothing listens at the host's address and port. */
    public const CONNECTION_REFUSED = 'connection_refused';
    /** The connection was not established in time. */
    public const CONNECT_TIMED_OUT = 'connect_timed_out';
    /** There is no route to the host. */
    public const NETWORK_UNREACHABLE = 'network_unreachable';
    /** The process or the system has no file descriptor left. */
    public const NO_DESCRIPTORS = 'no_descriptors';
    /** The proxy cannot be reached. */
    public const PROXY_UNREACHABLE = 'proxy_unreachable';
    /** The proxy refused to connect to the service. */
    public const PROXY_REFUSED = 'proxy_refused';
    /** The proxy needs a user name and password, or does not accept the given ones. */
    public const PROXY_NEEDS_CREDENTIALS = 'proxy_needs_credentials';
    /** Application data arrived before the request was sent, so the connection was not used. */
    public const ANSWER_BEFORE_REQUEST = 'answer_before_request';
    /** The certificate has expired, or this machine's clock is wrong. */
    public const CERTIFICATE_EXPIRED = 'certificate_expired';
    /** The certificate is not valid yet, or this machine's clock is wrong. */
    public const CERTIFICATE_NOT_YET_VALID = 'certificate_not_yet_valid';
    /** The certificate comes from an authority that is not trusted here. */
    public const CERTIFICATE_UNKNOWN_ISSUER = 'certificate_unknown_issuer';
    /** The certificate is for another host. */
    public const CERTIFICATE_WRONG_HOST = 'certificate_wrong_host';
    /** The certificate was revoked. */
    public const CERTIFICATE_REVOKED = 'certificate_revoked';
    /** The certificate cannot be used for another reason, which the message gives. */
    public const CERTIFICATE_INVALID = 'certificate_invalid';
    /** The other side refused this machine's client certificate, or needs one. */
    public const CLIENT_CERTIFICATE_REFUSED = 'client_certificate_refused';
    /** The two sides have no TLS version in common. */
    public const TLS_VERSION_UNSUPPORTED = 'tls_version_unsupported';
    /** The TLS handshake failed, or the TLS connection broke later. */
    public const HANDSHAKE_FAILED = 'handshake_failed';
    /** The TLS handshake was not finished in time. */
    public const HANDSHAKE_TIMED_OUT = 'handshake_timed_out';
    /** No complete response arrived in time. */
    public const RESPONSE_TIMED_OUT = 'response_timed_out';
    /** The connection was reset. */
    public const CONNECTION_RESET = 'connection_reset';
    /** The connection was closed before a complete response. */
    public const CONNECTION_CLOSED = 'connection_closed';
    /** The response is not valid HTTP. */
    public const RESPONSE_NOT_HTTP = 'response_not_http';
    /** The response's body is not JSON of the expected form. */
    public const RESPONSE_NOT_JSON = 'response_not_json';
    /** The response is larger than `maxResponseBytes`. */
    public const RESPONSE_TOO_LARGE = 'response_too_large';
    /** The response has no `responseCode`. */
    public const RESPONSE_CODE_MISSING = 'response_code_missing';
    /** The answer is a refusal, but its body cannot be read or contradicts it. */
    public const REFUSAL_UNCLEAR = 'refusal_unclear';
    /** The response reports success without a checkout URL, or with an empty one. */
    public const CHECKOUT_URL_MISSING = 'checkout_url_missing';
    /** The checkout URL is not one that a customer can be sent to safely. */
    public const CHECKOUT_URL_UNUSABLE = 'checkout_url_unusable';
    /** The checkout URL's host is not on the list `checkoutHosts`. */
    public const CHECKOUT_HOST_NOT_ALLOWED = 'checkout_host_not_allowed';
    /** The response is about another order or transaction. */
    public const ANOTHER_ORDER = 'another_order';
    /** The service answered with a redirect, which is never followed. */
    public const REDIRECTED = 'redirected';
    /** The service failed. */
    public const SERVICE_ERROR = 'service_error';
    /** The service refused the request. */
    public const SERVICE_REFUSED = 'service_refused';
    /**
     * The order was sent again (`resend`), and the service refused it: the first attempt may
     * still have created it.
     */
    public const RESEND_REFUSED = 'resend_refused';
    /** The service does not accept the credentials. */
    public const UNAUTHORIZED = 'unauthorized';
    /** The service limits how often it may be called. */
    public const RATE_LIMITED = 'rate_limited';
    /** The journal's disk is full, or a limit on file sizes was reached. */
    public const JOURNAL_FULL = 'journal_full';
    /** The journal cannot be written: permissions, or a read-only disk. */
    public const JOURNAL_READ_ONLY = 'journal_read_only';
    /** The journal's file is damaged, or the disk failed. */
    public const JOURNAL_DAMAGED = 'journal_damaged';
    /** The file is a database of another program. */
    public const JOURNAL_FOREIGN = 'journal_foreign';
    /** The journal was created by a newer version of this library. */
    public const JOURNAL_NEWER = 'journal_newer';
    /** Another process has the journal locked. */
    public const JOURNAL_LOCKED = 'journal_locked';
    /** The journal's file was moved, deleted, replaced or linked while it was in use. */
    public const JOURNAL_REPLACED = 'journal_replaced';
    /** The journal's file cannot be opened, or not be kept safely where it is. */
    public const JOURNAL_UNAVAILABLE = 'journal_unavailable';
    /** Entries of the journal lie in the future: the clock was changed. */
    public const JOURNAL_IN_FUTURE = 'journal_in_future';
    /** The journal has this order as created. */
    public const ORDER_ALREADY_SENT = 'order_already_sent';
    /** The journal has this order as being sent. */
    public const ORDER_BEING_SENT = 'order_being_sent';
    /** The journal has this order with an unknown outcome. */
    public const ORDER_MAY_EXIST = 'order_may_exist';
    /** The journal has this order, sent to a service with another base URL. */
    public const ORDER_OF_ANOTHER_SERVICE = 'order_of_another_service';
    /** A person closed this order in the journal. */
    public const ORDER_SETTLED = 'order_settled';
    /** The call was cancelled. */
    public const CANCELLED = 'cancelled';
    /** The client was stopped before the call. */
    public const CLIENT_STOPPED = 'client_stopped';
    /** The process was forked during the call, which continues in the parent process. */
    public const FORKED = 'forked';
    /** The system could not start a thread for the call, or for its queries. */
    public const NO_THREAD = 'no_thread';
    /** The system gave this process no thread or no memory. */
    public const NO_RESOURCES = 'no_resources';
    /** A bug in the library. */
    public const BUG = 'bug';
}

/** Nothing was sent. Fix the problem and call again, unless you cancelled the call. */
class NotSentException extends PayorderException {}

/** The service refused the request: the message says why. */
class RejectedException extends PayorderException {}

/** The order may exist: give statusQuery to getStatus before anything else. */
class OutcomeUnknownException extends PayorderException {}

/** An argument is NULL, not UTF-8, not JSON or too long, or an option is unknown or invalid. */
class InvalidArgumentException extends NotSentException {}

/** Not a live client or token (NULL, freed or never created). */
class InvalidHandleException extends NotSentException {}

/** A configuration key is unknown, invalid or out of range, or a named file cannot be used. */
class InvalidConfigException extends NotSentException {}

/** The request breaks the interface's rules; all violations are listed. */
class InvalidRequestException extends NotSentException {}

/** The endpoint's credentials are in neither the configuration nor the options. */
class MissingCredentialsException extends NotSentException {}

/** DNS, TCP or proxy failed, or the connection broke before a byte of the request was sent. */
class ConnectException extends NotSentException {}

/** The certificate or the handshake failed. */
class TlsException extends NotSentException {}

/** Cancelled before a byte of the request was sent. */
class CancelledException extends NotSentException {}

/** The journal cannot be used, so nothing was sent. */
class JournalException extends NotSentException {}

/** A bug in the library, or no thread or memory left, before a byte of the request was sent. */
class InternalException extends NotSentException {}

/** HTTP or responseCode 401 or 403. */
class UnauthorizedException extends RejectedException {}

/** HTTP or responseCode 429. */
class RateLimitedException extends RejectedException {}

/** No complete response in time. */
class TimeoutException extends OutcomeUnknownException {}

/** The connection ended before a complete response. */
class ConnectionLostException extends OutcomeUnknownException {}

/** A response that cannot be used. */
class BadResponseException extends OutcomeUnknownException {}

/**
 * HTTP 5xx or a 4xx that is not a refusal code, a responseCode that is neither 200 nor a refusal
 * code, or a refused `resend`.
 */
class ServiceFailedException extends OutcomeUnknownException {}

/** Cancelled after the first byte of the request was sent. */
class CancelledInFlightException extends OutcomeUnknownException {}

/**
 * A bug in the library after the first byte of the request was sent, or a forked child inside
 * its parent's call.
 */
class InternalInFlightException extends OutcomeUnknownException {}

/** The journal has this order already; this call sent nothing. */
class DuplicateException extends OutcomeUnknownException {}

const ERROR_CLASSES = [
    1 => InvalidArgumentException::class,
    2 => InvalidHandleException::class,
    3 => InvalidConfigException::class,
    4 => InvalidRequestException::class,
    5 => MissingCredentialsException::class,
    6 => ConnectException::class,
    7 => TlsException::class,
    8 => CancelledException::class,
    10 => JournalException::class,
    11 => InternalException::class,
    101 => UnauthorizedException::class,
    102 => RateLimitedException::class,
    200 => TimeoutException::class,
    201 => ConnectionLostException::class,
    202 => BadResponseException::class,
    203 => ServiceFailedException::class,
    204 => CancelledInFlightException::class,
    205 => InternalInFlightException::class,
    206 => DuplicateException::class,
];

const USUAL_CAUSES = [
    1 => ['invalid_value', Action::FixRequest],
    2 => ['client_freed', Action::FixRequest],
    3 => ['invalid_value', Action::FixConfiguration],
    4 => ['rule_broken', Action::FixRequest],
    5 => ['credentials_missing', Action::CheckCredentials],
    6 => ['connection_refused', Action::CheckNetwork],
    7 => ['certificate_invalid', Action::CheckNetwork],
    8 => ['cancelled', Action::None],
    10 => ['journal_unavailable', Action::FixConfiguration],
    11 => ['bug', Action::ReportBug],
    100 => ['service_refused', Action::ShowReason],
    101 => ['unauthorized', Action::CheckCredentials],
    102 => ['rate_limited', Action::RetryLater],
    200 => ['response_timed_out', Action::AskStatus],
    201 => ['connection_closed', Action::AskStatus],
    202 => ['response_not_json', Action::AskStatus],
    203 => ['service_error', Action::AskStatus],
    204 => ['cancelled', Action::AskStatus],
    205 => ['bug', Action::AskStatus],
    206 => ['order_may_exist', Action::AskStatus],
    'sending' => ['order_being_sent', Action::AskStatus],
    'created' => ['order_already_sent', Action::UsePrevious],
    'settled' => ['order_settled', Action::AskStatus],
];

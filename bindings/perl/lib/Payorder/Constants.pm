# Generated from include/payorder-abi.json by bindings/constants.py.
package Payorder::Constants;
use strict;
use warnings;
use constant ABI_VERSION => 1;

package Payorder::Result;
use constant {
    OK => 0,
    INVALID_ARGUMENT => 1,
    INVALID_HANDLE => 2,
    INVALID_CONFIG => 3,
    INVALID_REQUEST => 4,
    MISSING_CREDENTIALS => 5,
    CONNECT_FAILED => 6,
    TLS_FAILED => 7,
    CANCELLED => 8,
    JOURNAL_FAILED => 10,
    INTERNAL => 11,
    REJECTED => 100,
    UNAUTHORIZED => 101,
    RATE_LIMITED => 102,
    TIMEOUT => 200,
    CONNECTION_LOST => 201,
    BAD_RESPONSE => 202,
    SERVICE_FAILED => 203,
    CANCELLED_IN_FLIGHT => 204,
    INTERNAL_IN_FLIGHT => 205,
    DUPLICATE => 206,
};

package Payorder::Outcome;
use constant {
    DONE => 'done',
    NOT_SENT => 'not_sent',
    REJECTED => 'rejected',
    UNKNOWN => 'unknown',
};

package Payorder::Cause;
use constant {
    NULL => 'null',
    NOT_UTF8 => 'not_utf8',
    NOT_JSON => 'not_json',
    DUPLICATE_KEY => 'duplicate_key',
    TOO_LONG => 'too_long',
    UNKNOWN_KEY => 'unknown_key',
    INVALID_VALUE => 'invalid_value',
    UNREADABLE_FILE => 'unreadable_file',
    CLIENT_FREED => 'client_freed',
    CANCELLATION_FREED => 'cancellation_freed',
    NO_JOURNAL => 'no_journal',
    RULE_BROKEN => 'rule_broken',
    CREDENTIALS_MISSING => 'credentials_missing',
    NAME_NOT_FOUND => 'name_not_found',
    NAME_LOOKUP_FAILED => 'name_lookup_failed',
    NAME_LOOKUP_TIMED_OUT => 'name_lookup_timed_out',
    CONNECTION_REFUSED => 'connection_refused',
    CONNECT_TIMED_OUT => 'connect_timed_out',
    NETWORK_UNREACHABLE => 'network_unreachable',
    NO_DESCRIPTORS => 'no_descriptors',
    PROXY_UNREACHABLE => 'proxy_unreachable',
    PROXY_REFUSED => 'proxy_refused',
    PROXY_NEEDS_CREDENTIALS => 'proxy_needs_credentials',
    ANSWER_BEFORE_REQUEST => 'answer_before_request',
    CERTIFICATE_EXPIRED => 'certificate_expired',
    CERTIFICATE_NOT_YET_VALID => 'certificate_not_yet_valid',
    CERTIFICATE_UNKNOWN_ISSUER => 'certificate_unknown_issuer',
    CERTIFICATE_WRONG_HOST => 'certificate_wrong_host',
    CERTIFICATE_REVOKED => 'certificate_revoked',
    CERTIFICATE_INVALID => 'certificate_invalid',
    CLIENT_CERTIFICATE_REFUSED => 'client_certificate_refused',
    TLS_VERSION_UNSUPPORTED => 'tls_version_unsupported',
    HANDSHAKE_FAILED => 'handshake_failed',
    HANDSHAKE_TIMED_OUT => 'handshake_timed_out',
    RESPONSE_TIMED_OUT => 'response_timed_out',
    CONNECTION_RESET => 'connection_reset',
    CONNECTION_CLOSED => 'connection_closed',
    RESPONSE_NOT_HTTP => 'response_not_http',
    RESPONSE_NOT_JSON => 'response_not_json',
    RESPONSE_TOO_LARGE => 'response_too_large',
    RESPONSE_CODE_MISSING => 'response_code_missing',
    REFUSAL_UNCLEAR => 'refusal_unclear',
    CHECKOUT_URL_MISSING => 'checkout_url_missing',
    CHECKOUT_URL_UNUSABLE => 'checkout_url_unusable',
    CHECKOUT_HOST_NOT_ALLOWED => 'checkout_host_not_allowed',
    ANOTHER_ORDER => 'another_order',
    REDIRECTED => 'redirected',
    SERVICE_ERROR => 'service_error',
    SERVICE_REFUSED => 'service_refused',
    RESEND_REFUSED => 'resend_refused',
    UNAUTHORIZED => 'unauthorized',
    RATE_LIMITED => 'rate_limited',
    JOURNAL_FULL => 'journal_full',
    JOURNAL_READ_ONLY => 'journal_read_only',
    JOURNAL_DAMAGED => 'journal_damaged',
    JOURNAL_FOREIGN => 'journal_foreign',
    JOURNAL_NEWER => 'journal_newer',
    JOURNAL_LOCKED => 'journal_locked',
    JOURNAL_REPLACED => 'journal_replaced',
    JOURNAL_UNAVAILABLE => 'journal_unavailable',
    JOURNAL_IN_FUTURE => 'journal_in_future',
    ORDER_ALREADY_SENT => 'order_already_sent',
    ORDER_BEING_SENT => 'order_being_sent',
    ORDER_MAY_EXIST => 'order_may_exist',
    ORDER_OF_ANOTHER_SERVICE => 'order_of_another_service',
    ORDER_SETTLED => 'order_settled',
    CANCELLED => 'cancelled',
    CLIENT_STOPPED => 'client_stopped',
    FORKED => 'forked',
    NO_THREAD => 'no_thread',
    NO_RESOURCES => 'no_resources',
    BUG => 'bug',
};

package Payorder::Action;
use constant {
    FIX_REQUEST => 'fix_request',
    FIX_CONFIGURATION => 'fix_configuration',
    CHECK_CREDENTIALS => 'check_credentials',
    CHECK_NETWORK => 'check_network',
    CHECK_CLOCK => 'check_clock',
    RETRY => 'retry',
    RETRY_LATER => 'retry_later',
    SHOW_REASON => 'show_reason',
    ASK_STATUS => 'ask_status',
    USE_PREVIOUS => 'use_previous',
    REPORT_BUG => 'report_bug',
    NONE => 'none',
};

package Payorder::Constants;

our %ERROR_CLASSES = (
    1 => 'InvalidArgumentError',
    2 => 'InvalidHandleError',
    3 => 'InvalidConfigError',
    4 => 'InvalidRequestError',
    5 => 'MissingCredentialsError',
    6 => 'ConnectError',
    7 => 'TlsError',
    8 => 'CancelledError',
    10 => 'JournalError',
    11 => 'InternalError',
    101 => 'UnauthorizedError',
    102 => 'RateLimitedError',
    200 => 'ResponseTimeoutError',
    201 => 'ConnectionLostError',
    202 => 'BadResponseError',
    203 => 'ServiceFailedError',
    204 => 'CancelledInFlightError',
    205 => 'InternalInFlightError',
    206 => 'DuplicateError',
);

# For errors that a program's own tests make; a duplicate by the entry's state.
our %USUAL_CAUSES = (
    1 => [ 'invalid_value', 'fix_request' ],
    2 => [ 'client_freed', 'fix_request' ],
    3 => [ 'invalid_value', 'fix_configuration' ],
    4 => [ 'rule_broken', 'fix_request' ],
    5 => [ 'credentials_missing', 'check_credentials' ],
    6 => [ 'connection_refused', 'check_network' ],
    7 => [ 'certificate_invalid', 'check_network' ],
    8 => [ 'cancelled', 'none' ],
    10 => [ 'journal_unavailable', 'fix_configuration' ],
    11 => [ 'bug', 'report_bug' ],
    100 => [ 'service_refused', 'show_reason' ],
    101 => [ 'unauthorized', 'check_credentials' ],
    102 => [ 'rate_limited', 'retry_later' ],
    200 => [ 'response_timed_out', 'ask_status' ],
    201 => [ 'connection_closed', 'ask_status' ],
    202 => [ 'response_not_json', 'ask_status' ],
    203 => [ 'service_error', 'ask_status' ],
    204 => [ 'cancelled', 'ask_status' ],
    205 => [ 'bug', 'ask_status' ],
    206 => [ 'order_may_exist', 'ask_status' ],
    sending => [ 'order_being_sent', 'ask_status' ],
    created => [ 'order_already_sent', 'use_previous' ],
    settled => [ 'order_settled', 'ask_status' ],
);

# Perl does not tell numbers and booleans from text, so these settings do.
our %IS_INTEGER = map { ( $_ => 1 ) } qw(
    after concurrency connectTimeoutMs createRetries entry intervalMs limit maxIdleMs
    maxIntervalMs maxResponseBytes olderThanDays ratePerSecond statusRetries timeoutMs waitMs
);
our %IS_BOOLEAN = map { ( $_ => 1 ) } qw(
    allowInsecureHttp events resend
);
our %IS_STRING = map { ( $_ => 1 ) } qw(
    accessToken baseUrl clientId clientKey journal note orderId proxy returnUrlField secretKey
    state userAgent
);
our %IS_WIRE_NAME = map { ( $_ => 1 ) } qw(
    accessToken allowInsecureHttp baseUrl bodyBytes bodySha256 bytesSent caFile certFile
    certificateSha256 checkoutHosts checkoutUrl clientId clientKey connectTimeoutMs
    createRetries currencyCode customerEmail customerMobile customerName durationMs elapsedMs
    extraFields httpStatus intervalMs keyFile maxIdleMs maxIntervalMs maxResponseBytes
    merchantId merchantName merchantRefId merchantTxnId notSent olderThanDays orderId
    otherServices payMode productInfo ratePerSecond redirectionURL refundStatus refundType
    responseCode responseMessage retryAfterMs returnUrlField searchType secretKey settlementDate
    settlementStatus startedAt statusQuery statusRetries timedOut timeoutMs transactionDate
    transactionId transactionStatus updatedAt userAgent waitMs
);

1;

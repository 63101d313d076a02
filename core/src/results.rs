// The list of results. `core/src/code.rs` makes the type, the names and the outcomes from it, and
// `tests/header` the constants of the C header. The range of a number is its outcome: 1 to 99 not
// sent, 100 to 199 rejected, 200 to 299 unknown.
results! {
    0 PAYORDER_OK Ok "done",

    1 PAYORDER_INVALID_ARGUMENT InvalidArgument
        "an argument is NULL, not UTF-8, not JSON or too long, or an option is unknown or invalid",
    2 PAYORDER_INVALID_HANDLE InvalidHandle
        "not a live client or token (NULL, freed or never created)",
    3 PAYORDER_INVALID_CONFIG InvalidConfig
        "a configuration key is unknown, invalid or out of range, or a named file cannot be used",
    4 PAYORDER_INVALID_REQUEST InvalidRequest
        "the request breaks the interface's rules; all violations are listed",
    5 PAYORDER_MISSING_CREDENTIALS MissingCredentials
        "the endpoint's credentials are in neither the configuration nor the options",
    6 PAYORDER_CONNECT_FAILED ConnectFailed
        "DNS, TCP or proxy failed, or the connection broke before a byte of the request was sent",
    7 PAYORDER_TLS_FAILED TlsFailed "the certificate or the handshake failed",
    8 PAYORDER_CANCELLED Cancelled "cancelled before a byte of the request was sent",
    10 PAYORDER_JOURNAL_FAILED JournalFailed "the journal cannot be used, so nothing was sent",
    11 PAYORDER_INTERNAL Internal
        "a bug in the library, or no thread or memory left, before a byte of the request was sent",

    100 PAYORDER_REJECTED Rejected "the service refused the request for another reason",
    101 PAYORDER_UNAUTHORIZED Unauthorized "HTTP or responseCode 401 or 403",
    102 PAYORDER_RATE_LIMITED RateLimited "HTTP or responseCode 429",

    200 PAYORDER_TIMEOUT Timeout "no complete response in time",
    201 PAYORDER_CONNECTION_LOST ConnectionLost "the connection ended before a complete response",
    202 PAYORDER_BAD_RESPONSE BadResponse "a response that cannot be used",
    203 PAYORDER_SERVICE_FAILED ServiceFailed
        "HTTP 5xx or a 4xx that is not a refusal code, a responseCode that is neither 200 nor a \
            refusal code, or a refused `resend`",
    204 PAYORDER_CANCELLED_IN_FLIGHT CancelledInFlight
        "cancelled after the first byte of the request was sent",
    205 PAYORDER_INTERNAL_IN_FLIGHT InternalInFlight
        "a bug in the library after the first byte of the request was sent, or a forked child \
            inside its parent's call",
    206 PAYORDER_DUPLICATE Duplicate "the journal has this order already; this call sent nothing",
}

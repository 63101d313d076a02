// The list of results. `core/src/code.rs` makes the type, the names and the outcomes from it, and
// `tests/header` the constants of the C header. The range of a number is its outcome: 1 to 99 not
// sent, 100 to 199 rejected, 200 to 299 unknown.
results! {
    /// done
    0 PAYORDER_OK Ok,

    /// an argument is NULL, not UTF-8, not JSON or too long, or an option is unknown or invalid
    1 PAYORDER_INVALID_ARGUMENT InvalidArgument,
    /// not a live client or token (NULL, freed or never created)
    2 PAYORDER_INVALID_HANDLE InvalidHandle,
    /// a configuration key is unknown, invalid or out of range, or a named file cannot be used
    3 PAYORDER_INVALID_CONFIG InvalidConfig,
    /// the request breaks the interface's rules; all violations are listed
    4 PAYORDER_INVALID_REQUEST InvalidRequest,
    /// the endpoint's credentials are in neither the configuration nor the options
    5 PAYORDER_MISSING_CREDENTIALS MissingCredentials,
    /// DNS, TCP or proxy failed, or the connection broke before a byte of the request was sent
    6 PAYORDER_CONNECT_FAILED ConnectFailed,
    /// the certificate or the handshake failed
    7 PAYORDER_TLS_FAILED TlsFailed,
    /// cancelled before a byte of the request was sent
    8 PAYORDER_CANCELLED Cancelled,
    /// the journal cannot be used, so nothing was sent
    10 PAYORDER_JOURNAL_FAILED JournalFailed,
    /// a bug in the library, or no thread or memory left, before a byte of the request was sent
    11 PAYORDER_INTERNAL Internal,

    /// the service refused the request for another reason
    100 PAYORDER_REJECTED Rejected,
    /// HTTP or responseCode 401 or 403
    101 PAYORDER_UNAUTHORIZED Unauthorized,
    /// HTTP or responseCode 429
    102 PAYORDER_RATE_LIMITED RateLimited,

    /// no complete response in time
    200 PAYORDER_TIMEOUT Timeout,
    /// the connection ended before a complete response
    201 PAYORDER_CONNECTION_LOST ConnectionLost,
    /// a response that cannot be used
    202 PAYORDER_BAD_RESPONSE BadResponse,
    /// HTTP 5xx or a 4xx that is not a refusal code, a responseCode that is neither 200 nor a
    /// refusal code, or a refused `resend`
    203 PAYORDER_SERVICE_FAILED ServiceFailed,
    /// cancelled after the first byte of the request was sent
    204 PAYORDER_CANCELLED_IN_FLIGHT CancelledInFlight,
    /// a bug in the library after the first byte of the request was sent, or a forked child inside
    /// its parent's call
    205 PAYORDER_INTERNAL_IN_FLIGHT InternalInFlight,
    /// the journal has this order already; this call sent nothing
    206 PAYORDER_DUPLICATE Duplicate,
}

package org.payorder;

import java.util.function.Function;

// Generated from include/payorder-abi.json by bindings/constants.py: do not change it here.

/** How a call ended. */
public enum Result {
    /** done */
    OK(0, null),
    /**
     * an argument is NULL, not UTF-8, not JSON or too long, or an option is unknown or
     * invalid
     */
    INVALID_ARGUMENT(1, InvalidArgumentException::new),
    /** not a live client or token (NULL, freed or never created) */
    INVALID_HANDLE(2, InvalidHandleException::new),
    /**
     * a configuration key is unknown, invalid or out of range, or a named file cannot be
     * used
     */
    INVALID_CONFIG(3, InvalidConfigException::new),
    /** the request breaks the interface's rules; all violations are listed */
    INVALID_REQUEST(4, InvalidRequestException::new),
    /** the endpoint's credentials are in neither the configuration nor the options */
    MISSING_CREDENTIALS(5, MissingCredentialsException::new),
    /**
     * DNS, TCP or proxy failed, or the connection broke before a byte of the request was
     * sent
     */
    CONNECT_FAILED(6, ConnectFailedException::new),
    /** the certificate or the handshake failed */
    TLS_FAILED(7, TlsException::new),
    /** cancelled before a byte of the request was sent */
    CANCELLED(8, CancelledException::new),
    /** the journal cannot be used, so nothing was sent */
    JOURNAL_FAILED(10, JournalException::new),
    /**
     * a bug in the library, or no thread or memory left, before a byte of the request was
     * sent
     */
    INTERNAL(11, InternalException::new),
    /** the service refused the request for another reason */
    REJECTED(100, RejectedException::new),
    /** HTTP or responseCode 401 or 403 */
    UNAUTHORIZED(101, UnauthorizedException::new),
    /** HTTP or responseCode 429 */
    RATE_LIMITED(102, RateLimitedException::new),
    /** no complete response in time */
    TIMEOUT(200, ResponseTimeoutException::new),
    /** the connection ended before a complete response */
    CONNECTION_LOST(201, ConnectionLostException::new),
    /** a response that cannot be used */
    BAD_RESPONSE(202, BadResponseException::new),
    /**
     * HTTP 5xx or a 4xx that is not a refusal code, a responseCode that is neither 200 nor a
     * refusal code, or a refused `resend`
     */
    SERVICE_FAILED(203, ServiceFailedException::new),
    /** cancelled after the first byte of the request was sent */
    CANCELLED_IN_FLIGHT(204, CancelledInFlightException::new),
    /**
     * a bug in the library after the first byte of the request was sent, or a forked child
     * inside its parent's call
     */
    INTERNAL_IN_FLIGHT(205, InternalInFlightException::new),
    /** the journal has this order already; this call sent nothing */
    DUPLICATE(206, DuplicateException::new),

    /** a result that this version of the package does not know */
    UNRECOGNISED(-1, null);

    private final int number;
    final Function<ErrorFields, PayorderException> exception;

    Result(int number, Function<ErrorFields, PayorderException> exception) {
        this.number = number;
        this.exception = exception;
    }

    /** The number in the C interface, whose range is the outcome. */
    public int getNumber() {
        return number;
    }

    static Result of(int number) {
        for (Result one : values()) {
            if (one.number == number) {
                return one;
            }
        }
        return UNRECOGNISED;
    }
}

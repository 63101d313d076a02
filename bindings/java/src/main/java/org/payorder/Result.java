package org.payorder;

import java.util.function.Function;
import org.payorder.Constants.Actions;
import org.payorder.Constants.Causes;

// Generated from include/payorder-abi.json by bindings/constants.py: do not change it here.

/** How a call ended. */
public enum Result {
    /** done */
    OK(0, null, Causes.BUG, Actions.ASK_STATUS),
    /**
     * an argument is NULL, not UTF-8, not JSON or too long, or an option is unknown or
     * invalid
     */
    INVALID_ARGUMENT(1, InvalidArgumentException::new, Causes.INVALID_VALUE, Actions.FIX_REQUEST),
    /** not a live client or token (NULL, freed or never created) */
    INVALID_HANDLE(2, InvalidHandleException::new, Causes.CLIENT_FREED, Actions.FIX_REQUEST),
    /**
     * a configuration key is unknown, invalid or out of range, or a named file cannot be
     * used
     */
    INVALID_CONFIG(3, InvalidConfigException::new,
            Causes.INVALID_VALUE, Actions.FIX_CONFIGURATION),
    /** the request breaks the interface's rules; all violations are listed */
    INVALID_REQUEST(4, InvalidRequestException::new, Causes.RULE_BROKEN, Actions.FIX_REQUEST),
    /** the endpoint's credentials are in neither the configuration nor the options */
    MISSING_CREDENTIALS(5, MissingCredentialsException::new,
            Causes.CREDENTIALS_MISSING, Actions.CHECK_CREDENTIALS),
    /**
     * DNS, TCP or proxy failed, or the connection broke before a byte of the request was
     * sent
     */
    CONNECT_FAILED(6, ConnectFailedException::new,
            Causes.CONNECTION_REFUSED, Actions.CHECK_NETWORK),
    /** the certificate or the handshake failed */
    TLS_FAILED(7, TlsException::new, Causes.CERTIFICATE_INVALID, Actions.CHECK_NETWORK),
    /** cancelled before a byte of the request was sent */
    CANCELLED(8, CancelledException::new, Causes.CANCELLED, Actions.NONE),
    /** the journal cannot be used, so nothing was sent */
    JOURNAL_FAILED(10, JournalException::new,
            Causes.JOURNAL_UNAVAILABLE, Actions.FIX_CONFIGURATION),
    /**
     * a bug in the library, or no thread or memory left, before a byte of the request was
     * sent
     */
    INTERNAL(11, InternalException::new, Causes.BUG, Actions.REPORT_BUG),
    /** the service refused the request for another reason */
    REJECTED(100, RejectedException::new, Causes.SERVICE_REFUSED, Actions.SHOW_REASON),
    /** HTTP or responseCode 401 or 403 */
    UNAUTHORIZED(101, UnauthorizedException::new, Causes.UNAUTHORIZED, Actions.CHECK_CREDENTIALS),
    /** HTTP or responseCode 429 */
    RATE_LIMITED(102, RateLimitedException::new, Causes.RATE_LIMITED, Actions.RETRY_LATER),
    /** no complete response in time */
    TIMEOUT(200, ResponseTimeoutException::new, Causes.RESPONSE_TIMED_OUT, Actions.ASK_STATUS),
    /** the connection ended before a complete response */
    CONNECTION_LOST(201, ConnectionLostException::new,
            Causes.CONNECTION_CLOSED, Actions.ASK_STATUS),
    /** a response that cannot be used */
    BAD_RESPONSE(202, BadResponseException::new, Causes.RESPONSE_NOT_JSON, Actions.ASK_STATUS),
    /**
     * HTTP 5xx or a 4xx that is not a refusal code, a responseCode that is neither 200 nor a
     * refusal code, or a refused `resend`
     */
    SERVICE_FAILED(203, ServiceFailedException::new, Causes.SERVICE_ERROR, Actions.ASK_STATUS),
    /** cancelled after the first byte of the request was sent */
    CANCELLED_IN_FLIGHT(204, CancelledInFlightException::new,
            Causes.CANCELLED, Actions.ASK_STATUS),
    /**
     * a bug in the library after the first byte of the request was sent, or a forked child
     * inside its parent's call
     */
    INTERNAL_IN_FLIGHT(205, InternalInFlightException::new, Causes.BUG, Actions.ASK_STATUS),
    /** the journal has this order already; this call sent nothing */
    DUPLICATE(206, DuplicateException::new, Causes.ORDER_MAY_EXIST, Actions.ASK_STATUS),

    /** a result that this version of the package does not know */
    UNRECOGNISED(-1, null, Causes.BUG, Actions.ASK_STATUS);

    private final int number;
    final Function<ErrorFields, PayorderException> exception;

    /** A usual cause and its action, for errors of tests. */
    final String cause;

    final String action;

    Result(
            int number,
            Function<ErrorFields, PayorderException> exception,
            String cause,
            String action) {
        this.number = number;
        this.exception = exception;
        this.cause = cause;
        this.action = action;
    }

    /** The number in the C interface, whose range is the outcome. */
    public int getNumber() {
        return number;
    }

    /** The cause and the action of {@link #DUPLICATE}, by the state of the journal's entry. */
    static String[] ofDuplicate(String state) {
        switch (String.valueOf(state)) {
            case "sending":
                return new String[] {Causes.ORDER_BEING_SENT, Actions.ASK_STATUS};
            case "created":
                return new String[] {Causes.ORDER_ALREADY_SENT, Actions.USE_PREVIOUS};
            case "settled":
                return new String[] {Causes.ORDER_SETTLED, Actions.ASK_STATUS};
            default:
                return new String[] {DUPLICATE.cause, DUPLICATE.action};
        }
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

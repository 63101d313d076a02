package org.payorder;

/** The request was sent, and no complete response arrived in time. */
public final class ResponseTimeoutException extends OutcomeUnknownException {
    private static final long serialVersionUID = 1;

    ResponseTimeoutException(ErrorFields error) {
        super(error);
    }
}

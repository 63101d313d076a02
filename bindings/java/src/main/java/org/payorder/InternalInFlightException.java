package org.payorder;

/** A bug, after a byte of the request was sent. */
public final class InternalInFlightException extends OutcomeUnknownException {
    private static final long serialVersionUID = 1;

    InternalInFlightException(ErrorFields error) {
        super(error);
    }
}

package org.payorder;

/** Cancelled after the request, or a part of it, was sent. */
public final class CancelledInFlightException extends OutcomeUnknownException {
    private static final long serialVersionUID = 1;

    CancelledInFlightException(ErrorFields error) {
        super(error);
    }
}

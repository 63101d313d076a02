package org.payorder;

/** The client or the cancellation is closed. */
public final class InvalidHandleException extends NotSentException {
    private static final long serialVersionUID = 1;

    InvalidHandleException(ErrorFields error) {
        super(error);
    }
}

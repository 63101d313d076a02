package org.payorder;

/** Cancelled before any byte of the request was sent. */
public final class CancelledException extends NotSentException {
    private static final long serialVersionUID = 1;

    CancelledException(ErrorFields error) {
        super(error);
    }
}

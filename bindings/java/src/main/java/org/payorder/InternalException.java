package org.payorder;

/** A bug in the library, before any byte of the request was sent. */
public final class InternalException extends NotSentException {
    private static final long serialVersionUID = 1;

    InternalException(ErrorFields error) {
        super(error);
    }
}

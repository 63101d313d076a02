package org.payorder;

/** The connection broke after the request, or a part of it, was sent. */
public final class ConnectionLostException extends OutcomeUnknownException {
    private static final long serialVersionUID = 1;

    ConnectionLostException(ErrorFields error) {
        super(error);
    }
}

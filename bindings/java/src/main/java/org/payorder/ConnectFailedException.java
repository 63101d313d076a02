package org.payorder;

/** No connection: the DNS lookup, TCP or the proxy failed. */
public final class ConnectFailedException extends NotSentException {
    private static final long serialVersionUID = 1;

    ConnectFailedException(ErrorFields error) {
        super(error);
    }
}

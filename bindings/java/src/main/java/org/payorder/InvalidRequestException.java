package org.payorder;

/** The request breaks the interface's rules. getViolations lists every field that does. */
public final class InvalidRequestException extends NotSentException {
    private static final long serialVersionUID = 1;

    InvalidRequestException(ErrorFields error) {
        super(error);
    }
}

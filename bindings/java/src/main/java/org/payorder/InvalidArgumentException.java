package org.payorder;

/** An argument is not a JSON object, too long, or an option is unknown or invalid. */
public final class InvalidArgumentException extends NotSentException {
    private static final long serialVersionUID = 1;

    InvalidArgumentException(ErrorFields error) {
        super(error);
    }
}

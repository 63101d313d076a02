package org.payorder;

/** A setting is unknown, invalid or out of range, or its file cannot be used. */
public final class InvalidConfigException extends NotSentException {
    private static final long serialVersionUID = 1;

    InvalidConfigException(ErrorFields error) {
        super(error);
    }
}

package org.payorder;

/**
 * A method of Payorder cannot use an argument. This says nothing about an order, so it is not a
 * NotSentException.
 */
public final class UnusableTextException extends PayorderException {
    private static final long serialVersionUID = 1;

    UnusableTextException(ErrorFields error) {
        super(error);
    }
}

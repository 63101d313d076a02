package org.payorder;

/** The response cannot be used: not JSON, too large, no checkout URL, or another order's. */
public final class BadResponseException extends OutcomeUnknownException {
    private static final long serialVersionUID = 1;

    BadResponseException(ErrorFields error) {
        super(error);
    }
}

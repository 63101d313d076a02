package org.payorder;

/** The journal has this order already: see getPrevious. This call sent nothing. */
public final class DuplicateException extends OutcomeUnknownException {
    private static final long serialVersionUID = 1;

    DuplicateException(ErrorFields error) {
        super(error);
    }
}

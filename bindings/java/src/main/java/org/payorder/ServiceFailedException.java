package org.payorder;

/** The service reported a failure, which does not say whether it created the order. */
public final class ServiceFailedException extends OutcomeUnknownException {
    private static final long serialVersionUID = 1;

    ServiceFailedException(ErrorFields error) {
        super(error);
    }
}

package org.payorder;

/** The service refused the credentials. */
public final class UnauthorizedException extends RejectedException {
    private static final long serialVersionUID = 1;

    UnauthorizedException(ErrorFields error) {
        super(error);
    }
}

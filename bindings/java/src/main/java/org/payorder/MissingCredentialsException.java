package org.payorder;

/** Neither the client nor the call has the credentials for this request. */
public final class MissingCredentialsException extends NotSentException {
    private static final long serialVersionUID = 1;

    MissingCredentialsException(ErrorFields error) {
        super(error);
    }
}

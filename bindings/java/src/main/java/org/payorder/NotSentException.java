package org.payorder;

/**
 * Nothing of the request was sent. Fix the problem and call again, unless you cancelled the call.
 */
public class NotSentException extends PayorderException {
    private static final long serialVersionUID = 1;

    NotSentException(ErrorFields error) {
        super(error);
    }
}

package org.payorder;

/**
 * The order may exist. Call getStatus with getStatusQuery before anything else. The query is null
 * after getStatus: ask again.
 */
public class OutcomeUnknownException extends PayorderException {
    private static final long serialVersionUID = 1;

    OutcomeUnknownException(ErrorFields error) {
        super(error);
    }
}

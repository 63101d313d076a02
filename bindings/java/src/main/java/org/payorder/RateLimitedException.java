package org.payorder;

/** The service asks for fewer calls. getRetryAfter says how long to wait. */
public final class RateLimitedException extends RejectedException {
    private static final long serialVersionUID = 1;

    RateLimitedException(ErrorFields error) {
        super(error);
    }
}

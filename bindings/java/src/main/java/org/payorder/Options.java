package org.payorder;

import java.time.Duration;

/** Settings of one call, instead of the client's. What is null or not set has its default. */
public abstract class Options<T extends Options<T>> extends Settings<T> {
    private Cancellation cancellation;

    Options() {}

    /** For the whole call, or for each query of a wait or of many statuses. */
    public T timeout(Duration value) {
        return set("timeoutMs", value);
    }

    /** The credential of Create Order. */
    public T accessToken(String value) {
        return set("accessToken", value);
    }

    /** A credential of Get Status. */
    public T clientKey(String value) {
        return set("clientKey", value);
    }

    /** A credential of Get Status. */
    public T clientId(String value) {
        return set("clientId", value);
    }

    /** A credential of Get Status. */
    public T secretKey(String value) {
        return set("secretKey", value);
    }

    /** With which another thread can end this call. */
    public T cancellation(Cancellation value) {
        cancellation = value;
        return self();
    }

    Cancellation cancellation() {
        return cancellation;
    }
}

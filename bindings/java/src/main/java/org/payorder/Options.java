package org.payorder;

import java.time.Duration;

/** Settings of one call, instead of the client's. What is null or not set has its default. */
public abstract class Options<T extends Options<T>> {
    private Duration timeout;
    private String accessToken;
    private String clientKey;
    private String clientId;
    private String secretKey;
    private Cancellation cancellation;

    Options() {}

    /** For the whole call, or for each query of a wait or of many statuses. */
    public T timeout(Duration value) {
        timeout = value;
        return self();
    }

    /** The credential of Create Order. */
    public T accessToken(String value) {
        accessToken = value;
        return self();
    }

    /** A credential of Get Status. */
    public T clientKey(String value) {
        clientKey = value;
        return self();
    }

    /** A credential of Get Status. */
    public T clientId(String value) {
        clientId = value;
        return self();
    }

    /** A credential of Get Status. */
    public T secretKey(String value) {
        secretKey = value;
        return self();
    }

    /** With which another thread can end this call. */
    public T cancellation(Cancellation value) {
        cancellation = value;
        return self();
    }

    Cancellation cancellation() {
        return cancellation;
    }

    /** The options without the cancellation. */
    JsonWriter write() {
        return new JsonWriter()
                .add("timeoutMs", timeout)
                .add("accessToken", accessToken)
                .add("clientKey", clientKey)
                .add("clientId", clientId)
                .add("secretKey", secretKey);
    }

    abstract T self();
}

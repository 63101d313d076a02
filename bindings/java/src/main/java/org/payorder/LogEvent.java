package org.payorder;

import java.time.Duration;

/** An event of a call. It has no credential and no personal data. What it lacks is null. */
public final class LogEvent {
    private final String raw;
    private final JsonValue json;

    LogEvent(String raw) {
        this.raw = raw;
        json = JsonValue.parse(raw);
    }

    /** attempt_started, attempt_failed, attempt_finished, call_finished or journal_failed. */
    public String getEvent() {
        return json.textOf("event");
    }

    /** The call, such as create_order. */
    public String getOperation() {
        return json.textOf("operation");
    }

    /** Your identifier of the order. */
    public @Nullable String getOrderId() {
        return json.textOf("orderId");
    }

    /** The service's identifier of the transaction. */
    public @Nullable String getTransactionId() {
        return json.textOf("transactionId");
    }

    /** The number of the attempt, from 1. */
    public @Nullable Integer getAttempt() {
        return json.wholeOf("attempt");
    }

    /** The time since the start of the call. */
    public Duration getElapsed() {
        return json.timeOf("elapsedMs");
    }

    /** The service's host and port. */
    public String getHost() {
        return json.textOf("host");
    }

    /** How the call or the attempt ended. */
    public @Nullable Result getResult() {
        return json.resultOf("result");
    }

    /** What exactly happened: one of {@link Constants.Causes}. */
    public @Nullable String getCause() {
        return json.textOf("cause");
    }

    /** The HTTP status of the response. */
    public @Nullable Integer getHttpStatus() {
        return json.wholeOf("httpStatus");
    }

    /** The status that the service sent. */
    public @Nullable String getTransactionStatus() {
        return json.textOf("transactionStatus");
    }

    /** The event as JSON text. */
    @Override
    public String toString() {
        return raw;
    }
}

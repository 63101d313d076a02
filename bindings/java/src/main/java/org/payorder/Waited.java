package org.payorder;

/** The result of waiting for a payment. */
public final class Waited {
    private final String raw;
    private final boolean isFinal;
    private final boolean timedOut;
    private final int polls;
    private final Status status;
    private final PayorderException error;

    Waited(String raw) {
        this.raw = raw;
        JsonValue json = JsonValue.parse(raw);
        isFinal = json.isTrue("final");
        timedOut = json.isTrue("timedOut");
        polls = json.countOf("polls");
        String last = json.rawOf("status");
        status = last == null ? null : new Status(last);
        JsonValue failure = json.get("error");
        error =
                failure == null
                        ? null
                        : ErrorFields.exception(
                                failure.countOf("result"), "{\"error\":" + failure.getRaw() + "}");
    }

    /**
     * For tests: from {@code final}, {@code timedOut}, {@code polls}, {@code status} (the service's
     * response) and {@code error} (the library's error object), which may be absent.
     */
    public static Waited fromJson(String json) {
        return new Waited(json);
    }

    @Override
    public String toString() {
        return "Waited{final=" + isFinal + ", status=" + status + ", error=" + error + "}";
    }

    /** Whether the payment is final. It may not be paid: verify the status. */
    public boolean isFinal() {
        return isFinal;
    }

    /** Whether the time ran out. */
    public boolean isTimedOut() {
        return timedOut;
    }

    /** How many queries were sent. */
    public int getPolls() {
        return polls;
    }

    /** The last status seen, or null. */
    public @Nullable Status getStatus() {
        return status;
    }

    /** The error of the last query, or null if it succeeded. */
    public @Nullable PayorderException getError() {
        return error;
    }

    /** The complete result as JSON text. */
    public String getRaw() {
        return raw;
    }
}

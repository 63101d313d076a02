package org.payorder;

import java.util.function.Function;

/** The result of waiting for a payment. */
public final class Waited extends WaitedKeys {
    private final Status status;
    private final PayorderException error;

    Waited(String raw) {
        this(
                raw,
                error ->
                        ErrorFields.exception(
                                error.countOf("result"), "{\"error\":" + error.getRaw() + "}"));
    }

    private Waited(String raw, Function<JsonValue, PayorderException> read) {
        super(JsonValue.parse(raw));
        JsonValue last = json.present("status");
        status = last == null ? null : new Status(last.getRaw());
        JsonValue failure = json.present("error");
        error = failure == null ? null : read.apply(failure);
    }

    /**
     * For tests without a service: from {@code final}, {@code timedOut}, {@code polls}, {@code
     * status} (the service's response) and {@code error}, which has at least {@code result}. The
     * end of a wait has a status, an error, or both.
     *
     * @throws IllegalArgumentException if it cannot be read
     */
    public static Waited fromJson(String json) {
        Waited waited = new Waited(json, ErrorFields::made);
        if (waited.status == null && waited.error == null) {
            throw new IllegalArgumentException("the end of a wait has a status, an error, or both");
        }
        return waited;
    }

    @Override
    public String toString() {
        return "Waited{final=" + isFinal() + ", status=" + status + ", error=" + error + "}";
    }

    /** The last status seen, or null. */
    public @Nullable Status getStatus() {
        return status;
    }

    /** The error of the last query, or null if it succeeded. */
    public @Nullable PayorderException getError() {
        return error;
    }
}

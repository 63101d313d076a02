package org.payorder;

/** An event of a call. It has no credential and no personal data. What it lacks is null. */
public final class LogEvent extends LogEventKeys {
    private final String raw;
    private final JsonValue json;

    LogEvent(String raw) {
        this.raw = raw;
        json = JsonValue.parse(raw);
    }

    @Override
    JsonValue fields() {
        return json;
    }

    /** The event as JSON text. */
    @Override
    public String toString() {
        return raw;
    }
}

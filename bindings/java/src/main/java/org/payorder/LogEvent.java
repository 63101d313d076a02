package org.payorder;

/** An event of a call. It has no credential and no personal data. What it lacks is null. */
public final class LogEvent extends LogEventKeys {
    LogEvent(String raw) {
        super(JsonValue.parse(raw));
    }
}

package org.payorder;

/** A check that failed. */
public final class FailedCheck extends FailedCheckKeys {
    private final JsonValue json;

    FailedCheck(JsonValue json) {
        this.json = json;
    }

    @Override
    JsonValue fields() {
        return json;
    }

    @Override
    public String toString() {
        return getCheck() + ": expected " + getExpected() + ", got " + getActual();
    }
}

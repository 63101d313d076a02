package org.payorder;

/** A check that failed. */
public final class FailedCheck extends FailedCheckKeys {
    FailedCheck(JsonValue json) {
        super(json);
    }

    @Override
    public String toString() {
        return getCheck() + ": expected " + getExpected() + ", got " + getActual();
    }
}

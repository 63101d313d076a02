package org.payorder;

/** A check that failed. */
public final class FailedCheck {
    private final String check;
    private final String expected;
    private final String actual;

    FailedCheck(JsonValue json) {
        check = json.textOf("check");
        expected = json.textOf("expected");
        actual = json.textOf("actual");
    }

    /** Such as amount or transactionStatus. */
    public String getCheck() {
        return check;
    }

    /** What was expected. */
    public String getExpected() {
        return expected;
    }

    /** What the status has. */
    public String getActual() {
        return actual;
    }

    @Override
    public String toString() {
        return check + ": expected " + expected + ", got " + actual;
    }
}

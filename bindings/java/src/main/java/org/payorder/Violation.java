package org.payorder;

/** A field that breaks a rule of the service's interface. */
public final class Violation extends ViolationKeys {
    Violation(JsonValue json) {
        super(json);
    }

    /** The message. It has no value of the field. */
    @Override
    public String toString() {
        return getMessage();
    }
}

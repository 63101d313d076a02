package org.payorder;

/** A field that breaks a rule of the service's interface. */
public final class Violation extends ViolationKeys {
    private final JsonValue json;

    Violation(JsonValue json) {
        this.json = json;
    }

    @Override
    JsonValue fields() {
        return json;
    }

    /** The message. It has no value of the field. */
    @Override
    public String toString() {
        return getMessage();
    }
}

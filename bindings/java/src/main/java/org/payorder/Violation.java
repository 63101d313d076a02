package org.payorder;

/** A field that breaks a rule of the service's interface. */
public final class Violation {
    private final String field;
    private final String rule;
    private final String message;

    Violation(JsonValue json) {
        field = json.textOf("field");
        rule = json.textOf("rule");
        message = json.textOf("message");
    }

    /** The message. It has no value of the field. */
    @Override
    public String toString() {
        return message;
    }

    /** The field's name in the service's JSON, such as orderId. */
    public String getField() {
        return field;
    }

    /** Which rule, such as required or decimal. */
    public String getRule() {
        return rule;
    }

    /** A message for people. */
    public String getMessage() {
        return message;
    }
}

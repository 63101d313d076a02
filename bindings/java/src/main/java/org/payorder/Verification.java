package org.payorder;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Whether an order is paid. */
public final class Verification {
    private final String raw;
    private final boolean paid;
    private final List<FailedCheck> reasons = new ArrayList<>();
    private final List<String> unverifiable = new ArrayList<>();

    Verification(String raw) {
        this.raw = raw;
        JsonValue json = JsonValue.parse(raw);
        paid = json.isTrue("paid");
        for (JsonValue one : json.get("reasons").getItems()) {
            reasons.add(new FailedCheck(one));
        }
        for (JsonValue one : json.get("unverifiable").getItems()) {
            unverifiable.add(one.getText());
        }
    }

    @Override
    public String toString() {
        return "Verification{paid=" + paid + ", reasons=" + reasons + "}";
    }

    /** Whether every check passed. */
    public boolean isPaid() {
        return paid;
    }

    /** The checks that failed. */
    public List<FailedCheck> getReasons() {
        return Collections.unmodifiableList(reasons);
    }

    /** The fields that no response confirms. */
    public List<String> getUnverifiable() {
        return Collections.unmodifiableList(unverifiable);
    }

    /** The complete result as JSON text. */
    public String getRaw() {
        return raw;
    }
}

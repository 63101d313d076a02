package org.payorder;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Whether an order is paid. */
public final class Verification extends VerificationKeys {
    private final List<FailedCheck> reasons = new ArrayList<>();
    private final List<String> unverifiable = new ArrayList<>();

    Verification(String raw) {
        super(JsonValue.parse(raw));
        for (JsonValue one : json.get("reasons").getItems()) {
            reasons.add(new FailedCheck(one));
        }
        for (JsonValue one : json.get("unverifiable").getItems()) {
            unverifiable.add(one.getText());
        }
    }

    @Override
    public String toString() {
        return "Verification{paid=" + isPaid() + ", reasons=" + reasons + "}";
    }

    /** The checks that failed. */
    public List<FailedCheck> getReasons() {
        return Collections.unmodifiableList(reasons);
    }

    /** The fields that no response confirms. */
    public List<String> getUnverifiable() {
        return Collections.unmodifiableList(unverifiable);
    }
}

package org.payorder;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** How many queries had which result. */
public final class Summary extends SummaryKeys {
    private final Map<String, Long> transactionStatus = new LinkedHashMap<>();

    Summary(JsonValue json) {
        super(json);
        JsonValue counts = json.get("transactionStatus");
        if (counts != null) {
            for (String key : counts.getKeys()) {
                transactionStatus.put(key, counts.numberOf(key));
            }
        }
    }

    /** The one in a result. */
    static Summary of(JsonValue result) {
        JsonValue summary = result.get("summary");
        return new Summary(summary == null ? JsonValue.parse("{}") : summary);
    }

    /** For tests without a service: from the keys of {@link #getRaw} that the test needs. */
    public static Summary fromJson(String json) {
        return new Summary(JsonValue.parse(json));
    }

    /** How many statuses had each transactionStatus. */
    public Map<String, Long> getTransactionStatus() {
        return Collections.unmodifiableMap(transactionStatus);
    }
}

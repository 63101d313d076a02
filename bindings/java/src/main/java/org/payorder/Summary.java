package org.payorder;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** How many queries had which result. */
public final class Summary {
    private final JsonValue json;
    private final Map<String, Long> transactionStatus = new LinkedHashMap<>();

    Summary(JsonValue json) {
        this.json = json;
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

    /** How many results there were. */
    public int getAsked() {
        return json.countOf("asked");
    }

    /** How many statuses. */
    public int getOk() {
        return json.countOf("ok");
    }

    /** How many refusals. */
    public int getRejected() {
        return json.countOf("rejected");
    }

    /** How many with an unknown outcome. */
    public int getUnknown() {
        return json.countOf("unknown");
    }

    /** How many that were not sent. */
    public int getNotSent() {
        return json.countOf("notSent");
    }

    /** Whether it was cancelled, or the callback stopped it. */
    public boolean isStopped() {
        return json.isTrue("stopped");
    }

    /** The duration of the call. */
    public Duration getElapsed() {
        return json.timeOf("elapsedMs");
    }

    /** How many statuses had each transactionStatus. */
    public Map<String, Long> getTransactionStatus() {
        return Collections.unmodifiableMap(transactionStatus);
    }

    /** The complete summary as JSON text. */
    public String getRaw() {
        return json.getRaw();
    }

    @Override
    public String toString() {
        return getRaw();
    }
}

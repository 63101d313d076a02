package org.payorder;

import java.util.Objects;

/** Which order to ask about. Two are equal if their JSON texts are. */
public final class StatusQuery {
    private final String json;

    private StatusQuery(String json) {
        this.json = json;
    }

    /** Asks by your identifier of the order. */
    public static StatusQuery byOrder(String orderId) {
        return new StatusQuery(
                new JsonWriter().add("searchType", "1").add("orderId", orderId).toString());
    }

    /** Asks by the service's identifier of the transaction. */
    public static StatusQuery byTransaction(String transactionId) {
        return new StatusQuery(
                new JsonWriter()
                        .add("searchType", "2")
                        .add("transactionId", transactionId)
                        .toString());
    }

    /** A query that was kept as {@link #toJson}. */
    public static StatusQuery fromJson(String json) {
        return new StatusQuery(Objects.requireNonNull(json, "json"));
    }

    /** The query as JSON text. */
    public String toJson() {
        return json;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof StatusQuery && json.equals(((StatusQuery) other).json);
    }

    @Override
    public int hashCode() {
        return json.hashCode();
    }

    @Override
    public String toString() {
        return json;
    }
}

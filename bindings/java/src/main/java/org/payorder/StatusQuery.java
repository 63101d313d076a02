package org.payorder;

import org.jspecify.annotations.Nullable;
import org.payorder.Constants.Actions;
import org.payorder.Constants.Causes;

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

    /**
     * A query that was kept as {@link #toJson}.
     *
     * @throws InvalidArgumentException if it is not one JSON object
     */
    public static StatusQuery fromJson(String json) {
        try {
            // Two objects would shift the results of the queries after them.
            if (JsonValue.parse(json).getKind() == JsonValue.Kind.OBJECT) {
                return new StatusQuery(json);
            }
        } catch (IllegalArgumentException notJson) {
            // As another value.
        }
        throw ErrorFields.own(
                Result.INVALID_ARGUMENT.getNumber(),
                Causes.NOT_JSON,
                Actions.FIX_REQUEST,
                "the query is not a JSON object",
                null,
                null);
    }

    /** The identifier of the order, if it asks by that. */
    public @Nullable String getOrderId() {
        return JsonValue.parse(json).textOf("orderId");
    }

    /** The identifier of the transaction, if it asks by that. */
    public @Nullable String getTransactionId() {
        return JsonValue.parse(json).textOf("transactionId");
    }

    /** The query as JSON text. */
    public String toJson() {
        return json;
    }

    @Override
    public boolean equals(@Nullable Object other) {
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

package org.payorder;

import java.time.LocalDateTime;
import java.time.format.DateTimeParseException;

/**
 * What the service knows about an order. It does not prove a payment: give it to {@link
 * Payorder#verifyPayment}. Texts are as the service sent them, and empty if it sent none.
 */
public final class Status extends StatusKeys {
    private final String raw;
    private final JsonValue json;

    Status(String raw) {
        this.raw = raw;
        json = JsonValue.parse(raw);
    }

    /**
     * A status from the service's response, for tests without a service. {@link
     * #getTransactionDate} needs what the library adds to it: {@code
     * "derived":{"transactionDate":"2026-11-21T14:05:06"}}.
     */
    public static Status fromJson(String json) {
        return new Status(json);
    }

    /** What happened to which order, without the customer's data. */
    @Override
    public String toString() {
        return "Status{orderId="
                + getOrderId()
                + ", transactionId="
                + getTransactionId()
                + ", amount="
                + getAmount()
                + ", transactionStatus="
                + getTransactionStatus()
                + "}";
    }

    /** The service's own code. */
    public String getResponseCode() {
        return text(json, "responseCode");
    }

    /** The service's own text. */
    public String getResponseMessage() {
        return text(json, "responseMessage");
    }

    /** Whether the transaction status is "Completed". This does not prove a payment. */
    public boolean isCompleted() {
        JsonValue derived = json.get("derived");
        return derived == null
                ? getTransactionStatus().equals("Completed")
                : derived.isTrue("completed");
    }

    /** The date in {@link #getTransactionDateText}; null if it has another format. */
    public @Nullable LocalDateTime getTransactionDate() {
        String date = text(json.get("derived"), "transactionDate");
        try {
            return date.isEmpty() ? null : LocalDateTime.parse(date);
        } catch (DateTimeParseException another) {
            return null;
        }
    }

    /** The complete response as JSON text, with fields that have no method here. */
    public String getRaw() {
        return raw;
    }

    @Override
    String textOf(String key) {
        return text(json.get("data"), key);
    }

    private static String text(JsonValue object, String key) {
        String text = object == null ? null : object.textOf(key);
        return text == null ? "" : text;
    }
}

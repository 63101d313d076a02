package org.payorder;

import java.math.BigDecimal;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The payment that the merchant expects, from its own records. Two are equal if their texts are:
 * "100.00" is not "100".
 */
public final class ExpectedPayment extends Settings<ExpectedPayment> {
    /** An order and its amount, as decimal text. */
    public ExpectedPayment(String orderId, String amount) {
        // Always in this order, so that equal ones have equal texts.
        set("orderId", orderId).set("amount", amount).transactionId(null).notBefore(null);
    }

    /** An order and its amount. */
    public ExpectedPayment(String orderId, BigDecimal amount) {
        this(orderId, Order.text(amount));
    }

    /** Compared too, if it is not null. */
    public ExpectedPayment transactionId(@Nullable String value) {
        return set("transactionId", value);
    }

    /** When the sale began, if it is not null: a payment long before it is another sale's. */
    public ExpectedPayment notBefore(@Nullable Instant value) {
        return set("notBefore", value == null ? null : value.toString());
    }

    public String getOrderId() {
        return (String) get("orderId");
    }

    public String getAmount() {
        return (String) get("amount");
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ExpectedPayment && toString().equals(other.toString());
    }

    @Override
    public int hashCode() {
        return toString().hashCode();
    }

    @Override
    public String toString() {
        return "ExpectedPayment" + write();
    }
}

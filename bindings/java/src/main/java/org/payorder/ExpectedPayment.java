package org.payorder;

import java.math.BigDecimal;
import java.time.Instant;

/**
 * The payment that the merchant expects, from its own records. Two are equal if their texts are:
 * "100.00" is not "100".
 */
public final class ExpectedPayment {
    private final String orderId;
    private final String amount;
    private String transactionId;
    private String notBefore;

    /** An order and its amount, as decimal text. */
    public ExpectedPayment(String orderId, String amount) {
        this.orderId = orderId;
        this.amount = amount;
    }

    /** An order and its amount. */
    public ExpectedPayment(String orderId, BigDecimal amount) {
        this(orderId, Order.text(amount));
    }

    /** Compared too, if it is not null. */
    public ExpectedPayment transactionId(String value) {
        transactionId = value;
        return this;
    }

    /** When the sale began, if it is not null: a payment long before it is another sale's. */
    public ExpectedPayment notBefore(Instant value) {
        notBefore = value == null ? null : value.toString();
        return this;
    }

    public String getOrderId() {
        return orderId;
    }

    public String getAmount() {
        return amount;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ExpectedPayment
                && toJson().equals(((ExpectedPayment) other).toJson());
    }

    @Override
    public int hashCode() {
        return toJson().hashCode();
    }

    @Override
    public String toString() {
        return "ExpectedPayment" + toJson();
    }

    String toJson() {
        return new JsonWriter()
                .add("orderId", orderId)
                .add("amount", amount)
                .add("transactionId", transactionId)
                .add("notBefore", notBefore)
                .toString();
    }
}

package org.payorder;

import java.math.BigDecimal;

/**
 * The payment that the merchant expects, from its own records. Two are equal if their texts are:
 * "100.00" is not "100".
 */
public final class ExpectedPayment {
    private final String orderId;
    private final String amount;
    private String transactionId;

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
        return "ExpectedPayment{orderId="
                + orderId
                + ", amount="
                + amount
                + ", transactionId="
                + transactionId
                + "}";
    }

    String toJson() {
        return new JsonWriter()
                .add("orderId", orderId)
                .add("amount", amount)
                .add("transactionId", transactionId)
                .toString();
    }
}

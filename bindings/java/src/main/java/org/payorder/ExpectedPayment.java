package org.payorder;

import java.math.BigDecimal;

/** The payment that the merchant expects, from its own records. */
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

    String toJson() {
        return new JsonWriter()
                .add("orderId", orderId)
                .add("amount", amount)
                .add("transactionId", transactionId)
                .toString();
    }
}

package org.payorder;

import java.math.BigDecimal;

/** An order. All fields are required; the library says which are missing. */
public final class Order extends OrderKeys {
    // new BigDecimal("1E+999999999") is a short text, but a gigabyte of zeros.
    private static final int MAX_EXPONENT = 100;

    /** Decimal text such as "100.00", at least 1. */
    public Order amount(String value) {
        return set("amount", value);
    }

    /** An exact amount. There is no double, which is not exact. */
    public Order amount(BigDecimal value) {
        return amount(text(value));
    }

    /** How the customer may pay. */
    public Order payMode(PayMode value) {
        return set("payMode", value);
    }

    /** Your identifier of the order. */
    public String getOrderId() {
        return (String) get("orderId");
    }

    /** The amount as decimal text. */
    public String getAmount() {
        return (String) get("amount");
    }

    /** The order's identifiers and amount, without the customer's data. */
    @Override
    public String toString() {
        return "Order{orderId="
                + get("orderId")
                + ", merchantTxnId="
                + get("merchantTxnId")
                + ", amount="
                + get("amount")
                + "}";
    }

    /** The order as JSON text. It has the customer's data. */
    public String toJson() {
        return write().toString();
    }

    static String text(BigDecimal amount) {
        if (amount == null) {
            return null;
        }
        if (Math.abs((long) amount.scale()) > MAX_EXPONENT) {
            throw new IllegalArgumentException("the amount has an exponent beyond any amount");
        }
        return amount.toPlainString();
    }
}

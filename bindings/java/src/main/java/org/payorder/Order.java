package org.payorder;

import java.math.BigDecimal;

/** An order. All fields are required; the library says which are missing. */
public final class Order {
    // new BigDecimal("1E+999999999") is a short text, but a gigabyte of zeros.
    private static final int MAX_EXPONENT = 100;

    private String amount;
    private String merchantTxnId;
    private String orderId;
    private PayMode payMode;
    private String merchantId;
    private String productInfo;
    private String customerName;
    private String customerMobile;
    private String customerEmail;
    private String redirectionUrl;
    private String currencyCode;

    /** Decimal text such as "100.00", at least 1. */
    public Order amount(String value) {
        amount = value;
        return this;
    }

    /** An exact amount. There is no double, which is not exact. */
    public Order amount(BigDecimal value) {
        return amount(text(value));
    }

    /** Your unique identifier of the transaction. */
    public Order merchantTxnId(String value) {
        merchantTxnId = value;
        return this;
    }

    /** Your unique identifier of the order, by which getStatus finds it. */
    public Order orderId(String value) {
        orderId = value;
        return this;
    }

    /** How the customer may pay. */
    public Order payMode(PayMode value) {
        payMode = value;
        return this;
    }

    /** Your identifier at the service. */
    public Order merchantId(String value) {
        merchantId = value;
        return this;
    }

    /** What is paid for. */
    public Order productInfo(String value) {
        productInfo = value;
        return this;
    }

    /** The customer's full name. */
    public Order customerName(String value) {
        customerName = value;
        return this;
    }

    /** The customer's mobile number. */
    public Order customerMobile(String value) {
        customerMobile = value;
        return this;
    }

    /** The customer's e-mail address. */
    public Order customerEmail(String value) {
        customerEmail = value;
        return this;
    }

    /** Where the customer goes after the payment. */
    public Order redirectionUrl(String value) {
        redirectionUrl = value;
        return this;
    }

    /** Such as INR. */
    public Order currencyCode(String value) {
        currencyCode = value;
        return this;
    }

    /** Your identifier of the order. */
    public String getOrderId() {
        return orderId;
    }

    /** The amount as decimal text. */
    public String getAmount() {
        return amount;
    }

    /** The order's identifiers and amount, without the customer's data. */
    @Override
    public String toString() {
        return "Order{orderId="
                + orderId
                + ", merchantTxnId="
                + merchantTxnId
                + ", amount="
                + amount
                + "}";
    }

    /** The order as JSON text. It has the customer's data. */
    public String toJson() {
        return new JsonWriter()
                .add("amount", amount)
                .add("merchantTxnId", merchantTxnId)
                .add("orderId", orderId)
                .add("payMode", payMode == null ? null : payMode.text())
                .add("merchantId", merchantId)
                .add("productInfo", productInfo)
                .add("customerName", customerName)
                .add("customerMobile", customerMobile)
                .add("customerEmail", customerEmail)
                .add("redirectionURL", redirectionUrl)
                .add("currencyCode", currencyCode)
                .toString();
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

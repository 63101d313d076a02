package org.payorder;

/** The transaction that a return URL names. It does not prove a payment. */
public final class ReturnUrl extends ReturnUrlKeys {
    private final StatusQuery statusQuery;

    ReturnUrl(String raw) {
        super(JsonValue.parse(raw));
        statusQuery = StatusQuery.fromJson(json.rawOf("statusQuery"));
    }

    @Override
    public String toString() {
        return "ReturnUrl{transactionId=" + getTransactionId() + "}";
    }

    /** What to give to getStatus. */
    public StatusQuery getStatusQuery() {
        return statusQuery;
    }
}

package org.payorder;

/** The transaction that a return URL names. It does not prove a payment. */
public final class ReturnUrl {
    private final String raw;
    private final String transactionId;
    private final StatusQuery statusQuery;

    ReturnUrl(String raw) {
        this.raw = raw;
        JsonValue json = JsonValue.parse(raw);
        transactionId = json.textOf("transactionId");
        statusQuery = StatusQuery.fromJson(json.rawOf("statusQuery"));
    }

    @Override
    public String toString() {
        return "ReturnUrl{transactionId=" + transactionId + "}";
    }

    /** The service's identifier of the transaction. */
    public String getTransactionId() {
        return transactionId;
    }

    /** What to give to getStatus. */
    public StatusQuery getStatusQuery() {
        return statusQuery;
    }

    /** The complete result as JSON text. */
    public String getRaw() {
        return raw;
    }
}

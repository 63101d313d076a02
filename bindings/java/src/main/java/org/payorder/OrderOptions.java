package org.payorder;

import java.util.Map;

/** Settings of createOrder. */
public final class OrderOptions extends Options<OrderOptions> {
    private Map<String, String> extraFields;
    private Boolean resend;

    /** Further fields of the request, sent after the eleven. */
    public OrderOptions extraFields(Map<String, String> value) {
        extraFields = value;
        return this;
    }

    /**
     * Sends an order again that is "unknown" in the journal. The customer may then have two
     * orders.
     */
    public OrderOptions resend(Boolean value) {
        resend = value;
        return this;
    }

    @Override
    JsonWriter write() {
        return super.write()
                .add("extraFields", extraFields)
                .add("resend", resend);
    }

    @Override
    OrderOptions self() {
        return this;
    }
}

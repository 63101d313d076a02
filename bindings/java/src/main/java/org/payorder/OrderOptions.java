package org.payorder;

import java.util.Map;

/** Settings of createOrder. */
public final class OrderOptions extends Options<OrderOptions> {
    /** Further fields of the request, sent after the eleven. */
    public OrderOptions extraFields(Map<String, String> value) {
        return set("extraFields", value);
    }

    /**
     * Sends an order again that is "unknown" in the journal. The customer may then have two
     * orders.
     */
    public OrderOptions resend(Boolean value) {
        return set("resend", value);
    }
}

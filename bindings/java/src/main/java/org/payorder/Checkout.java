package org.payorder;

/** A created order: send the customer to {@link #getUrl}. */
public final class Checkout extends CheckoutKeys {
    private final String url;

    Checkout(String raw) {
        super(JsonValue.parse(raw));
        JsonValue data = json.get("data");
        url = data == null ? null : data.textOf("url");
        if (url == null) {
            throw new IllegalArgumentException("no checkout URL");
        }
    }

    /** A checkout from the service's response, for tests without a service. */
    public static Checkout fromJson(String json) {
        return new Checkout(json);
    }

    @Override
    public String toString() {
        return "Checkout{url=" + url + "}";
    }

    /** Where the customer pays. */
    public String getUrl() {
        return url;
    }
}

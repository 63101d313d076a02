package org.payorder;

/** A created order: send the customer to {@link #getUrl}. */
public final class Checkout {
    private final String raw;
    private final String url;
    private final String responseCode;
    private final String responseMessage;

    Checkout(String raw) {
        this.raw = raw;
        JsonValue json = JsonValue.parse(raw);
        JsonValue data = json.get("data");
        url = data == null ? null : data.textOf("url");
        if (url == null) {
            throw new IllegalArgumentException("no checkout URL");
        }
        responseCode = json.textOf("responseCode");
        responseMessage = json.textOf("responseMessage");
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

    /** The service's own code. */
    public String getResponseCode() {
        return responseCode;
    }

    /** The service's own text. */
    public String getResponseMessage() {
        return responseMessage;
    }

    /** The complete response as JSON text. */
    public String getRaw() {
        return raw;
    }
}

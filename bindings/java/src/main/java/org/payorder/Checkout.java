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

    /** Where the customer pays. */
    public String getUrl() {
        return url;
    }

    public String getResponseCode() {
        return responseCode;
    }

    public String getResponseMessage() {
        return responseMessage;
    }

    /** The complete response as JSON text. */
    public String getRaw() {
        return raw;
    }
}

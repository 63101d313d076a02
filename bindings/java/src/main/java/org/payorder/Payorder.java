package org.payorder;

import static org.payorder.LibraryFinder.library;

import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What the library does without the network. */
public final class Payorder {
    private Payorder() {}

    /** The version of the loaded library. */
    public static String getVersion() {
        return Utf8.text(library().payorder_version());
    }

    /** The version of its interface. */
    public static int getAbiVersion() {
        return library().payorder_abi_version();
    }

    /** How many clients were created and not freed, to find leaks. */
    public static long getLiveClients() {
        return library().payorder_live_clients().longValue();
    }

    /** How many strings were returned and not freed. */
    public static long getLiveStrings() {
        return library().payorder_live_strings().longValue();
    }

    /** How many calls are running. */
    public static long getLiveCalls() {
        return library().payorder_live_calls().longValue();
    }

    /**
     * Compares a status with what was expected.
     *
     * @throws UnusableTextException if one of them cannot be used
     */
    public static Verification verifyPayment(ExpectedPayment expected, Status status) {
        return verifyPayment(expected, Objects.requireNonNull(status, "status").getRaw());
    }

    /** The same with the service's response as JSON text. */
    public static Verification verifyPayment(ExpectedPayment expected, String statusJson) {
        return verifyPayment(
                Objects.requireNonNull(expected, "expected").write().toString(), statusJson);
    }

    /** The same with both as JSON text. */
    public static Verification verifyPayment(String expectedJson, String statusJson) {
        byte[] expected = Utf8.bytes(expectedJson, "expected");
        byte[] status = Utf8.bytes(statusJson, "status");
        String verdict =
                Answer.of(json -> library().payorder_verify_payment(expected, status, json))
                        .readOffline();
        return new Verification(JsonValue.parse(verdict));
    }

    /**
     * Reads the transaction from the URL on which the customer came back.
     *
     * @throws UnusableTextException if it does not name one transaction
     */
    public static ReturnUrl parseReturnUrl(String url) {
        byte[] bytes = Utf8.bytes(url, "url");
        String returned =
                Answer.of(json -> library().payorder_parse_return_url(bytes, json)).readOffline();
        return new ReturnUrl(JsonValue.parse(returned));
    }

    /**
     * The body that createOrder would send.
     *
     * @throws UnusableTextException if the order breaks rules
     */
    public static String buildCreateOrder(Order order) {
        return buildCreateOrder(Objects.requireNonNull(order, "order").toJson(), null, null);
    }

    /**
     * The same with the order as JSON text.
     *
     * @param returnUrlField as in the configuration, or null
     * @param extraFields as in {@link OrderOptions}, or null
     */
    public static String buildCreateOrder(
            String orderJson,
            @Nullable String returnUrlField,
            @Nullable Map<String, String> extraFields) {
        byte[] order = Utf8.bytes(orderJson, "order");
        JsonWriter options =
                new JsonWriter()
                        .add("returnUrlField", returnUrlField)
                        .add("extraFields", extraFields);
        byte[] bytes = Utf8.bytes(options.toString(), "options");
        return Answer.of(json -> library().payorder_build_create_order(order, bytes, json))
                .readOffline();
    }

    /**
     * The body that getStatus would send.
     *
     * @throws UnusableTextException if the query breaks rules
     */
    public static String buildGetStatus(StatusQuery query) {
        byte[] bytes = Utf8.bytes(Objects.requireNonNull(query, "query").toJson(), "query");
        return Answer.of(json -> library().payorder_build_get_status(bytes, json)).readOffline();
    }
}

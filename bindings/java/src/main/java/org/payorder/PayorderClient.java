package org.payorder;

import static org.payorder.LibraryFinder.library;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.payorder.Constants.Causes;

/**
 * A client of one payment service. One is enough for a process, and every thread may use it.
 *
 * <p>Calls block their thread; those of a virtual thread hold no carrier. Interrupting the thread
 * cancels the call within 100 ms, and the thread stays interrupted. Other threads end a call with a
 * {@link Cancellation}, or by cancelling the future of an Async method. Options may be null.
 */
public final class PayorderClient extends PayorderClientCalls {
    private final ClientHandle handle;

    /**
     * Creates a client. It makes no connection.
     *
     * @throws InvalidConfigException if a setting is invalid
     */
    public PayorderClient(ClientConfig config) {
        this(
                Objects.requireNonNull(config, "config").toJson(),
                library()::payorder_client_new,
                config.executor());
    }

    /** Creates a client from a configuration as JSON text. */
    public PayorderClient(String configJson) {
        this(configJson, library()::payorder_client_new, null);
    }

    private PayorderClient(String configJson, ClientHandle.Maker maker, Executor executor) {
        handle = new ClientHandle(configJson, maker, executor);
    }

    /**
     * Creates a client from the environment, for example PAYORDER_BASE_URL.
     *
     * @throws InvalidConfigException if a setting is missing or invalid
     */
    public static PayorderClient fromEnv() {
        return fromEnv(new ClientConfig(null));
    }

    /** The same. What the configuration has wins over the environment. */
    public static PayorderClient fromEnv(ClientConfig config) {
        return new PayorderClient(
                Objects.requireNonNull(config, "config").toJson(),
                library()::payorder_client_from_env,
                config.executor());
    }

    /** Creates an order from JSON text. */
    public Checkout createOrder(String orderJson, @Nullable OrderOptions options) {
        return createOrderCall(orderJson).now(options);
    }

    /**
     * Replaces those credentials that are set in the options. Attempts that begin later use them,
     * also those of calls that run.
     *
     * @throws IllegalArgumentException if none is set, or all are null
     */
    public void setCredentials(CallOptions credentials) {
        String given = Objects.requireNonNull(credentials, "credentials").write().toString();
        if (given.equals("{}")) {
            throw new IllegalArgumentException("no credential is given");
        }
        byte[] json = Utf8.bytes(given, "credentials");
        Answer.of(
                        error ->
                                handle.with(
                                        client ->
                                                library().payorder_client_set_credentials(
                                                        client, json, error)))
                .read();
    }

    /** Ends all calls in flight, and refuses later ones: for a clean end. */
    public void stop() {
        check(handle.with(library()::payorder_client_stop));
    }

    /** The journal. Without one, its methods throw {@link InvalidArgumentException}. */
    public Journal getJournal() {
        return new Journal(handle);
    }

    /**
     * Sends log events to a handler; null for none. It runs in the threads of
     * the calls. What it throws goes to java.util.logging, so that it cannot hide the outcome of an
     * order.
     */
    public void setLog(@Nullable Consumer<LogEvent> handler) {
        Functions.LogFunction callback = handler == null ? null : LogEvents.CALLBACK;
        check(handle.with(client -> library().payorder_client_set_log(client, callback, client)));
        handle.log = handler;
    }

    /** Ends all calls in flight. Later calls work. */
    public void cancel() {
        check(handle.with(library()::payorder_client_cancel));
    }

    /**
     * Frees the client. Calls in flight end on their own, also queued ones: {@link #cancel} them
     * before, if no further order may be sent. Later calls throw {@link InvalidHandleException}.
     */
    @Override
    public void close() {
        handle.close();
    }

    private static void check(int result) {
        if (result != 0) {
            throw ErrorFields.closed(result, Causes.CLIENT_FREED);
        }
    }

    @Override
    Call<Checkout> createOrderCall(Order order) {
        return createOrderCall(Objects.requireNonNull(order, "order").toJson());
    }

    private Call<Checkout> createOrderCall(String order) {
        return new Call<>(
                handle,
                "create_order",
                library()::payorder_create_order,
                Utf8.bytes(order, "order"),
                Checkout::fromJson,
                query(order));
    }

    /** The query of an order's JSON text; null if it has no usable id. */
    private static StatusQuery query(String order) {
        try {
            return order == null
                    ? null
                    : StatusQuery.byOrder(JsonValue.parse(order).textOf("orderId"));
        } catch (IllegalArgumentException notUsable) {
            return null;
        }
    }

    @Override
    Call<Status> getStatusCall(StatusQuery query) {
        return asking("get_status", library()::payorder_get_status, query, Status::fromJson);
    }

    @Override
    Call<Waited> waitForPaymentCall(StatusQuery query) {
        return asking(
                "wait_for_payment", library()::payorder_wait_for_payment, query, Waited::fromJson);
    }

    private <T> Call<T> asking(
            String operation,
            Call.ClientFunction function,
            StatusQuery query,
            Function<String, T> read) {
        byte[] request = Utf8.bytes(text(query), "query");
        return new Call<>(handle, operation, function, request, read, query);
    }

    @Override
    Call<Recovered> recoverCall(Iterable<ExpectedPayment> sales) {
        Function<ExpectedPayment, Object> text =
                sale -> Objects.requireNonNull(sale, "sale").write();
        return new Call<>(
                handle,
                "recover",
                library()::payorder_recover,
                Utf8.bytes(sales == null ? null : array(sales, text), "sales"),
                Recovered::fromJson,
                null);
    }

    @Override
    Call<Checked> checkCall() {
        return new Call<>(handle, "check", library()::payorder_check, Checked::fromJson);
    }

    @Override
    Call<Summary> getStatusesCall(Iterable<StatusQuery> queries, Predicate<StatusResult> each) {
        List<StatusQuery> list = new ArrayList<>();
        Objects.requireNonNull(queries, "queries").forEach(list::add);
        Objects.requireNonNull(each, "each");
        Throwable[] thrown = new Throwable[1];
        Functions.StatusFunction callback =
                (index, result, json, userData) -> {
                    if (thrown[0] != null) {
                        return 0;
                    }
                    try {
                        int at = index.intValue();
                        String text = Utf8.text(json);
                        return each.test(new StatusResult(at, list.get(at), result, text)) ? 1 : 0;
                    } catch (Throwable error) {
                        thrown[0] = error;
                        return 0;
                    }
                };
        return new Call<Summary>(
                handle,
                null,
                (client, request, options, json) ->
                        library().payorder_get_statuses(
                                client, request, options, callback, null, json),
                Utf8.bytes(array(list, PayorderClient::text), "queries"),
                Summary::fromJson,
                null) {
            @Override
            Summary run(Token token) {
                Summary summary = super.run(token);
                if (thrown[0] != null) {
                    throw Threads.<RuntimeException>raised(thrown[0]);
                }
                return summary;
            }
        };
    }

    private static String text(StatusQuery query) {
        return Objects.requireNonNull(query, "query").toJson();
    }

    private static <T> String array(Iterable<T> items, Function<T, Object> text) {
        StringJoiner array = new StringJoiner(",", "[", "]");
        items.forEach(one -> array.add(text.apply(one).toString()));
        return array.toString();
    }
}

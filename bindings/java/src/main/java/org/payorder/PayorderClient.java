package org.payorder;

import static org.payorder.LibraryFinder.library;

import com.sun.jna.Pointer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.payorder.Constants.Causes;

/**
 * A client of one payment service. One is enough for a process, and every thread may use it.
 *
 * <p>Calls block their thread; those of a virtual thread hold no carrier. Interrupting the thread
 * cancels the call within 100 ms, and the thread stays interrupted. Other threads end a call with a
 * {@link Cancellation}, or by cancelling the future of an Async method. Options may be null.
 */
public final class PayorderClient implements PaymentClient {
    private final ClientHandle handle;
    private final Executor executor;

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
        handle = new ClientHandle(configJson, maker);
        this.executor = executor;
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

    @Override
    public Checkout createOrder(Order order, @Nullable OrderOptions options) {
        return createOrder(text(order), options);
    }

    /** Creates an order from JSON text. */
    public Checkout createOrder(String orderJson, @Nullable OrderOptions options) {
        return orderCall(orderJson).now(options);
    }

    @Override
    public PaymentFuture<Checkout> createOrderAsync(Order order, @Nullable OrderOptions options) {
        PaymentFuture<Checkout> call = orderCall(text(order)).later(executor, options);
        RunningOrders.begin();
        // The first one that depends on it runs last.
        call.whenComplete((checkout, error) -> RunningOrders.end());
        return call;
    }

    @Override
    public Status getStatus(StatusQuery query, @Nullable CallOptions options) {
        return statusCall(query).now(options);
    }

    @Override
    public PaymentFuture<Status> getStatusAsync(StatusQuery query, @Nullable CallOptions options) {
        return statusCall(query).later(executor, options);
    }

    @Override
    public Waited waitForPayment(StatusQuery query, @Nullable WaitOptions options) {
        return waitCall(query).now(options);
    }

    @Override
    public PaymentFuture<Waited> waitForPaymentAsync(
            StatusQuery query, @Nullable WaitOptions options) {
        return waitCall(query).later(executor, options);
    }

    @Override
    public Summary getStatuses(
            Iterable<StatusQuery> queries,
            Predicate<StatusResult> each,
            @Nullable BatchOptions options) {
        return Calls.now(options, statusesCall(queries, each));
    }

    @Override
    public PaymentFuture<Summary> getStatusesAsync(
            Iterable<StatusQuery> queries,
            Predicate<StatusResult> each,
            @Nullable BatchOptions options) {
        return Calls.later(executor, options, statusesCall(queries, each));
    }

    @Override
    public Recovered recover(
            @Nullable Iterable<ExpectedPayment> sales, @Nullable RecoverOptions options) {
        return recoverCall(sales).now(options);
    }

    @Override
    public PaymentFuture<Recovered> recoverAsync(
            @Nullable Iterable<ExpectedPayment> sales, @Nullable RecoverOptions options) {
        return recoverCall(sales).later(executor, options);
    }

    /**
     * Replaces those credentials that are set in the options. Attempts that begin later use them,
     * also those of calls that run.
     */
    public void setCredentials(CallOptions credentials) {
        JsonWriter given = Objects.requireNonNull(credentials, "credentials").write();
        byte[] json = Utf8.bytes(given.toString(), "credentials");
        Calls.ofClient(
                error -> library().payorder_client_set_credentials(handle.pointer(), json, error),
                text -> text,
                () -> null);
    }

    /** Ends all calls in flight, and refuses later ones: for a clean end. */
    public void stop() {
        check(library().payorder_client_stop(handle.pointer()));
    }

    /** The journal. Without one, its methods throw {@link InvalidArgumentException}. */
    public Journal getJournal() {
        return new Journal(handle, executor);
    }

    /**
     * Sends log events to a handler; null for none. It runs in the threads of
     * the calls. What it throws goes to java.util.logging, so that it cannot hide the outcome of an
     * order.
     */
    public void setLog(@Nullable Consumer<LogEvent> handler) {
        LogEvents.set(handle.logKey, handler);
        Functions.LogFunction callback = handler == null ? null : LogEvents.CALLBACK;
        Pointer key = new Pointer(handle.logKey);
        int result = library().payorder_client_set_log(handle.pointer(), callback, key);
        if (result != 0) {
            LogEvents.set(handle.logKey, null);
        }
        check(result);
    }

    /** Ends all calls in flight. Later calls work. */
    public void cancel() {
        check(library().payorder_client_cancel(handle.pointer()));
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

    private static String text(Order order) {
        return Objects.requireNonNull(order, "order").toJson();
    }

    private static String text(StatusQuery query) {
        return Objects.requireNonNull(query, "query").toJson();
    }

    private static String text(ExpectedPayment sale) {
        return Objects.requireNonNull(sale, "sale").toJson();
    }

    private ClientCall<Checkout> orderCall(String order) {
        return new ClientCall<>(
                handle,
                "create_order",
                library()::payorder_create_order,
                Utf8.bytes(order, "order"),
                Checkout::fromJson,
                () -> query(order));
    }

    private ClientCall<Status> statusCall(StatusQuery query) {
        return new ClientCall<>(
                handle,
                "get_status",
                library()::payorder_get_status,
                Utf8.bytes(text(query), "query"),
                Status::fromJson,
                () -> query);
    }

    private ClientCall<Waited> waitCall(StatusQuery query) {
        return new ClientCall<>(
                handle,
                "wait_for_payment",
                library()::payorder_wait_for_payment,
                Utf8.bytes(text(query), "query"),
                Waited::fromJson,
                () -> query);
    }

    private ClientCall<Recovered> recoverCall(Iterable<ExpectedPayment> sales) {
        String list = sales == null ? null : array(sales, PayorderClient::text);
        return new ClientCall<>(
                handle,
                "recover",
                library()::payorder_recover,
                Utf8.bytes(list, "sales"),
                Recovered::fromJson,
                () -> null);
    }

    private static <T> String array(Iterable<T> items, Function<T, String> text) {
        List<String> texts = new ArrayList<>();
        items.forEach(one -> texts.add(text.apply(one)));
        return "[" + String.join(",", texts) + "]";
    }

    private Calls.Call<Summary> statusesCall(
            Iterable<StatusQuery> queries, Predicate<StatusResult> each) {
        List<StatusQuery> list = new ArrayList<>();
        Objects.requireNonNull(each, "each");
        Objects.requireNonNull(queries, "queries").forEach(list::add);
        byte[] bytes = Utf8.bytes(array(list, PayorderClient::text), "queries");
        return options -> {
            Each callback = new Each(list, each);
            Summary summary =
                    Calls.ofClient(
                            json ->
                                    library().payorder_get_statuses(
                                            handle.pointer(), bytes, options, callback, null, json),
                            Summary::fromJson,
                            () -> null);
            // Also keeps the callback alive until here.
            callback.rethrow();
            return summary;
        };
    }

    /** The callback of getStatuses. */
    private static final class Each implements Functions.StatusFunction {
        private final List<StatusQuery> queries;
        private final Predicate<StatusResult> each;
        private Throwable thrown;

        Each(List<StatusQuery> queries, Predicate<StatusResult> each) {
            this.queries = queries;
            this.each = each;
        }

        @Override
        public int invoke(Functions.Size index, int result, Pointer json, Pointer userData) {
            if (thrown != null) {
                return 0;
            }
            try {
                int at = index.intValue();
                String text = Utf8.text(json);
                return each.test(new StatusResult(at, queries.get(at), result, text)) ? 1 : 0;
            } catch (Throwable error) {
                thrown = error;
                return 0;
            }
        }

        void rethrow() {
            if (thrown != null) {
                throw Threads.<RuntimeException>raised(thrown);
            }
        }
    }

    /** The query of an order's JSON text; null if it has no usable id. */
    private static StatusQuery query(String order) {
        try {
            return StatusQuery.byOrder(JsonValue.parse(order).textOf("orderId"));
        } catch (IllegalArgumentException notUsable) {
            return null;
        }
    }
}

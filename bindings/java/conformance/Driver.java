import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.payorder.*;

/**
 * The driver of the conformance suite: see bindings/conformance/README.md. It reads one step per
 * line, as JSON, and writes one report per line.
 */
final class Driver {
    private static final Map<String, PayorderClient> CLIENTS = new ConcurrentHashMap<>();
    private static final Map<String, Cancellation> CANCELLATIONS = new ConcurrentHashMap<>();
    private static final Map<String, CompletableFuture<Map<String, Object>>> RUNNING =
            new ConcurrentHashMap<>();
    private static final List<Object> EVENTS = Collections.synchronizedList(new ArrayList<>());

    /** Above 0 in a thread that runs a step: there, callbacks have their caller. */
    private static final ThreadLocal<Integer> IN_STEP = ThreadLocal.withInitial(() -> 0);

    private Driver() {}

    public static void main(String[] arguments) throws IOException {
        // A log function that throws is reported there.
        Logger.getLogger("org.payorder").setLevel(Level.OFF);
        PrintStream output = new PrintStream(System.out, true, "UTF-8");
        try {
            output.println(Reports.json(hello()));
        } catch (InvalidConfigException refused) {
            String message = refused.getMessage();
            output.println(Reports.json(Map.of("refused", message)));
            System.exit(1);
        }
        BufferedReader input =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line; (line = input.readLine()) != null; ) {
            output.println(Reports.json(take(JsonValue.parse(line))));
        }
    }

    private static Map<String, Object> hello() {
        String features =
                "exceptions threads started gc finalizers log-in-call load opens stub untyped"
                        + " query-text"
                        + " closing check";
        return Map.of(
                "driver", "java",
                "language", "Java " + System.getProperty("java.version"),
                "library", Payorder.getVersion(),
                "abi", Payorder.getAbiVersion(),
                "features", List.of(features.split(" ")),
                "classes", Reports.CLASSES);
    }

    private static Map<String, Object> take(JsonValue step) {
        String thread = Steps.text(step, "thread");
        if (Steps.text(step, "op").equals("join")) {
            return RUNNING.remove(thread).join();
        }
        if (thread == null) {
            return run(step);
        }
        RUNNING.put(thread, inBackground(step));
        return Map.of("ok", true);
    }

    private static CompletableFuture<Map<String, Object>> inBackground(JsonValue step) {
        PayorderClient client = client(step);
        PaymentFuture<?> call =
                switch (Steps.text(step, "op")) {
                    case "create" ->
                            client.createOrderAsync(
                                    Steps.order(step.get("order")),
                                    options(new OrderOptions(), step));
                    case "status" ->
                            client.getStatusAsync(query(step), options(new CallOptions(), step));
                    case "wait" ->
                            client.waitForPaymentAsync(
                                    query(step), options(new WaitOptions(), step));
                    default -> null;
                };
        Executor thread = work -> new Thread(work).start();
        return call == null
                ? CompletableFuture.supplyAsync(() -> run(step), thread)
                : reported(call);
    }

    private static CompletableFuture<Map<String, Object>> reported(PaymentFuture<?> call) {
        return call.handle(
                (value, error) ->
                        run(
                                report -> {
                                    if (error != null) {
                                        throw (RuntimeException) error;
                                    }
                                    return value;
                                }));
    }

    private static Map<String, Object> run(JsonValue step) {
        return run(report -> perform(step, report));
    }

    /** Reports how a step ended. */
    private static Map<String, Object> run(Function<Map<String, Object>, Object> step) {
        Map<String, Object> report = new LinkedHashMap<>();
        IN_STEP.set(IN_STEP.get() + 1);
        try {
            report.put("value", step.apply(report));
        } catch (PayorderException error) {
            report.put("error", error);
        } catch (Planted error) {
            report.put("thrown", error.getMessage());
        } finally {
            IN_STEP.set(IN_STEP.get() - 1);
        }
        report.put("ok", report.containsKey("value"));
        return report;
    }

    /** Runs a step, and returns the package's own object. */
    private static Object perform(JsonValue step, Map<String, Object> report) {
        return switch (Steps.text(step, "op")) {
            case "create" -> create(step);
            case "status" ->
                    client(step).getStatus(query(step), options(new CallOptions(), step));
            case "wait" ->
                    client(step).waitForPayment(query(step), options(new WaitOptions(), step));
            case "statuses" -> statuses(step, report);
            case "check" -> client(step).check(options(new CheckOptions(), step));
            case "recover" -> recover(step);
            case "journal" -> journal(step);
            case "build" -> build(step);
            case "parse" -> Payorder.parseReturnUrl(Steps.text(step, "url"));
            case "verify" -> verify(step);
            case "events" -> takeEvents();
            case "counters" ->
                    Map.of(
                            "clients", Payorder.getLiveClients(),
                            "strings", Payorder.getLiveStrings(),
                            "calls", Payorder.getLiveCalls());
            default -> {
                manage(step);
                yield null;
            }
        };
    }

    /** Steps about the life of objects. */
    private static void manage(JsonValue step) {
        switch (Steps.text(step, "op")) {
            case "open" -> {
                PayorderClient client = new PayorderClient(Steps.config(step.get("config")));
                CLIENTS.put(Steps.text(step, "client"), client);
            }
            case "credentials" ->
                    client(step)
                            .setCredentials(Steps.fill(new CallOptions(), step.get("credentials")));
            case "cancellation" ->
                    CANCELLATIONS.put(Steps.text(step, "cancellation"), new Cancellation());
            case "cancel" -> either(step, Cancellation::cancel, PayorderClient::cancel);
            case "close" -> either(step, Cancellation::close, PayorderClient::close);
            case "shutdown" -> client(step).stop();
            case "log" -> log(step);
            case "collect" -> System.gc();
            case "forget" -> CLIENTS.remove(Steps.text(step, "client"));
            case "throw" -> throw new Planted();
            default -> throw new IllegalArgumentException("unknown step " + step);
        }
    }

    /** Does a step to a cancellation, if it names one, otherwise to a client. */
    private static void either(
            JsonValue step, Consumer<Cancellation> cancellation, Consumer<PayorderClient> client) {
        if (cancellation(step) == null) {
            client.accept(client(step));
        } else {
            cancellation.accept(cancellation(step));
        }
    }

    private static List<Object> takeEvents() {
        List<Object> events = new ArrayList<>(EVENTS);
        EVENTS.clear();
        return events;
    }

    private static Object create(JsonValue step) {
        Order order = Steps.order(step.get("order"));
        OrderOptions options = options(new OrderOptions(), step);
        return order == null
                ? client(step).createOrder(Steps.text(step, "order"), options)
                : client(step).createOrder(order, options);
    }

    private static Object statuses(JsonValue step, Map<String, Object> report) {
        List<Object> items = new ArrayList<>();
        report.put("items", items);
        List<StatusQuery> queries = new ArrayList<>();
        step.get("queries").getItems().forEach(one -> queries.add(Steps.query(one)));
        JsonValue then = step.get("then");
        Predicate<StatusResult> each =
                result -> {
                    items.add(item(result));
                    if (then == null || items.size() != Steps.number(step, "at") + 1) {
                        return true;
                    }
                    if (Steps.text(then, "op").equals("stop")) {
                        return false;
                    }
                    perform(then, new LinkedHashMap<>());
                    return true;
                };
        return client(step).getStatuses(queries, each, options(new BatchOptions(), step));
    }

    private static Recovered recover(JsonValue step) {
        List<ExpectedPayment> sales = new ArrayList<>();
        Steps.object(step, "sales").getItems().forEach(one -> sales.add(Steps.expected(one)));
        return client(step).recover(sales, options(new RecoverOptions(), step));
    }

    private static Map<String, Object> item(StatusResult result) {
        Map<String, Object> item = Reports.fields(result);
        item.put("ok", result.getError() == null);
        item.put("value", result.getStatus());
        item.put("thread", thisThread());
        return item;
    }

    private static Object journal(JsonValue step) {
        Journal journal = client(step).getJournal();
        Cancellation cancellation = cancellation(step);
        JsonValue options = Steps.object(step, "options");
        return switch (Steps.text(step, "do")) {
            case "list" -> journal.list(Steps.listOptions(step, cancellation));
            case "resolve" -> journal.resolve(options(new BatchOptions(), step));
            case "settle" ->
                    journal.settle(
                            Steps.number(options, "entry"),
                            Steps.text(options, "note"),
                            cancellation);
            default -> journal.prune(Steps.number(options, "olderThanDays"), cancellation);
        };
    }

    private static String build(JsonValue step) {
        if (step.get("query") != null) {
            return Payorder.buildGetStatus(Steps.query(step.get("query")));
        }
        JsonValue options = Steps.object(step, "options");
        JsonValue extra = options.get("extraFields");
        Order order = Steps.order(step.get("order"));
        return Payorder.buildCreateOrder(
                order == null ? step.get("order").getRaw() : order.toJson(),
                Steps.text(options, "returnUrlField"),
                extra == null ? null : Steps.texts(extra));
    }

    private static Verification verify(JsonValue step) {
        return Payorder.verifyPayment(
                Steps.expected(step.get("expected")), Steps.text(step, "status"));
    }

    private static void log(JsonValue step) {
        if (step.get("on") != null && step.get("on").getRaw().equals("false")) {
            client(step).setLog(null);
            return;
        }
        Consumer<LogEvent> handler =
                event -> {
                    Map<String, Object> report = Reports.fields(event);
                    report.put("thread", thisThread());
                    EVENTS.add(report);
                    if (event.getEvent().equals(Steps.text(step, "at"))) {
                        perform(step.get("then"), new LinkedHashMap<>());
                    }
                };
        client(step).setLog(handler);
    }

    private static PayorderClient client(JsonValue step) {
        return CLIENTS.get(Steps.text(step, "client"));
    }

    private static StatusQuery query(JsonValue step) {
        return Steps.query(step.get("query"));
    }

    private static Cancellation cancellation(JsonValue step) {
        String name = Steps.text(step, "cancellation");
        return name == null ? null : CANCELLATIONS.get(name);
    }

    private static <T extends Options<T>> T options(T options, JsonValue step) {
        return Steps.options(options, step, cancellation(step));
    }

    private static String thisThread() {
        return IN_STEP.get() > 0 ? "caller" : "other";
    }

    /** The exception of the step `throw`. */
    private static final class Planted extends RuntimeException {
        private static final long serialVersionUID = 1;

        Planted() {
            super("planted");
        }
    }
}

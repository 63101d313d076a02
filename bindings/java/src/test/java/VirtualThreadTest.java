import static org.junit.jupiter.api.Assertions.*;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.payorder.*;

/** Needs Java 21 or later, and is compiled for Java 8 as everything. */
final class VirtualThreadTest {
    private final ExecutorService virtual = CancellationTest.threads();

    private final List<StatusQuery> queries = Collections.nCopies(2, StatusQuery.byOrder("none"));

    private final org.payorder.testing.Sandbox sandbox = new org.payorder.testing.Sandbox();
    private final PayorderClient client = new PayorderClient(sandbox.config().executor(virtual));

    @AfterEach
    void end() {
        client.close();
        sandbox.close();
    }

    @Test
    void callsHoldNoCarrier() throws Exception {
        Callable<Checkout> order = () -> client.createOrder(Sandbox.order());
        checkOrders(() -> virtual.submit(order));
    }

    @Test
    void callsThatTheirExecutorCompletesHoldNoCarrier() throws Exception {
        checkOrders(() -> client.createOrderAsync(Sandbox.order()));
        checkStatuses(() -> client.getStatusesAsync(queries, result -> true, null));
    }

    @Test
    void manyStatusesHoldNoCarrier() throws Exception {
        Callable<Summary> call = () -> client.getStatuses(queries, result -> true);
        checkStatuses(() -> virtual.submit(call));
        IllegalStateException own = new IllegalStateException("of the function");
        Callable<Summary> throwing =
                () ->
                        client.getStatuses(
                                queries,
                                result -> {
                                    throw own;
                                });
        Future<Summary> thrown = virtual.submit(throwing);
        assertSame(own, assertThrows(ExecutionException.class, thrown::get).getCause());
    }

    private void checkOrders(Supplier<Future<Checkout>> start) throws Exception {
        for (Checkout checkout : behindThem(200, "create", start)) {
            assertTrue(checkout.getUrl().startsWith("http"));
        }
    }

    private void checkStatuses(Supplier<Future<Summary>> start) throws Exception {
        for (Summary one : behindThem(100, "status", start)) {
            assertEquals(2, one.getRejected());
        }
    }

    /** Results of slow calls. A page that has nothing to do with payments is not behind them. */
    private <T> List<T> behindThem(int count, String operation, Supplier<Future<T>> start)
            throws Exception {
        sandbox.fault(operation + ":*:slow=2000");
        List<Future<T>> calls = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            calls.add(start.get());
        }
        virtual.submit(() -> "page").get(5, TimeUnit.SECONDS);
        assertFalse(calls.get(0).isDone(), "the page was not behind the calls");
        // 64 orders at a time, two seconds each.
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(15);
        List<T> results = new ArrayList<>();
        for (Future<T> one : calls) {
            results.add(one.get(end - System.nanoTime(), TimeUnit.NANOSECONDS));
        }
        return results;
    }
}

import static org.junit.jupiter.api.Assertions.*;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.payorder.*;

/** Needs Java 21 or later, and is compiled for Java 8 as everything. */
final class VirtualThreadTest {
    private final ExecutorService virtual = CancellationTest.threads();

    private final org.payorder.testing.Sandbox sandbox = new org.payorder.testing.Sandbox();
    private final PayorderClient client = sandbox.client();

    @AfterEach
    void end() {
        client.close();
        sandbox.close();
    }

    @Test
    void callsHoldNoCarrier() throws Exception {
        Callable<Checkout> order = () -> client.createOrder(Sandbox.order());
        for (Checkout checkout : behindThem(200, "create", order)) {
            assertTrue(checkout.getUrl().startsWith("http"));
        }
    }

    @Test
    void manyStatusesHoldNoCarrier() throws Exception {
        List<StatusQuery> queries = Collections.nCopies(2, StatusQuery.byOrder("none"));
        Callable<Summary> call = () -> client.getStatuses(queries, result -> true);
        for (Summary one : behindThem(100, "status", call)) {
            assertEquals(2, one.getRejected());
        }
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

    /** Results of slow calls. A page that has nothing to do with payments is not behind them. */
    private <T> List<T> behindThem(int count, String operation, Callable<T> call)
            throws Exception {
        sandbox.fault(operation + ":*:slow=2000");
        List<Future<T>> calls = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            calls.add(virtual.submit(call));
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

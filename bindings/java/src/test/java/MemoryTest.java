import static org.junit.jupiter.api.Assertions.*;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.payorder.*;

/** Programs without memory for a moment. What they keep alone can be freed again. */
final class MemoryTest {
    /** A chain that fills the heap. */
    private static Object[] heap;

    private static org.payorder.testing.Sandbox sandbox;

    @Test
    void callsEndAfterAnAnswerThatCameWithoutMemory() throws Exception {
        assertEquals("ended", outputOf(AnswerWithoutMemory.class));
    }

    /** Has no memory while an order is answered, and makes another call later. */
    static final class AnswerWithoutMemory {
        public static void main(String[] arguments) {
            print(
                    client -> {
                        sandbox.fault("create:*:slow=150");
                        PaymentFuture<Checkout> call =
                                client.createOrderAsync(Till.order("first"));
                        long end = System.nanoTime() + 400_000_000;
                        fillHeap();
                        while (System.nanoTime() < end && !call.isDone()) {
                            // A pause would need memory.
                        }
                        heap = null;
                        CompletableFuture<?> later = client.getStatusAsync("none");
                        later.handle((status, error) -> 0).get(20, TimeUnit.SECONDS);
                        return "ended";
                    });
        }
    }

    @Test
    void anOrderThatMayExistHasItsQuery() throws Exception {
        Order order = Sandbox.order();
        try (PayorderClient client = Sandbox.client()) {
            Class<InternalInFlightException> mayExist = InternalInFlightException.class;
            GarbageTest.calling(
                    "payorder_create_order",
                    () -> {},
                    MemoryTest::noMemory,
                    () -> {
                        PayorderException error =
                                assertThrows(mayExist, () -> client.createOrder(order));
                        assertEquals(Sandbox.query(order), error.getStatusQuery());
                        assertEquals(OutOfMemoryError.class, error.getCause().getClass());
                    });
            assertEquals(order.getOrderId(), client.getStatus(order.getOrderId()).getOrderId());
        }
    }

    @Test
    void nothingThatFollowsAnAnswerReplacesIt() throws Exception {
        try (PayorderClient client = Sandbox.client()) {
            Runnable calls =
                    () -> {
                        assertNotNull(client.createOrder(Sandbox.order()));
                        CompletableFuture<Checkout> call = client.createOrderAsync(Sandbox.order());
                        assertDoesNotThrow(() -> call.get(20, TimeUnit.SECONDS));
                    };
            GarbageTest.calling(
                    "payorder_cancellation_free", MemoryTest::noMemory, () -> {}, calls);
        }
    }

    private static void noMemory() {
        throw new OutOfMemoryError("of a test");
    }

    private interface Work {
        String with(PayorderClient client) throws Exception;
    }

    /** Prints what a client gives that has made calls before: their code is loaded. */
    private static void print(Work work) {
        String given;
        sandbox = new org.payorder.testing.Sandbox();
        try {
            PayorderClient client = sandbox.client();
            for (int i = 0; i < 10; i++) {
                client.createOrder(Till.order("blocking-" + i));
                client.createOrderAsync(Till.order("started-" + i)).join();
            }
            given = work.with(client);
        } catch (Exception | Error error) {
            given = error.toString();
        }
        System.out.println(given);
        sandbox.close();
        Runtime.getRuntime().halt(0);
    }

    private static void fillHeap() {
        for (int size = 65536; size > 0; size /= 64) {
            try {
                for (; ; ) {
                    Object[] next = new Object[2];
                    next[0] = heap;
                    heap = next;
                    next[1] = new byte[size];
                }
            } catch (OutOfMemoryError full) {
                // With smaller ones.
            }
        }
    }

    private static String outputOf(Class<?> program) throws Exception {
        String java = System.getProperty("java.home") + "/bin/java";
        ProcessBuilder start =
                new ProcessBuilder(java, "-XX:+UseSerialGC", "-Xmx24m", program.getName())
                        .redirectError(ProcessBuilder.Redirect.INHERIT);
        start.environment().put("CLASSPATH", System.getProperty("java.class.path"));
        Process running = start.start();
        try (BufferedReader output =
                new BufferedReader(new InputStreamReader(running.getInputStream()))) {
            return output.lines().collect(Collectors.joining("\n"));
        }
    }
}

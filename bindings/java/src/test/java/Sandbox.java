import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.payorder.*;

/** The sandbox, and what every test needs. */
final class Sandbox {
    private static final String RUN = UUID.randomUUID().toString().substring(0, 8);
    private static final AtomicInteger ORDERS = new AtomicInteger();

    private Sandbox() {}

    static PayorderClient client() {
        return PayorderClient.fromEnv();
    }

    static Order order() {
        return order("");
    }

    /** A new order; the marker makes the sandbox fail in a certain way. */
    static Order order(String marker) {
        int number = ORDERS.incrementAndGet();
        return Till.order("O-" + RUN + "-" + number).productInfo("Tea " + marker);
    }

    static StatusQuery query(Order order) {
        return StatusQuery.byOrder(order.getOrderId());
    }

    /** Waits until the service has an order, which it does not answer. */
    static void waitUntilKnown(PayorderClient client, Order order) {
        until(
                () -> {
                    try {
                        client.getStatus(query(order));
                        return true;
                    } catch (RejectedException notYet) {
                        return false;
                    }
                });
    }

    /** Waits for a future; throws what it failed with. */
    static <T> T result(CompletableFuture<T> future) {
        try {
            return future.join();
        } catch (CompletionException error) {
            if (error.getCause() instanceof RuntimeException) {
                throw (RuntimeException) error.getCause();
            }
            throw error;
        }
    }

    static void until(BooleanSupplier condition) {
        for (int tries = 0; !condition.getAsBoolean(); tries++) {
            assertTrue(tries < 3000, "the condition within 30 seconds");
            try {
                Thread.sleep(10);
            } catch (InterruptedException error) {
                throw new AssertionError(error);
            }
        }
    }
}

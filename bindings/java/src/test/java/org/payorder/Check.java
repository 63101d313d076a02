package org.payorder;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BooleanSupplier;

/** What the tests wait for. */
final class Check {
    private Check() {}

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

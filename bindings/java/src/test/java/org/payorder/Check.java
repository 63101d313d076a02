package org.payorder;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BooleanSupplier;

/** Assertions. */
final class Check {
    private Check() {}

    static void equal(Object expected, Object actual) {
        if (!Objects.equals(expected, actual)) {
            throw new AssertionError("expected " + expected + ", got " + actual);
        }
    }

    static void isTrue(boolean condition) {
        isTrue(condition, "condition");
    }

    static void isTrue(boolean condition, String what) {
        if (!condition) {
            throw new AssertionError("not true: " + what);
        }
    }

    static <T extends Throwable> T fails(Class<T> kind, Runnable action) {
        try {
            action.run();
        } catch (Throwable error) {
            if (error.getClass() == kind) {
                return kind.cast(error);
            }
            throw new AssertionError("expected " + kind.getSimpleName(), error);
        }
        throw new AssertionError("expected " + kind.getSimpleName() + ", got no exception");
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
            isTrue(tries < 3000, "the condition within 30 seconds");
            try {
                Thread.sleep(10);
            } catch (InterruptedException error) {
                throw new AssertionError(error);
            }
        }
    }
}

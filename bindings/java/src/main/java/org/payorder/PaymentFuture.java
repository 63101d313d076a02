package org.payorder;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * The future of a call. Only the call itself completes it, so that the outcome of an order is never
 * lost: {@link #cancel} ends the call within 100 ms, and the future then completes with {@link
 * CancelledException} (nothing was sent) or {@link CancelledInFlightException} (the order may
 * exist). For the same reason {@link #complete}, {@link #completeExceptionally}, the other methods
 * that complete a future, and orTimeout have no effect: use {@link Options#timeout}. Futures that
 * depend on it are ordinary ones.
 */
public final class PaymentFuture<T> extends CompletableFuture<T> {
    private final Token token;

    PaymentFuture(Token token) {
        this.token = token;
    }

    /** For tests without a service: the future of a call that has ended. */
    public static <T> PaymentFuture<T> completed(T value) {
        PaymentFuture<T> future = new PaymentFuture<>(null);
        future.run(() -> value);
        return future;
    }

    /** For tests without a service: the future of a call that has failed. */
    public static <T> PaymentFuture<T> failed(PayorderException error) {
        PaymentFuture<T> future = new PaymentFuture<>(null);
        future.run(
                () -> {
                    throw error;
                });
        return future;
    }

    /**
     * Cancels the call. The future completes when the call has ended.
     *
     * @return false, because the future itself is not cancelled
     */
    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        if (token != null) {
            token.cancel();
        }
        return false;
    }

    /** Has no effect. */
    @Override
    public boolean complete(T value) {
        return false;
    }

    /** Has no effect. */
    @Override
    public boolean completeExceptionally(Throwable error) {
        return false;
    }

    /** Has no effect. Java 8 does not have it. */
    public CompletableFuture<T> completeAsync(Supplier<? extends T> supplier) {
        return this;
    }

    /** Has no effect. Java 8 does not have it. */
    public CompletableFuture<T> completeAsync(Supplier<? extends T> supplier, Executor executor) {
        return this;
    }

    /** Has no effect. */
    @Override
    public void obtrudeValue(T value) {}

    /** Has no effect. */
    @Override
    public void obtrudeException(Throwable error) {}

    /**
     * Waits in a virtual thread, which then holds no carrier. Interrupting it cancels the call, as
     * in a call that blocks.
     */
    T await() {
        boolean interrupted = false;
        try {
            for (; ; ) {
                try {
                    return get();
                } catch (InterruptedException now) {
                    // The call ends soon; its result must not be lost.
                    interrupted = true;
                    token.interrupt();
                } catch (ExecutionException failed) {
                    if (failed.getCause() instanceof PayorderException) {
                        // Shows who made the call.
                        failed.getCause().fillInStackTrace();
                    }
                    throw Threads.<RuntimeException>raised(failed.getCause());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    void run(Supplier<T> call) {
        T value = null;
        Throwable error = null;
        try {
            value = call.get();
        } catch (Throwable thrown) {
            error = thrown;
        }
        if (token != null) {
            token.free();
        }
        if (error == null) {
            super.complete(value);
        } else {
            super.completeExceptionally(error);
        }
    }
}

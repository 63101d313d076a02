package org.payorder;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
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

    /** Runs after what follows the future; or null. */
    private final Runnable after;

    private final AtomicBoolean hasRun = new AtomicBoolean();

    PaymentFuture(Token token) {
        this(token, null);
    }

    PaymentFuture(Token token, Runnable after) {
        this.token = token;
        this.after = after;
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

    /** Completes it, once: an executor may run what it has refused. */
    void run(Supplier<T> call) {
        if (!hasRun.compareAndSet(false, true)) {
            return;
        }
        T value = null;
        Throwable error = null;
        try {
            value = call.get();
        } catch (Throwable thrown) {
            error = thrown;
        }
        while (!completes(value, error)) {
            Threads.pause();
        }
        if (token != null) {
            token.free();
        }
        if (after != null) {
            after.run();
        }
    }

    /** False without memory. Then the next try goes on with what follows the future. */
    private boolean completes(T value, Throwable error) {
        try {
            if (error == null) {
                super.complete(value);
            } else {
                super.completeExceptionally(error);
            }
            return true;
        } catch (Throwable noMemory) {
            return false;
        }
    }
}

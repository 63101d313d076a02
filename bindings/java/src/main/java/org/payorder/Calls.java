package org.payorder;

import static org.payorder.LibraryFinder.library;

import com.sun.jna.ptr.PointerByReference;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

/** Calls of the library that block. A result that is not OK becomes an exception. */
final class Calls {
    /** Runs on the thread of a call while it waits: an interrupted thread cancels its call. */
    private static final Functions.IdleFunction IDLE =
            userData -> Thread.currentThread().isInterrupted() ? 1 : 0;

    private Calls() {}

    /** A call that writes its answer. */
    interface Invocation {
        int call(PointerByReference json);
    }

    /** A call with its options as JSON text, which differ only in the cancellation. */
    interface Call<T> {
        T run(byte[] options);
    }

    /** Makes a call without the network. */
    static String offline(Invocation invocation) {
        PointerByReference json = new PointerByReference();
        int result = invocation.call(json);
        return Answer.take(result, json.getValue()).readOffline();
    }

    /** Makes a call of a client. */
    static <T> T ofClient(
            Invocation invocation, Function<String, T> read, Supplier<StatusQuery> query) {
        PointerByReference json = new PointerByReference();
        library().payorder_set_idle(IDLE, null);
        int result = invocation.call(json);
        return Answer.take(result, json.getValue()).read(read, query);
    }

    /** Runs a call in this thread. */
    static <T> T now(Options<?> options, Call<T> call) {
        if (Thread.currentThread().isInterrupted()) {
            return refused(options, call);
        }
        if (Threads.isVirtual()) {
            return later(Threads.RESULTS, options, call).await();
        }
        Cancellation cancellation = options == null ? null : options.cancellation();
        return cancellation == null
                ? run(call, json(options, null), () -> false)
                : run(call, json(options, cancellation.text()), cancellation::isCancelled);
    }

    /** Runs a call that the library cannot start, with an executor or in a thread of its own. */
    static <T> PaymentFuture<T> later(Executor executor, Options<?> options, Call<T> call) {
        Token token = new Token();
        // Written now: the caller may change the options while the other thread runs.
        byte[] json = token.options(options);
        PaymentFuture<T> future = new PaymentFuture<>(token);
        Runnable work = () -> future.run(() -> run(call, json, token::isCancelled));
        if (executor != null) {
            executor.execute(work);
            return future;
        }
        Thread thread = new Thread(work, "payorder call");
        thread.setDaemon(true);
        thread.start();
        return future;
    }

    private static <T> T run(Call<T> call, byte[] json, BooleanSupplier cancelled) {
        try {
            return call.run(json);
        } catch (PayorderException error) {
            boolean interrupted = Thread.currentThread().isInterrupted();
            throw explained(error, interrupted, cancelled.getAsBoolean());
        }
    }

    /** Runs a call that is cancelled before it begins, so that it sends nothing. */
    private static <T> T refused(Options<?> options, Call<T> call) {
        Token token = new Token();
        try {
            token.cancel();
            return run(call, json(options, token.text), token::isCancelled);
        } finally {
            token.free();
        }
    }

    /** Says in the exception of a cancelled call what the program did, as Java does. */
    static PayorderException explained(
            PayorderException error, boolean interrupted, boolean cancelled) {
        if (error instanceof CancelledException || error instanceof CancelledInFlightException) {
            if (interrupted) {
                error.initCause(new InterruptedException("the call's thread was interrupted"));
            } else if (cancelled) {
                error.initCause(new CancellationException("the program cancelled the call"));
            }
        }
        return error;
    }

    static byte[] json(Options<?> options, String token) {
        JsonWriter json = options == null ? new JsonWriter() : options.write();
        return Utf8.bytes(json.add("cancellation", token).toString(), "options");
    }
}

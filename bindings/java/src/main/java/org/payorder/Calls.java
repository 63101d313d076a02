package org.payorder;

import static org.payorder.LibraryFinder.library;

import com.sun.jna.Pointer;
import com.sun.jna.ptr.PointerByReference;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

/** Calls of the library. A result that is not OK becomes an exception. */
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
        String text = take(json);
        if (result != 0) {
            throw new UnusableTextException(new ErrorFields(result, text, null));
        }
        return text;
    }

    /**
     * Makes a call of a client. After it, nothing may hide its outcome: an answer that cannot be
     * read becomes an exception with the outcome of the call, and with the query.
     */
    static <T> T ofClient(
            Invocation invocation, Function<String, T> read, Supplier<StatusQuery> query) {
        PointerByReference json = new PointerByReference();
        library().payorder_set_idle(IDLE, null);
        int result = invocation.call(json);
        String text = null;
        PayorderException failure;
        try {
            text = take(json);
            if (result == 0) {
                return read.apply(text);
            }
            failure = ErrorFields.exception(result, text);
        } catch (RuntimeException | Error reason) {
            failure = ErrorFields.unreadable(result, text, query.get(), reason);
        }
        throw failure;
    }

    /** Runs a call in this thread. */
    static <T> T now(Options<?> options, Call<T> call) {
        if (Thread.currentThread().isInterrupted()) {
            return refused(options, call);
        }
        Cancellation cancellation = options == null ? null : options.cancellation();
        if (cancellation == null) {
            return run(call, json(options, null), () -> false);
        }
        return run(call, json(options, cancellation.text()), cancellation::isCancelled);
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
    private static <T> T run(Call<T> call, byte[] json, BooleanSupplier cancelled) {
        try {
            return call.run(json);
        } catch (CancelledException | CancelledInFlightException error) {
            if (Thread.currentThread().isInterrupted()) {
                error.initCause(new InterruptedException("the call's thread was interrupted"));
            } else if (cancelled.getAsBoolean()) {
                error.initCause(new CancellationException("the program cancelled the call"));
            }
            throw error;
        }
    }

    /** Runs a call with an executor, or in a thread of its own, because it blocks its thread. */
    static <T> PaymentFuture<T> later(
            Executor executor, Options<?> options, boolean daemon, Call<T> call) {
        Cancellation cancellation = options == null ? null : options.cancellation();
        Token token = new Token();
        // Written now: the caller may change the options while the other thread runs.
        byte[] json = json(options, cancellation == null ? token.text : cancellation.link(token));
        PaymentFuture<T> future = new PaymentFuture<>(token);
        Runnable work =
                () -> {
                    if (Thread.currentThread().isInterrupted()) {
                        token.cancel();
                    }
                    try {
                        future.run(() -> run(call, json, token::isCancelled));
                    } finally {
                        if (cancellation != null) {
                            cancellation.unlink(token);
                        }
                    }
                };
        if (executor != null) {
            executor.execute(work);
            return future;
        }
        Thread thread = new Thread(work, "payorder call");
        thread.setDaemon(daemon);
        thread.start();
        return future;
    }

    private static byte[] json(Options<?> options, String token) {
        JsonWriter json = options == null ? new JsonWriter() : options.write();
        return Utf8.bytes(json.add("cancellation", token).toString(), "options");
    }

    /** Copies the library's text and frees it there. */
    private static String take(PointerByReference json) {
        Pointer text = json.getValue();
        try {
            return Utf8.text(text);
        } finally {
            library().payorder_string_free(text);
        }
    }
}

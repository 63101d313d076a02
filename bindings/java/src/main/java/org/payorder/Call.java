package org.payorder;

import com.sun.jna.Pointer;
import com.sun.jna.ptr.PointerByReference;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;

/** One call of a client. It blocks its thread, or goes on while the program does. */
class Call<T> {
    /** Completes a future in the thread that takes its answer. */
    private static final Executor HERE = Runnable::run;

    private final ClientHandle client;

    /** Its name in the library's queue; null if it always needs a thread. */
    private final String operation;

    private final ClientFunction function;
    private final byte[] request;
    private final Function<String, T> read;
    private final StatusQuery query;

    /** Whether it sends an order. */
    private final boolean isOrder;

    /** The function of the library. */
    interface ClientFunction {
        int call(Pointer client, byte[] request, byte[] options, PointerByReference json);
    }

    /** A function of the library that has no request. */
    interface SimpleFunction {
        int call(Pointer client, byte[] options, PointerByReference json);
    }

    Call(
            ClientHandle client,
            String operation,
            SimpleFunction function,
            Function<String, T> read) {
        this(
                client,
                operation,
                (pointer, none, options, json) -> function.call(pointer, options, json),
                null,
                read,
                null);
    }

    Call(
            ClientHandle client,
            String operation,
            ClientFunction function,
            byte[] request,
            Function<String, T> read,
            StatusQuery query) {
        this.client = client;
        this.operation = operation;
        this.function = function;
        this.request = request;
        this.read = read;
        this.query = query;
        isOrder = "create_order".equals(operation);
    }

    /** Makes the call. A virtual thread waits for its answer without its carrier. */
    T now(Settings<?> options) {
        // Made before the order is sent: there may be no memory later. A started call has none,
        // because it would keep the classes of its caller.
        PayorderException unknown =
                isOrder ? ErrorFields.unreadable(0, null, query, null) : null;
        boolean interrupted = Thread.currentThread().isInterrupted();
        if (Threads.isVirtual() && !interrupted) {
            return withOutcome(unknown, later(HERE, options, null)::await);
        }
        Token token = new Token(options);
        try {
            if (interrupted) {
                // So it sends nothing.
                token.interrupt();
            }
            return withOutcome(unknown, () -> run(token));
        } finally {
            token.free();
        }
    }

    /** Starts the call. */
    PaymentFuture<T> later(Settings<?> options) {
        if (!isOrder) {
            return later(client.executor, options, null);
        }
        // First: without its thread, nothing may be sent.
        RunningOrders.begin();
        try {
            return later(client.executor, options, RunningOrders::end);
        } catch (RuntimeException | Error notSent) {
            RunningOrders.end();
            throw notSent;
        }
    }

    /** The executor completes the future, and so runs what follows it. */
    private PaymentFuture<T> later(Executor executor, Settings<?> options, Runnable after) {
        Token token = new Token(options);
        PaymentFuture<T> future = new PaymentFuture<>(token, after);
        if (operation == null) {
            execute(
                    executor,
                    () -> future.run(() -> Threads.isVirtual() ? elsewhere(token) : run(token)));
            return future;
        }
        client.start(
                operation,
                request,
                token.options,
                answer -> {
                    // Made here, where an error is followed by another try.
                    Supplier<T> read = () -> readLater(answer, token);
                    execute(executor, () -> future.run(read));
                });
        return future;
    }

    /**
     * Completes a future with an executor: with a thread of the package if it refuses, or would do
     * it in this thread, which the call or what follows it could block.
     */
    private static void execute(Executor executor, Runnable completion) {
        Thread here = Thread.currentThread();
        try {
            executor.execute(
                    () -> {
                        if (Thread.currentThread() == here && executor != HERE) {
                            Threads.RESULTS.execute(completion);
                        } else {
                            completion.run();
                        }
                    });
        } catch (Throwable refused) {
            // Some languages throw checked exceptions without a declaration.
            try {
                Threads.RESULTS.execute(completion);
            } catch (Error noThread) {
                // The result must not be lost.
                completion.run();
            }
        }
    }

    /** Makes the call in a thread of the package, for a virtual thread, which holds no carrier. */
    private T elsewhere(Token token) {
        PaymentFuture<T> future = new PaymentFuture<>(token);
        execute(Threads.RESULTS, () -> future.run(() -> run(token)));
        return future.await();
    }

    /** Makes the call in this thread. */
    T run(Token token) {
        Token outer = LogEvents.block(token);
        Answer answer;
        try {
            answer = Answer.of(json -> client.with(pointer -> call(pointer, token, json)));
        } finally {
            LogEvents.block(outer);
        }
        return read(answer, token, Thread.currentThread().isInterrupted());
    }

    /** No other error may hide that an order may exist. */
    private T withOutcome(PayorderException unknown, Supplier<T> call) {
        try {
            return call.get();
        } catch (PayorderException known) {
            throw known;
        } catch (RuntimeException | Error noMemory) {
            if (unknown == null) {
                throw noMemory;
            }
            unknown.initCause(noMemory);
            throw unknown;
        }
    }

    /** Reads the answer of a started call; without memory, when there is some again. */
    private T readLater(Answer answer, Token token) {
        for (; ; ) {
            try {
                return read(answer, token, false);
            } catch (OutOfMemoryError noMemory) {
                Threads.pause();
            }
        }
    }

    private int call(Pointer pointer, Token token, PointerByReference json) {
        return function.call(pointer, request, token.options, json);
    }

    private T read(Answer answer, Token token, boolean interrupted) {
        try {
            return answer.read(read, query, isOrder);
        } catch (CancelledException | CancelledInFlightException error) {
            // What the program did, as Java says it.
            if (error.getCause() == null && (interrupted || token.isInterrupted())) {
                error.initCause(new InterruptedException("the call's thread was interrupted"));
            } else if (error.getCause() == null && token.isCancelled()) {
                error.initCause(new CancellationException("the program cancelled the call"));
            }
            throw error;
        }
    }
}

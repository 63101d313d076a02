package org.payorder;

import com.sun.jna.Pointer;
import com.sun.jna.ptr.PointerByReference;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;

/** One call of a client, which can block its thread or go through the library's queue. */
final class ClientCall<T> {
    private final ClientHandle client;
    private final byte[] operation;
    private final ClientFunction function;
    private final byte[] request;
    private final Function<String, T> read;
    private final Supplier<StatusQuery> query;

    /** The function of the operation's name. */
    interface ClientFunction {
        int call(Pointer client, byte[] request, byte[] options, PointerByReference json);
    }

    ClientCall(
            ClientHandle client,
            String operation,
            ClientFunction function,
            byte[] request,
            Function<String, T> read,
            Supplier<StatusQuery> query) {
        this.client = client;
        this.operation = Utf8.bytes(operation, "operation");
        this.function = function;
        this.request = request;
        this.read = read;
        this.query = query;
    }

    /** Makes the call. A virtual thread waits for its answer without its carrier. */
    T now(Options<?> options) {
        if (Threads.isVirtual() && !Thread.currentThread().isInterrupted()) {
            return inQueue(options);
        }
        return Calls.now(
                options,
                json ->
                        Calls.ofClient(
                                out -> function.call(client.pointer(), request, json, out),
                                read,
                                query));
    }

    private T inQueue(Options<?> options) {
        try {
            return later(Runnable::run, options).await();
        } catch (PayorderException error) {
            // Shows who made the call.
            error.fillInStackTrace();
            throw error;
        }
    }

    /** Starts the call. The executor completes the future, and so runs what follows it. */
    PaymentFuture<T> later(Executor chosen, Options<?> options) {
        Executor executor = chosen == null ? Threads.RESULTS : chosen;
        Token token = new Token();
        PaymentFuture<T> future = new PaymentFuture<>(token);
        client.started.start(
                operation,
                request,
                token.options(options),
                answer -> {
                    Runnable completion = () -> future.run(() -> read(answer, token));
                    try {
                        executor.execute(completion);
                    } catch (RuntimeException | Error refused) {
                        // The result must not be lost.
                        completion.run();
                    }
                });
        return future;
    }

    private T read(Answer answer, Token token) {
        try {
            return answer.read(read, query);
        } catch (PayorderException error) {
            throw Calls.explained(error, token.isInterrupted(), token.isCancelled());
        }
    }
}

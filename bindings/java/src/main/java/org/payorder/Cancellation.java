package org.payorder;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.payorder.Constants.Causes;

/**
 * Cancels the calls that have it in their options, from another thread, and no others. Several
 * calls may share one. It stays cancelled: later calls with it end at once.
 */
public final class Cancellation implements AutoCloseable {
    private final Token token = new Token();
    // Tokens of calls whose futures can be cancelled one by one.
    private final Set<Token> linked = ConcurrentHashMap.newKeySet();
    private volatile boolean cancelled;
    private volatile boolean closed;

    /** Whether {@link #cancel} was called. */
    public boolean isCancelled() {
        return cancelled;
    }

    /**
     * Ends its calls within 100 ms. They throw {@link CancelledException} if nothing was sent,
     * otherwise {@link CancelledInFlightException}.
     *
     * @throws InvalidHandleException if it is closed
     */
    public void cancel() {
        int result = token.cancel();
        if (result != 0) {
            throw ErrorFields.closed(result, Causes.CANCELLATION_FREED);
        }
        cancelled = true;
        linked.forEach(Token::cancel);
    }

    /** Frees it. Calls in flight continue, and can no longer be cancelled with it. */
    @Override
    public void close() {
        closed = true;
        linked.clear();
        token.free();
    }

    String text() {
        return token.text;
    }

    /** Cancels a token together with this one. Returns the text for the call. */
    String link(Token other) {
        if (closed) {
            // The library refuses the call.
            return token.text;
        }
        linked.add(other);
        if (cancelled) {
            other.cancel();
        }
        return other.text;
    }

    void unlink(Token other) {
        linked.remove(other);
    }
}

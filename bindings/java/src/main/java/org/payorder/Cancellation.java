package org.payorder;

import java.util.HashSet;
import java.util.Set;
import org.payorder.Constants.Causes;

/**
 * Cancels the calls that have it in their options, from another thread, and no others. Several
 * calls may share one. It stays cancelled: later calls with it end at once.
 */
public final class Cancellation implements AutoCloseable {
    private final Set<Token> calls = new HashSet<>();
    private boolean cancelled;
    private boolean closed;

    /** Whether {@link #cancel} was called. */
    public synchronized boolean isCancelled() {
        return cancelled;
    }

    /**
     * Ends its calls within 100 ms. They throw {@link CancelledException} if nothing was sent,
     * otherwise {@link CancelledInFlightException}.
     *
     * @throws InvalidHandleException if it is closed
     */
    public synchronized void cancel() {
        if (closed) {
            throw ErrorFields.closed(Result.INVALID_HANDLE.getNumber(), Causes.CANCELLATION_FREED);
        }
        cancelled = true;
        calls.forEach(Token::cancel);
    }

    /** Calls in flight continue, and can no longer be cancelled with it. */
    @Override
    public synchronized void close() {
        closed = true;
        calls.clear();
    }

    synchronized void add(Token call) {
        if (closed) {
            // Without its token, the library refuses the call.
            call.free();
            return;
        }
        calls.add(call);
        if (cancelled) {
            call.cancel();
        }
    }

    synchronized void remove(Token call) {
        calls.remove(call);
    }
}

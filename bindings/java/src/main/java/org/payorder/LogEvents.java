package org.payorder;

import com.sun.jna.Pointer;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Log events of all clients. The library may call back after a client was freed, so there is one
 * callback that lives as long as the program, and finds the handler by the client, whose
 * handle is never used again.
 */
final class LogEvents {
    static final Functions.LogFunction CALLBACK = LogEvents::take;

    /** A handler may refer to its client, so both must become garbage together. */
    private static final Map<Pointer, Reference<ClientHandle>> CLIENTS = new ConcurrentHashMap<>();

    /** The call that blocks a thread, on which its events then come. */
    private static final ThreadLocal<Token> BLOCKING = new ThreadLocal<>();

    private LogEvents() {}

    /** Names the call that blocks this thread, or null for none, and returns that before it. */
    static Token block(Token call) {
        Token before = BLOCKING.get();
        if (call == null) {
            BLOCKING.remove();
        } else {
            BLOCKING.set(call);
        }
        return before;
    }

    static void add(Pointer client, ClientHandle handle) {
        CLIENTS.put(client, new WeakReference<>(handle));
    }

    static void remove(Pointer client) {
        CLIENTS.remove(client);
    }

    private static void take(Pointer event, Pointer client) {
        try {
            Reference<ClientHandle> reference = CLIENTS.get(client);
            ClientHandle handle = reference == null ? null : reference.get();
            Consumer<LogEvent> handler = handle == null ? null : handle.log;
            if (handler != null) {
                handler.accept(new LogEvent(JsonValue.parse(Utf8.text(event))));
            }
        } catch (Throwable error) {
            // It must not go through the library, and must not hide the outcome of an order.
            report(error);
        }
        Token call = BLOCKING.get();
        if (call != null && Thread.currentThread().isInterrupted()) {
            // Before the library asks the idle function, which it does when it has to wait.
            call.interrupt();
        }
    }

    private static void report(Throwable error) {
        try {
            Logger.getLogger("org.payorder").log(Level.WARNING, "a log handler failed", error);
        } catch (Throwable failed) {
            // A handler of the program's logger failed too.
        }
    }
}

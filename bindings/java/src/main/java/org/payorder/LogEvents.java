package org.payorder;

import com.sun.jna.Pointer;
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

    private static final Map<Pointer, Consumer<LogEvent>> HANDLERS = new ConcurrentHashMap<>();

    private LogEvents() {}

    static void set(Pointer client, Consumer<LogEvent> handler) {
        if (handler == null) {
            HANDLERS.remove(client);
        } else {
            HANDLERS.put(client, handler);
        }
    }

    private static void take(Pointer event, Pointer client) {
        try {
            Consumer<LogEvent> handler = HANDLERS.get(client);
            if (handler != null) {
                handler.accept(new LogEvent(JsonValue.parse(Utf8.text(event))));
            }
        } catch (Throwable error) {
            // It must not go through the library, and must not hide the outcome of an order.
            Logger.getLogger("org.payorder").log(Level.WARNING, "a log handler failed", error);
        }
    }
}

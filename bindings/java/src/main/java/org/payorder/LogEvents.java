package org.payorder;

import com.sun.jna.Pointer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Log events of all clients. The library may call back after a client was freed, so there is one
 * callback that lives as long as the program, and finds the handler by a number.
 */
final class LogEvents {
    static final Functions.LogFunction CALLBACK = LogEvents::take;

    private static final Map<Long, Consumer<LogEvent>> HANDLERS = new ConcurrentHashMap<>();
    private static final AtomicLong KEYS = new AtomicLong();

    private LogEvents() {}

    static long newKey() {
        return KEYS.incrementAndGet();
    }

    static void set(long key, Consumer<LogEvent> handler) {
        if (handler == null) {
            HANDLERS.remove(key);
        } else {
            HANDLERS.put(key, handler);
        }
    }

    private static void take(Pointer event, Pointer key) {
        try {
            Consumer<LogEvent> handler = HANDLERS.get(Pointer.nativeValue(key));
            if (handler != null) {
                handler.accept(new LogEvent(JsonValue.parse(Utf8.text(event))));
            }
        } catch (Throwable error) {
            // It must not go through the library, and must not hide the outcome of an order.
            Logger.getLogger("org.payorder").log(Level.WARNING, "a log handler failed", error);
        }
    }
}

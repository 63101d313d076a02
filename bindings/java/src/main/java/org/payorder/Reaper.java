package org.payorder;

import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Frees what an object holds in the library: when it is closed, or when it is garbage. */
final class Reaper extends PhantomReference<Object> {
    private static final ReferenceQueue<Object> GARBAGE = new ReferenceQueue<>();
    private static final Set<Reaper> LIVE = ConcurrentHashMap.newKeySet();

    static {
        Thread thread = new Thread(Reaper::reap, "payorder garbage");
        thread.setDaemon(true);
        thread.start();
    }

    private final Runnable free;

    /**
     * Watches an object.
     *
     * @param free frees what it holds, and does not refer to it
     */
    Reaper(Object owner, Runnable free) {
        super(owner, GARBAGE);
        this.free = free;
        LIVE.add(this);
    }

    /** Frees it, the first time. */
    void run() {
        if (LIVE.remove(this)) {
            free.run();
        }
    }

    private static void reap() {
        for (; ; ) {
            try {
                ((Reaper) GARBAGE.remove()).run();
            } catch (InterruptedException ignored) {
                // Nobody else knows this thread.
            }
        }
    }
}

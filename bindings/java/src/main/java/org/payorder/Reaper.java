package org.payorder;

import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.util.HashSet;
import java.util.Set;

/** Frees what an object holds in the library: when it is closed, or when it is garbage. */
final class Reaper extends PhantomReference<Object> {
    private static final ReferenceQueue<Object> GARBAGE = new ReferenceQueue<>();
    private static final Set<Reaper> LIVE = new HashSet<>();

    /** Runs while there are live ones. */
    private static Thread thread;

    private final Runnable free;

    /**
     * Watches an object.
     *
     * @param free frees what it holds, and does not refer to it
     */
    Reaper(Object owner, Runnable free) {
        super(owner, GARBAGE);
        this.free = free;
        synchronized (LIVE) {
            if (thread == null) {
                thread = Threads.start(Reaper::reap, "payorder garbage", true);
            }
            LIVE.add(this);
        }
    }

    /** Frees it, the first time. */
    void run() {
        synchronized (LIVE) {
            if (!LIVE.remove(this)) {
                return;
            }
            if (LIVE.isEmpty()) {
                thread.interrupt();
                thread = null;
            }
        }
        free.run();
    }

    private static void reap() {
        try {
            for (; ; ) {
                Reaper garbage = (Reaper) GARBAGE.remove();
                try {
                    garbage.run();
                } catch (RuntimeException | Error failure) {
                    // The others must still be freed.
                }
            }
        } catch (InterruptedException noneIsLive) {
            // Later ones get a new thread.
        }
    }
}

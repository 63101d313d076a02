package org.payorder;

import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/** Frees what an object holds in the library: when it is closed, or when it is garbage. */
final class Reaper extends PhantomReference<Object> {
    private static final ReferenceQueue<Object> GARBAGE = new ReferenceQueue<>();
    private static final Set<Reaper> LIVE = new HashSet<>();

    /** Runs while there are live ones. */
    private static Thread thread;

    private final Runnable free;
    private final AtomicBoolean isFreed = new AtomicBoolean();

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

    /** Frees it, the first time; without memory, when its owner is garbage. */
    void run() {
        if (!isFreed.compareAndSet(false, true)) {
            return;
        }
        try {
            free.run();
        } catch (RuntimeException | Error noMemory) {
            isFreed.set(false);
            return;
        }
        synchronized (LIVE) {
            LIVE.remove(this);
            if (LIVE.isEmpty()) {
                thread.interrupt();
                thread = null;
            }
        }
    }

    private static void reap() {
        try {
            for (; ; ) {
                ((Reaper) GARBAGE.remove()).run();
            }
        } catch (InterruptedException noneIsLive) {
            // Later ones get a new thread.
        }
    }
}

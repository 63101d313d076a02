package org.payorder;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.security.AccessController;
import java.security.PrivilegedAction;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The threads of the package. What came after Java 8 is looked up. */
final class Threads {
    private static final Method IS_VIRTUAL = isVirtualOf21();
    private static final Constructor<Thread> WITHOUT_LOCALS = constructorOf9();

    /** Completes futures, and runs what follows them, also if that blocks. */
    static final Executor RESULTS =
            new ThreadPoolExecutor(
                    0,
                    Integer.MAX_VALUE,
                    1,
                    TimeUnit.SECONDS,
                    new SynchronousQueue<>(),
                    work -> make(work, "payorder results", true));

    static {
        // Its class is loaded now: there may be no memory later.
        LockSupport.parkNanos(1);
    }

    private Threads() {}

    /** Until there may be memory again. */
    static void pause() {
        try {
            LockSupport.parkNanos(100_000_000);
        } catch (Error noMemory) {
            // A virtual thread needs some for it.
        }
    }

    /** Whether this is a virtual thread. A call that blocks it would hold its carrier. */
    static boolean isVirtual() {
        try {
            return IS_VIRTUAL != null && (boolean) IS_VIRTUAL.invoke(Thread.currentThread());
        } catch (ReflectiveOperationException unexpected) {
            throw new IllegalStateException(unexpected);
        }
    }

    /** Throws what another thread or a callback has thrown, also a checked exception of Kotlin. */
    @SuppressWarnings("unchecked")
    static <E extends Throwable> E raised(Throwable error) throws E {
        throw (E) error;
    }

    static Thread start(Runnable work, String name, boolean daemon) {
        Thread thread = make(work, name, daemon);
        thread.start();
        return thread;
    }

    /**
     * A thread that keeps nothing of the one that makes it: while it runs, a web application that
     * was stopped can be garbage.
     */
    private static Thread make(Runnable work, String name, boolean daemon) {
        // Privileged, because before Java 24 a thread inherits the classes on the stack.
        Thread thread =
                AccessController.doPrivileged((PrivilegedAction<Thread>) () -> bare(work, name));
        thread.setContextClassLoader(ClassLoader.getSystemClassLoader());
        thread.setDaemon(daemon);
        return thread;
    }

    private static Thread bare(Runnable work, String name) {
        try {
            return WITHOUT_LOCALS == null
                    ? new Thread(work, name)
                    : WITHOUT_LOCALS.newInstance(null, work, name, 0L, false);
        } catch (ReflectiveOperationException unexpected) {
            throw new IllegalStateException(unexpected);
        }
    }

    private static Method isVirtualOf21() {
        try {
            return Thread.class.getMethod("isVirtual");
        } catch (NoSuchMethodException older) {
            return null;
        }
    }

    private static Constructor<Thread> constructorOf9() {
        try {
            return Thread.class.getConstructor(
                    ThreadGroup.class, Runnable.class, String.class, long.class, boolean.class);
        } catch (NoSuchMethodException older) {
            return null;
        }
    }
}

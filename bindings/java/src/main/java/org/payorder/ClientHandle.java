package org.payorder;

import static org.payorder.LibraryFinder.library;

import com.sun.jna.Pointer;
import com.sun.jna.ptr.IntByReference;
import com.sun.jna.ptr.PointerByReference;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;

/**
 * The library's handle of a client, and its calls in the library's queue. One thread takes their
 * answers, while there are such calls.
 */
final class ClientHandle {
    /**
     * How long the thread waits for an answer before it looks whether one can come. Then the library
     * closes connections that were idle for too long: for longer than 2000 ms by default.
     */
    private static final int WAIT_MS = 2100;

    /** No client: the library refuses it, as it refuses one that was freed. */
    private static final Pointer CLOSED = new Pointer(-1);

    /** Completes the futures. */
    final Executor executor;

    /** Gets its log events; or null. */
    volatile Consumer<LogEvent> log;

    private final Pointer client;
    private final Reaper reaper;
    private final Map<Long, Consumer<Answer>> outstanding = new HashMap<>();
    private long lastId;

    /** How many calls block a thread. The log handler gets their events until they end. */
    private int blocking;

    private boolean isTaking;
    private boolean isClosed;

    // Of the thread that takes: an answer that its receiver does not have yet.
    private final IntByReference taken = new IntByReference();
    private final IntByReference result = new IntByReference();
    private final PointerByReference json = new PointerByReference();
    private final PointerByReference id = new PointerByReference();
    private Answer answer;
    private Consumer<Answer> receiver;

    /** A function of the library that makes a client. */
    interface Maker {
        int make(byte[] config, PointerByReference client, PointerByReference json);
    }

    ClientHandle(String config, Maker maker, Executor executor) {
        byte[] bytes = Utf8.bytes(config, "config");
        PointerByReference made = new PointerByReference();
        Answer.of(json -> maker.make(bytes, made, json)).read();
        Pointer pointer = made.getValue();
        client = pointer;
        reaper =
                new Reaper(
                        this,
                        () -> {
                            LogEvents.remove(pointer);
                            library().payorder_client_free(pointer);
                        });
        LogEvents.add(pointer, this);
        this.executor = executor == null ? Threads.RESULTS : executor;
    }

    /** Calls a function of the library with the client, which does not become garbage meanwhile. */
    int with(ToIntFunction<Pointer> function) {
        Pointer pointer = beginBlocking();
        try {
            return function.applyAsInt(pointer);
        } finally {
            endBlocking();
        }
    }

    /** The client; after {@link #close}, what the library refuses. */
    private synchronized Pointer pointer() {
        return isClosed ? CLOSED : client;
    }

    private synchronized Pointer beginBlocking() {
        blocking++;
        return pointer();
    }

    private synchronized void endBlocking() {
        blocking--;
        freeIfClosed();
    }

    /**
     * Starts a call.
     *
     * @param receiver gets the answer, here if the call was refused, otherwise in the thread that
     *     takes; it does not block
     */
    void start(String operation, byte[] request, byte[] options, Consumer<Answer> receiver) {
        byte[] name = Utf8.bytes(operation, "operation");
        PointerByReference json = new PointerByReference();
        long id = add(receiver);
        int refused;
        try {
            Pointer data = new Pointer(id);
            refused = library().payorder_start(pointer(), name, request, options, null, data, json);
        } catch (RuntimeException | Error notStarted) {
            end(id);
            throw notStarted;
        }
        if (refused != 0) {
            end(id).accept(Answer.take(refused, json.getValue()));
        }
    }

    /** Refuses later calls. Those before end on their own; then the client is freed. */
    synchronized void close() {
        isClosed = true;
        freeIfClosed();
    }

    private synchronized long add(Consumer<Answer> receiver) {
        // First: without a thread, nothing may be sent.
        beginTaking();
        outstanding.put(++lastId, receiver);
        return lastId;
    }

    private synchronized void beginTaking() {
        if (!isTaking) {
            Threads.start(this::takeAll, "payorder answers", true);
            isTaking = true;
        }
    }

    private synchronized Consumer<Answer> receiver(Pointer id) {
        return outstanding.get(Pointer.nativeValue(id));
    }

    /** The receiver of a call. Nothing is lost any more if the client is freed. */
    private synchronized Consumer<Answer> end(long id) {
        Consumer<Answer> receiver = outstanding.remove(id);
        freeIfClosed();
        return receiver;
    }

    private void freeIfClosed() {
        if (isClosed && outstanding.isEmpty() && blocking == 0) {
            reaper.run();
        }
    }

    private void takeAll() {
        try {
            do {
                while (takesAnother()) {
                    // Until no answer can come.
                }
            } while (!endTaking());
        } catch (Throwable error) {
            // The thread of the next call takes the answers of all.
            stopTaking();
        }
    }

    private boolean takesAnother() {
        try {
            boolean isTaken = takeOne();
            // Lingers after the last answer, for the next call.
            return isTaken || isOutstanding();
        } catch (Throwable error) {
            // As without memory. The next round goes on with the same answer.
            Threads.pause();
            return true;
        }
    }

    /** Gives an answer to its receiver, also after an error in between. Whether there was one. */
    private boolean takeOne() {
        if (taken.getValue() == 0) {
            answer = null;
            library().payorder_take_done(client, WAIT_MS, taken, result, json, id);
        }
        if (taken.getValue() == 0) {
            library().payorder_string_free(json.getValue());
            return false;
        }
        if (answer == null) {
            answer = Answer.take(result.getValue(), json.getValue());
        }
        if (receiver == null) {
            receiver = receiver(id.getValue());
        }
        // It is null if it has the answer.
        if (receiver != null) {
            end(Pointer.nativeValue(id.getValue()));
            receiver.accept(answer);
        }
        receiver = null;
        taken.setValue(0);
        return true;
    }

    private synchronized boolean isOutstanding() {
        return !outstanding.isEmpty();
    }

    /** False if a call was started meanwhile. Then this thread goes on. */
    private synchronized boolean endTaking() {
        isTaking = isOutstanding();
        return !isTaking;
    }

    private synchronized void stopTaking() {
        isTaking = false;
    }
}

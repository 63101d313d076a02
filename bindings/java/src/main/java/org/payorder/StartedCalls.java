package org.payorder;

import static org.payorder.LibraryFinder.library;

import com.sun.jna.Pointer;
import com.sun.jna.ptr.IntByReference;
import com.sun.jna.ptr.PointerByReference;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The calls of a client that are in the library's queue. One thread takes their answers, while
 * there are such calls.
 */
final class StartedCalls {
    /** How long the thread waits for an answer before it looks whether one can come. */
    private static final int WAIT_MS = 1000;

    /** No client: the library refuses it, as it refuses one that was freed. */
    private static final Pointer CLOSED = new Pointer(-1);

    private final Pointer client;
    private final Map<Long, Consumer<Answer>> outstanding = new HashMap<>();
    private long lastId;
    private boolean isTaking;

    /** Frees the client, once nothing is outstanding; null if it was not closed. */
    private Runnable free;

    StartedCalls(Pointer client) {
        this.client = client;
    }

    /** The client; after {@link #close}, what the library refuses. */
    synchronized Pointer client() {
        return free == null ? client : CLOSED;
    }

    /**
     * Starts a call.
     *
     * @param receiver gets the answer, here if the call was refused, otherwise in the thread that
     *     takes; it does not block
     */
    void start(byte[] operation, byte[] request, byte[] options, Consumer<Answer> receiver) {
        long id = add(receiver);
        PointerByReference json = new PointerByReference();
        int refused =
                library()
                        .payorder_start(
                                client(), operation, request, options, null, new Pointer(id), json);
        if (refused != 0) {
            end(id).accept(Answer.take(refused, json.getValue()));
        }
    }

    /** Refuses later calls. Those that were started end on their own; then the client is freed. */
    synchronized void close(Runnable free) {
        this.free = free;
        freeIfClosed();
    }

    private synchronized long add(Consumer<Answer> receiver) {
        if (!isTaking) {
            // First: without a thread, nothing may be sent.
            Threads.start(this::takeAll, "payorder answers", true);
            isTaking = true;
        }
        outstanding.put(++lastId, receiver);
        return lastId;
    }

    /** The receiver of a call. Nothing is lost any more if the client is freed. */
    private synchronized Consumer<Answer> end(long id) {
        Consumer<Answer> receiver = outstanding.remove(id);
        freeIfClosed();
        return receiver;
    }

    private void freeIfClosed() {
        if (free != null && outstanding.isEmpty()) {
            free.run();
        }
    }

    private void takeAll() {
        IntByReference taken = new IntByReference();
        IntByReference result = new IntByReference();
        PointerByReference json = new PointerByReference();
        PointerByReference id = new PointerByReference();
        do {
            library().payorder_take_done(client, WAIT_MS, taken, result, json, id);
            Answer answer = Answer.take(result.getValue(), json.getValue());
            if (taken.getValue() == 1) {
                end(Pointer.nativeValue(id.getValue())).accept(answer);
            }
        } while (goesOn(taken.getValue() == 1));
    }

    /** Lingers after the last answer, for the next call. */
    private synchronized boolean goesOn(boolean taken) {
        isTaking = taken || !outstanding.isEmpty();
        return isTaking;
    }
}

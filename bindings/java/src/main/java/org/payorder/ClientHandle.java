package org.payorder;

import static org.payorder.LibraryFinder.library;

import com.sun.jna.Pointer;
import com.sun.jna.ptr.IntByReference;
import com.sun.jna.ptr.PointerByReference;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * The library's handle of a client, and its calls in the library's queue. One thread takes their
 * answers, while there are such calls.
 */
final class ClientHandle {
    /** How long the thread waits for an answer before it looks whether one can come. */
    private static final int WAIT_MS = 1000;

    /** No client: the library refuses it, as it refuses one that was freed. */
    private static final Pointer CLOSED = new Pointer(-1);

    /** Completes the futures. */
    final Executor executor;

    private final Pointer client;
    private final Reaper reaper;
    private final Map<Long, Consumer<Answer>> outstanding = new HashMap<>();
    private long lastId;
    private boolean isTaking;
    private boolean isClosed;

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
                            LogEvents.set(pointer, null);
                            library().payorder_client_free(pointer);
                        });
        this.executor = executor == null ? Threads.RESULTS : executor;
    }

    /** The client; after {@link #close}, what the library refuses. */
    synchronized Pointer pointer() {
        return isClosed ? CLOSED : client;
    }

    /**
     * Starts a call.
     *
     * @param receiver gets the answer, here if the call was refused, otherwise in the thread that
     *     takes; it does not block
     */
    void start(String operation, byte[] request, byte[] options, Consumer<Answer> receiver) {
        byte[] name = Utf8.bytes(operation, "operation");
        Pointer id = new Pointer(add(receiver));
        PointerByReference json = new PointerByReference();
        int refused =
                library().payorder_start(pointer(), name, request, options, null, id, json);
        if (refused != 0) {
            end(id).accept(Answer.take(refused, json.getValue()));
        }
    }

    /** Refuses later calls. Those that were started end on their own; then the client is freed. */
    synchronized void close() {
        isClosed = true;
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
    private synchronized Consumer<Answer> end(Pointer id) {
        Consumer<Answer> receiver = outstanding.remove(Pointer.nativeValue(id));
        freeIfClosed();
        return receiver;
    }

    private void freeIfClosed() {
        if (isClosed && outstanding.isEmpty()) {
            reaper.run();
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
                end(id.getValue()).accept(answer);
            }
        } while (goesOn(taken.getValue() == 1));
    }

    /** Lingers after the last answer, for the next call. */
    private synchronized boolean goesOn(boolean taken) {
        isTaking = taken || !outstanding.isEmpty();
        return isTaking;
    }
}

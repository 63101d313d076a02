package org.payorder;

import static org.payorder.LibraryFinder.library;

import com.sun.jna.Pointer;
import com.sun.jna.ptr.PointerByReference;

/** The library's handle of a client. */
final class ClientHandle {
    final StartedCalls started;

    /** The number under which the log handler is kept. */
    final long logKey;

    private final Reaper reaper;

    /** A function of the library that makes a client. */
    interface Maker {
        int make(byte[] config, PointerByReference client, PointerByReference json);
    }

    ClientHandle(String config, Maker maker) {
        byte[] bytes = Utf8.bytes(config, "config");
        PointerByReference client = new PointerByReference();
        Calls.ofClient(json -> maker.make(bytes, client, json), text -> text, () -> null);
        Pointer created = client.getValue();
        started = new StartedCalls(created);
        long key = LogEvents.newKey();
        logKey = key;
        reaper =
                new Reaper(
                        this,
                        () -> {
                            LogEvents.set(key, null);
                            library().payorder_client_free(created);
                        });
    }

    /** The handle for a call. The library refuses that of a closed client. */
    Pointer pointer() {
        return started.client();
    }

    void close() {
        started.close(reaper::run);
    }
}

package org.payorder;

import static org.payorder.LibraryFinder.library;

import com.sun.jna.Pointer;
import com.sun.jna.ptr.PointerByReference;

/** The library's handle of a client. */
final class ClientHandle {
    /**
     * The handle, also after it was freed: the library never uses a handle twice, and refuses a
     * freed one. So closing a client need not wait for the calls in flight.
     */
    final Pointer pointer;

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
        pointer = created;
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

    void close() {
        reaper.run();
    }
}

package org.payorder;

import static org.payorder.LibraryFinder.library;

import com.sun.jna.ptr.PointerByReference;

/** A cancellation token of the library. */
final class Token {
    /** For the option "cancellation". */
    final String text;

    private final byte[] bytes;
    private final Reaper reaper;
    private volatile boolean cancelled;

    Token() {
        PointerByReference out = new PointerByReference();
        int result = library().payorder_cancellation_new(out);
        if (result != 0) {
            throw ErrorFields.exception(result, null);
        }
        text = Utf8.text(out.getValue());
        byte[] name = Utf8.bytes(text, "token");
        bytes = name;
        reaper = new Reaper(this, () -> library().payorder_cancellation_free(name));
    }

    boolean isCancelled() {
        return cancelled;
    }

    int cancel() {
        cancelled = true;
        return library().payorder_cancellation_cancel(bytes);
    }

    /** Calls that have it continue, and can no longer be cancelled with it. */
    void free() {
        reaper.run();
    }
}

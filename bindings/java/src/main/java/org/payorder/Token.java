package org.payorder;

import com.sun.jna.Pointer;
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
        int result = LibraryFinder.library().payorder_cancellation_new(out);
        if (result != 0) {
            throw ErrorFields.exception(result, null);
        }
        Pointer token = out.getValue();
        text = Utf8.text(token);
        LibraryFinder.library().payorder_string_free(token);
        byte[] name = Utf8.bytes(text, "token");
        bytes = name;
        reaper = new Reaper(this, () -> LibraryFinder.library().payorder_cancellation_free(name));
    }

    boolean isCancelled() {
        return cancelled;
    }

    int cancel() {
        cancelled = true;
        return LibraryFinder.library().payorder_cancellation_cancel(bytes);
    }

    /** Calls that have it continue, and can no longer be cancelled with it. */
    void free() {
        reaper.run();
    }
}

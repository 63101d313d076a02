package org.payorder;

import static org.payorder.LibraryFinder.library;

import com.sun.jna.ptr.PointerByReference;

/** A cancellation token of the library. */
final class Token {
    /** For the option "cancellation". */
    final String text;

    private final byte[] bytes;
    private final Reaper reaper;
    /** Cancels this token, too; or null. */
    private Cancellation cancellation;

    private volatile boolean cancelled;
    private volatile boolean interrupted;

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

    /** The options of a call that has this token. Their cancellation cancels the call, too. */
    byte[] options(Options<?> options) {
        cancellation = options == null ? null : options.cancellation();
        return Calls.json(options, cancellation == null ? text : cancellation.link(this));
    }

    boolean isCancelled() {
        return cancelled;
    }

    /** Whether it was cancelled because a thread was interrupted. */
    boolean isInterrupted() {
        return interrupted;
    }

    void interrupt() {
        interrupted = true;
        cancel();
    }

    int cancel() {
        cancelled = true;
        return library().payorder_cancellation_cancel(bytes);
    }

    /** Calls that have it continue, and can no longer be cancelled with it. */
    void free() {
        if (cancellation != null) {
            cancellation.unlink(this);
        }
        reaper.run();
    }
}

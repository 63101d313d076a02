package org.payorder;

import static org.payorder.LibraryFinder.library;

import com.sun.jna.ptr.PointerByReference;

/** The library's cancellation token of one call. */
final class Token {
    /** The call's options as JSON text, with the token. */
    final byte[] options;

    private final byte[] name;
    private final Reaper reaper;

    /** Cancels this token, too; or null. */
    private final Cancellation cancellation;

    private volatile boolean cancelled;
    private volatile boolean interrupted;

    Token(Settings<?> settings) {
        JsonWriter json = settings == null ? new JsonWriter() : settings.write();
        PointerByReference out = new PointerByReference();
        int result = library().payorder_cancellation_new(out);
        if (result != 0) {
            throw ErrorFields.exception(result, null);
        }
        String text = Utf8.text(out.getValue());
        byte[] token = Utf8.bytes(text, "token");
        name = token;
        reaper = new Reaper(this, () -> library().payorder_cancellation_free(token));
        options = Utf8.bytes(json.add("cancellation", text).toString(), "options");
        cancellation = settings == null ? null : settings.cancellation;
        if (cancellation != null) {
            cancellation.add(this);
        }
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

    /** That of a call that has ended is freed, which is not an error here. */
    void cancel() {
        cancelled = true;
        library().payorder_cancellation_cancel(name);
    }

    /** Never fails: it follows a result that must not be lost. */
    void free() {
        if (cancellation != null) {
            cancellation.remove(this);
        }
        reaper.run();
    }
}

package org.payorder;

import static org.payorder.LibraryFinder.library;

import com.sun.jna.Pointer;
import com.sun.jna.ptr.PointerByReference;
import java.util.function.Function;

/** How a call ended. Nothing may hide its outcome. */
final class Answer {
    /** Runs on the thread of a call while it waits: an interrupted thread cancels its call. */
    private static final Functions.IdleFunction IDLE =
            userData -> Thread.currentThread().isInterrupted() ? 1 : 0;

    private final int result;
    private final String text;

    /** Why the text could not be copied. */
    private final Throwable failure;

    private Answer(int result, String text, Throwable failure) {
        this.result = result;
        this.text = text;
        this.failure = failure;
    }

    /** A call that writes its answer. */
    interface Invocation {
        int call(PointerByReference json);
    }

    /** Makes a call in this thread. */
    static Answer of(Invocation invocation) {
        library().payorder_set_idle(IDLE, null);
        PointerByReference json = new PointerByReference();
        int result = invocation.call(json);
        return take(result, json.getValue());
    }

    /** Copies the library's text and frees it there, unless it throws. */
    static Answer take(int result, Pointer json) {
        Answer answer;
        try {
            answer = new Answer(result, Utf8.text(json), null);
        } catch (RuntimeException | Error failure) {
            answer = new Answer(result, null, failure);
        }
        try {
            library().payorder_string_free(json);
        } catch (RuntimeException | Error noMemory) {
            // The text stays in memory, which is better than no answer.
        }
        return answer;
    }

    /** The text of a call without the network. */
    String readOffline() {
        if (result != 0) {
            throw new UnusableTextException(new ErrorFields(result, text));
        }
        return text;
    }

    /** The text of a call that asks for no order. */
    String read() {
        return read(answer -> answer, null, false);
    }

    /**
     * Reads it. A result that is not OK becomes an exception; an answer that cannot be read becomes
     * one with the outcome of the call, and with the query.
     *
     * @param isOrder whether the call sends an order; other answers may have the data of a customer
     */
    <T> T read(Function<String, T> read, StatusQuery query, boolean isOrder) {
        Throwable reason = failure;
        if (reason == null) {
            try {
                if (result == 0) {
                    return read.apply(text);
                }
                throw new ErrorFields(result, text).exception(query);
            } catch (PayorderException error) {
                throw error;
            } catch (RuntimeException | Error unreadable) {
                reason = unreadable;
            }
        }
        PayorderException error;
        try {
            error = ErrorFields.unreadable(result, isOrder ? text : null, query, reason);
        } catch (OutOfMemoryError noMemory) {
            // The outcome and the query are worth more than a copy of the text.
            error = ErrorFields.unreadable(result, null, query, reason);
        }
        throw error;
    }
}

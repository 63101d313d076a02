package org.payorder;

import static org.payorder.LibraryFinder.library;

import com.sun.jna.Pointer;
import java.util.function.Function;
import java.util.function.Supplier;

/** How a call of a client ended. Nothing may hide its outcome. */
final class Answer {
    private final int result;
    private final String text;

    /** Why the text could not be copied. */
    private final Throwable failure;

    private Answer(int result, String text, Throwable failure) {
        this.result = result;
        this.text = text;
        this.failure = failure;
    }

    /** Copies the library's text and frees it there. */
    static Answer take(int result, Pointer json) {
        try {
            return new Answer(result, Utf8.text(json), null);
        } catch (RuntimeException | Error failure) {
            return new Answer(result, null, failure);
        } finally {
            library().payorder_string_free(json);
        }
    }

    /** The text of a call without the network. */
    String readOffline() {
        if (result != 0) {
            throw new UnusableTextException(new ErrorFields(result, text, null));
        }
        return text;
    }

    /**
     * Reads it. A result that is not OK becomes an exception; an answer that cannot be read becomes
     * one with the outcome of the call, and with the query.
     */
    <T> T read(Function<String, T> read, Supplier<StatusQuery> query) {
        Throwable reason = failure;
        if (reason == null) {
            try {
                if (result == 0) {
                    return read.apply(text);
                }
                throw ErrorFields.exception(result, text);
            } catch (PayorderException error) {
                throw error;
            } catch (RuntimeException | Error unreadable) {
                reason = unreadable;
            }
        }
        throw ErrorFields.unreadable(result, text, query.get(), reason);
    }
}

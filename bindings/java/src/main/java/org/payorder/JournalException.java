package org.payorder;

/** The journal cannot be used, so nothing was sent. */
public final class JournalException extends NotSentException {
    private static final long serialVersionUID = 1;

    JournalException(ErrorFields error) {
        super(error);
    }
}

package org.payorder;

import org.jspecify.annotations.Nullable;

/** Settings of {@link Journal#list}. */
public final class ListOptions extends ListOptionsKeys {
    /** Only entries in this state; default all. */
    public ListOptions state(JournalEntry.@Nullable State value) {
        return set("state", value);
    }

    /** Only entries that are being sent or whose order may exist. */
    public ListOptions unresolved() {
        return set("state", "unresolved");
    }

    /** Only unresolved entries, and those of orders that are not completed. */
    public ListOptions open() {
        return set("state", "open");
    }

    /** With which another thread can end the call, if the journal is locked. */
    public ListOptions cancellation(@Nullable Cancellation value) {
        cancellation = value;
        return this;
    }
}

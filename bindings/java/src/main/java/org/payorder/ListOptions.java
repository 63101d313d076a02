package org.payorder;

/** Settings of {@link Journal#list}. */
public final class ListOptions extends Settings<ListOptions> {
    /** Only entries in this state; default all. */
    public ListOptions state(JournalEntry.State value) {
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

    /** Only entries of the order with this identifier. */
    public ListOptions orderId(String value) {
        return set("orderId", value);
    }

    /** Whether each entry's JSON also has what happened to it, in "events"; default false. */
    public ListOptions events(Boolean value) {
        return set("events", value);
    }

    /** Only entries after the one with this number, to page on. */
    public ListOptions after(Long value) {
        return set("after", value);
    }

    /** The most entries: 1 to 10000, default 1000. */
    public ListOptions limit(Integer value) {
        return set("limit", value);
    }

    /** With which another thread can end the call, if the journal is locked. */
    public ListOptions cancellation(Cancellation value) {
        return set("cancellation", value);
    }
}

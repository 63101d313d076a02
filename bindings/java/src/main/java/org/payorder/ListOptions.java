package org.payorder;

import java.util.Locale;

/** Settings of {@link Journal#list}. */
public final class ListOptions {
    private String state;
    private String orderId;
    private Boolean events;
    private Long after;
    private Integer limit;
    private Cancellation cancellation;

    /** Only entries in this state; default all. */
    public ListOptions state(JournalEntry.State value) {
        state = value == null ? null : value.name().toLowerCase(Locale.ROOT);
        return this;
    }

    /** Only entries that are being sent or whose order may exist. */
    public ListOptions unresolved() {
        state = "unresolved";
        return this;
    }

    /** Only unresolved entries, and those of orders that are not completed. */
    public ListOptions open() {
        state = "open";
        return this;
    }

    /** Only entries of the order with this identifier. */
    public ListOptions orderId(String value) {
        orderId = value;
        return this;
    }

    /** Whether each entry's JSON also has what happened to it, in "events"; default false. */
    public ListOptions events(Boolean value) {
        events = value;
        return this;
    }

    /** Only entries after the one with this number, to page on. */
    public ListOptions after(Long value) {
        after = value;
        return this;
    }

    /** The most entries: 1 to 10000, default 1000. */
    public ListOptions limit(Integer value) {
        limit = value;
        return this;
    }

    /** With which another thread can end the call, if the journal is locked. */
    public ListOptions cancellation(Cancellation value) {
        cancellation = value;
        return this;
    }

    JsonWriter write() {
        return new JsonWriter()
                .add("state", state)
                .add("orderId", orderId)
                .add("events", events)
                .add("after", after)
                .add("limit", limit)
                .add("cancellation", cancellation == null ? null : cancellation.text());
    }
}

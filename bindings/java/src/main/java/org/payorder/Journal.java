package org.payorder;

import static org.payorder.LibraryFinder.library;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The record of each order that a client sends. What is null has its default. */
public class Journal {
    private final ClientHandle handle;

    /** For tests without a service: a subclass overrides what the program calls. */
    protected Journal() {
        this(null);
    }

    Journal(ClientHandle handle) {
        this.handle = handle;
    }

    /** The first 1000 entries, oldest first. */
    public List<JournalEntry> list() {
        return list(new ListOptions());
    }

    /** The entries, oldest first. */
    public List<JournalEntry> list(@Nullable ListOptions options) {
        Function<String, List<JournalEntry>> read =
                text -> JsonValue.parse(text).listOf("entries", JournalEntry::new);
        return new Call<>(handle, null, library()::payorder_journal_list, read).now(options);
    }

    /**
     * Asks for the status of every order that is unresolved, or created and not Completed, and
     * records the statuses. An order that the service does not know stays as it is.
     */
    public Resolved resolve(@Nullable BatchOptions options) {
        return resolveCall().now(options);
    }

    /** Starts it. */
    public PaymentFuture<Resolved> resolveAsync(@Nullable BatchOptions options) {
        return resolveCall().later(options);
    }

    /**
     * Closes an entry because a person decided so.
     *
     * @param note why; at most 200 characters, no personal data
     */
    public JournalEntry settle(long entry, @Nullable String note) {
        return settle(entry, note, null);
    }

    /** The same; a cancellation ends it if another process has the journal locked. */
    public JournalEntry settle(
            long entry, @Nullable String note, @Nullable Cancellation cancellation) {
        CallOptions options = new CallOptions().cancellation(cancellation);
        options.set("entry", entry).set("note", note);
        return new Call<>(
                        handle, null, library()::payorder_journal_settle, JournalEntry::fromJson)
                .now(options);
    }

    /**
     * Removes closed entries. Returns how many.
     *
     * @param olderThanDays only older ones: 1 to 3650, default 90
     */
    public int prune(@Nullable Integer olderThanDays) {
        return prune(olderThanDays, null);
    }

    /** The same; a cancellation ends it if another process has the journal locked. */
    public int prune(@Nullable Integer olderThanDays, @Nullable Cancellation cancellation) {
        CallOptions options = new CallOptions().cancellation(cancellation);
        options.set("olderThanDays", olderThanDays);
        Function<String, Integer> read = text -> JsonValue.parse(text).countOf("removed");
        return new Call<>(handle, null, library()::payorder_journal_prune, read).now(options);
    }

    private Call<Resolved> resolveCall() {
        return new Call<>(
                handle, "journal_resolve", library()::payorder_journal_resolve, Resolved::fromJson);
    }
}

package org.payorder;

import static org.payorder.LibraryFinder.library;

import com.sun.jna.Pointer;
import com.sun.jna.ptr.PointerByReference;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Function;

/** The record of each order that a client sends. What is null has its default. */
public class Journal {
    private final ClientHandle handle;
    private final Executor executor;

    /** For tests without a service: a subclass overrides what the program calls. */
    protected Journal() {
        this(null, null);
    }

    Journal(ClientHandle handle, Executor executor) {
        this.handle = handle;
        this.executor = executor;
    }

    /** The first 1000 entries, oldest first. */
    public List<JournalEntry> list() {
        return list(new ListOptions());
    }

    /** The entries, oldest first. */
    public List<JournalEntry> list(@Nullable ListOptions options) {
        return call(
                library()::payorder_journal_list,
                options == null ? new JsonWriter() : options.write(),
                text -> JsonValue.parse(text).listOf("entries", JournalEntry::new));
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
        return resolveCall().later(executor, options);
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
        JsonWriter options =
                new JsonWriter()
                        .add("entry", entry)
                        .add("note", note)
                        .add("cancellation", cancellation);
        return call(
                library()::payorder_journal_settle,
                options,
                text -> new JournalEntry(JsonValue.parse(text)));
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
        return call(
                library()::payorder_journal_prune,
                new JsonWriter()
                        .add("olderThanDays", olderThanDays)
                        .add("cancellation", cancellation),
                text -> JsonValue.parse(text).countOf("removed"));
    }

    private ClientCall<Resolved> resolveCall() {
        return new ClientCall<>(
                handle,
                "journal_resolve",
                (client, none, options, json) ->
                        library().payorder_journal_resolve(client, options, json),
                null,
                Resolved::fromJson,
                () -> null);
    }

    /** A function of the library that takes a client and options. */
    private interface JournalFunction {
        int call(Pointer client, byte[] options, PointerByReference json);
    }

    private <T> T call(JournalFunction function, JsonWriter options, Function<String, T> read) {
        byte[] bytes = Utf8.bytes(options.toString(), "options");
        return Calls.ofClient(
                json -> function.call(handle.pointer(), bytes, json), read, () -> null);
    }
}

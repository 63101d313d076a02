package org.payorder;

import java.util.List;

/** The result of {@link Journal#resolve}. */
public final class Resolved extends ResolvedKeys {
    private final Summary summary;
    private final List<JournalEntry> entries;

    Resolved(String raw) {
        super(JsonValue.parse(raw));
        summary = Summary.of(json);
        entries = JournalEntry.listOf(json);
    }

    /**
     * For tests without a service: from {@code entries}, and perhaps {@code summary}.
     *
     * @throws IllegalArgumentException if it cannot be read
     */
    public static Resolved fromJson(String json) {
        return new Resolved(json);
    }

    @Override
    public String toString() {
        return "Resolved{entries=" + entries + "}";
    }

    public Summary getSummary() {
        return summary;
    }

    /** The entries that are still unresolved. */
    public List<JournalEntry> getEntries() {
        return entries;
    }
}

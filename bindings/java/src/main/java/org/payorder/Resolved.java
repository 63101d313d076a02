package org.payorder;

import java.util.List;

/** The result of {@link Journal#resolve}. */
public final class Resolved {
    private final Summary summary;
    private final List<JournalEntry> entries;

    Resolved(String raw) {
        JsonValue json = JsonValue.parse(raw);
        summary = new Summary(json.get("summary"));
        entries = JournalEntry.listOf(json);
    }

    public Summary getSummary() {
        return summary;
    }

    /** The entries that are still unresolved. */
    public List<JournalEntry> getEntries() {
        return entries;
    }
}

package org.payorder;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** One sending of one order. What is not known is null. */
public final class JournalEntry extends JournalEntryKeys {
    JournalEntry(JsonValue json) {
        super(json);
    }

    /** For tests without a service: from the keys of {@link #getRaw} that the test needs. */
    public static JournalEntry fromJson(String json) {
        return new JournalEntry(JsonValue.parse(json));
    }

    static List<JournalEntry> listOf(JsonValue json) {
        List<JournalEntry> entries = new ArrayList<>();
        for (JsonValue one : json.itemsOf("entries")) {
            entries.add(new JournalEntry(one));
        }
        return Collections.unmodifiableList(entries);
    }

    /** What is known about the order. */
    public State getState() {
        return json.nameOf("state", State.class);
    }

    /** What is known about the order of an entry. */
    public enum State {
        /** a process is sending it */
        SENDING,
        /** the service has it */
        CREATED,
        /** the service refused it */
        REJECTED,
        /** nothing was sent */
        NOT_SENT,
        /** it may exist */
        UNKNOWN,
        /** a person closed it */
        SETTLED,
        /** a state that this version of the package does not know */
        UNRECOGNISED
    }

    /** What to give to getStatus. */
    public StatusQuery getStatusQuery() {
        return StatusQuery.byOrder(getOrderId());
    }
}

package org.payorder;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** One sending of one order. What is not known is null. */
public final class JournalEntry {
    private final JsonValue json;

    JournalEntry(JsonValue json) {
        this.json = json;
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

    /** Its number; later entries have higher ones. */
    public long getEntry() {
        return json.numberOf("entry");
    }

    /** Your identifier of the order. */
    public String getOrderId() {
        return json.textOf("orderId");
    }

    /** Your identifier of the transaction. */
    public String getMerchantTxnId() {
        return json.textOf("merchantTxnId");
    }

    /** The amount that was sent. */
    public String getAmount() {
        return json.textOf("amount");
    }

    /** The currency that was sent. */
    public String getCurrencyCode() {
        return json.textOf("currencyCode");
    }

    /** What is known about the order. */
    public State getState() {
        return json.nameOf("state", State.class);
    }

    /** The checkout URL. */
    public @Nullable String getUrl() {
        return json.textOf("url");
    }

    /** The base URL of the service that it belongs to. */
    public String getService() {
        return json.textOf("service");
    }

    /** The result of the call. */
    public @Nullable Result getResult() {
        return json.get("result") == null ? null : Result.of(json.countOf("result"));
    }

    @Override
    public String toString() {
        return getRaw();
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

    /** Of the last status of the order. */
    public @Nullable String getTransactionId() {
        return json.textOf("transactionId");
    }

    /** Of the last status of the order. */
    public @Nullable String getTransactionStatus() {
        return json.textOf("transactionStatus");
    }

    /** When the call started. */
    public Instant getStartedAt() {
        return time("startedAt");
    }

    /** When the call ends at the latest. */
    public Instant getDeadline() {
        return time("deadline");
    }

    /** When the entry was last written. */
    public Instant getUpdatedAt() {
        return time("updatedAt");
    }

    /** Why a person closed it. */
    public @Nullable String getNote() {
        return json.textOf("note");
    }

    /** What to give to getStatus. */
    public StatusQuery getStatusQuery() {
        return StatusQuery.byOrder(getOrderId());
    }

    /** The entry as JSON text. */
    public String getRaw() {
        return json.getRaw();
    }

    private Instant time(String key) {
        String time = json.textOf(key);
        try {
            return time == null ? null : Instant.parse(time);
        } catch (DateTimeParseException another) {
            return null;
        }
    }
}

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

    static List<JournalEntry> listOf(JsonValue json) {
        List<JournalEntry> entries = new ArrayList<>();
        for (JsonValue one : json.get("entries").getItems()) {
            entries.add(new JournalEntry(one));
        }
        return Collections.unmodifiableList(entries);
    }

    /** Its number; later entries have higher ones. */
    public long getEntry() {
        return json.numberOf("entry");
    }

    public String getOrderId() {
        return json.textOf("orderId");
    }

    public String getMerchantTxnId() {
        return json.textOf("merchantTxnId");
    }

    public String getAmount() {
        return json.textOf("amount");
    }

    public String getCurrencyCode() {
        return json.textOf("currencyCode");
    }

    /** One of sending, created, rejected, not_sent, unknown and settled. */
    public String getState() {
        return json.textOf("state");
    }

    /** The checkout URL. */
    public String getUrl() {
        return json.textOf("url");
    }

    /** The base URL of the service that it belongs to. */
    public String getService() {
        return json.textOf("service");
    }

    /** The result of the call: one of {@link Constants.Results}. */
    public Integer getResult() {
        Long result = json.numberOf("result");
        return result == null ? null : result.intValue();
    }

    public String getTransactionId() {
        return json.textOf("transactionId");
    }

    public String getTransactionStatus() {
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
    public String getNote() {
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

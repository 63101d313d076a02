package org.payorder;

import java.util.ArrayList;
import java.util.List;

/** The result of {@link PayorderClient#recover}. */
public final class Recovered extends RecoveredKeys {
    private final Summary summary;
    private final List<Sale> sales = new ArrayList<>();

    Recovered(String raw) {
        super(JsonValue.parse(raw));
        summary = Summary.of(json);
        for (JsonValue sale : json.itemsOf("sales")) {
            sales.add(new Sale(sale));
        }
    }

    /**
     * For tests without a service: from {@code sales}, each with {@code orderId}, {@code verdict},
     * {@code amount} and what else it has, and perhaps {@code summary} and {@code otherServices}.
     *
     * @throws IllegalArgumentException if it cannot be read
     */
    public static Recovered fromJson(String json) {
        return new Recovered(json);
    }

    @Override
    public String toString() {
        return "Recovered{sales=" + sales + ", otherServices=" + getOtherServices() + "}";
    }

    /** How many queries had which result. */
    public Summary getSummary() {
        return summary;
    }

    /** The verdicts. */
    public List<Sale> getSales() {
        return sales;
    }

    /** What is known of an open sale, and what to do. */
    public enum Verdict {
        /**
         * paid: the cashier completes the sale; if it was paid in cash or sold again, a person
         * decides
         */
        PAID,
        /** money moved, not as expected (see the reasons): a person decides */
        CHECK,
        /** not paid: the customer can pay at the URL */
        PAYABLE,
        /** not paid, and its URL was lost: a person decides, and may sell again */
        URL_LOST,
        /** it may exist: show it to a person, and ask again later */
        UNKNOWN,
        /** another process is sending it, or was killed while it did: ask again */
        SENDING,
        /** refused, the service has no such order: sell again if the customer still wants it */
        REFUSED,
        /** not sent, the service has no such order: sell again if the customer still wants it */
        NOT_SENT,
        /** a person closed it: do nothing, and show no URL */
        SETTLED,
        /**
         * not known: sell again, if this journal was in use, and not restored or pruned since;
         * otherwise a person decides
         */
        NOT_IN_JOURNAL,
        /** a verdict that this version of the package does not know: show it to a person */
        UNRECOGNISED
    }

    /** What is known of one open sale. What is not known is null. */
    public static final class Sale extends SaleKeys {
        Sale(JsonValue json) {
            super(json);
        }

        /** What is known of it, and so what to do. */
        public Verdict getVerdict() {
            return json.nameOf("verdict", Verdict.class);
        }

        /** Why it is "check". */
        public List<FailedCheck> getReasons() {
            List<FailedCheck> reasons = new ArrayList<>();
            JsonValue found = json.get("reasons");
            if (found != null) {
                found.getItems().forEach(one -> reasons.add(new FailedCheck(one)));
            }
            return reasons;
        }

        /** What to give to getStatus. */
        public StatusQuery getStatusQuery() {
            return StatusQuery.byOrder(getOrderId());
        }
    }
}

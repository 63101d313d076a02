package org.payorder;

import java.util.ArrayList;
import java.util.List;

/** The result of {@link PayorderClient#recover}. */
public final class Recovered {
    private final Summary summary;
    private final int otherServices;
    private final List<Sale> sales = new ArrayList<>();

    Recovered(String raw) {
        JsonValue json = JsonValue.parse(raw);
        summary = new Summary(json.get("summary"));
        otherServices = json.countOf("otherServices");
        for (JsonValue sale : json.get("sales").getItems()) {
            sales.add(new Sale(sale));
        }
    }

    public Summary getSummary() {
        return summary;
    }

    /** How many open entries the journal has of other services. */
    public int getOtherServices() {
        return otherServices;
    }

    public List<Sale> getSales() {
        return sales;
    }

    /** What is known of one open sale. What is not known is null. */
    public static final class Sale {
        private final JsonValue json;

        Sale(JsonValue json) {
            this.json = json;
        }

        public String getOrderId() {
            return json.textOf("orderId");
        }

        /**
         * paid, check, payable, url_lost, unknown, sending, refused, not_sent, settled or
         * not_in_journal.
         */
        public String getVerdict() {
            return json.textOf("verdict");
        }

        public String getAmount() {
            return json.textOf("amount");
        }

        /** Where the customer can pay. */
        public String getUrl() {
            return json.textOf("url");
        }

        public String getTransactionStatus() {
            return json.textOf("transactionStatus");
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

        /** The number of the journal's entry. */
        public Long getEntry() {
            return json.numberOf("entry");
        }

        /** What to give to getStatus. */
        public StatusQuery getStatusQuery() {
            return StatusQuery.byOrder(getOrderId());
        }
    }
}

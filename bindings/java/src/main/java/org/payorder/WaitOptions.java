package org.payorder;

import java.util.List;

/** Settings of waitForPayment. */
public final class WaitOptions extends Options<WaitOptions> {
    private Integer waitMs;
    private Integer intervalMs;
    private Integer maxIntervalMs;
    private List<String> finalStatuses;

    /** How long to wait: 1 to 86400000, default 300000. */
    public WaitOptions waitMs(Integer value) {
        waitMs = value;
        return this;
    }

    /** The first pause, which grows by half: 10 to 600000, default 3000. */
    public WaitOptions intervalMs(Integer value) {
        intervalMs = value;
        return this;
    }

    /** The longest pause: 10 to 600000, default 15000. */
    public WaitOptions maxIntervalMs(Integer value) {
        maxIntervalMs = value;
        return this;
    }

    /** Further texts of transactionStatus that end the wait. */
    public WaitOptions finalStatuses(List<String> value) {
        finalStatuses = value;
        return this;
    }

    @Override
    JsonWriter write() {
        return super.write()
                .add("waitMs", waitMs)
                .add("intervalMs", intervalMs)
                .add("maxIntervalMs", maxIntervalMs)
                .add("final", finalStatuses);
    }

    @Override
    WaitOptions self() {
        return this;
    }
}

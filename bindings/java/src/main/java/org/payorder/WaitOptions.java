package org.payorder;

import java.time.Duration;
import java.util.List;

/** Settings of waitForPayment. */
public final class WaitOptions extends Options<WaitOptions> {
    private Duration wait;
    private Duration interval;
    private Duration maxInterval;
    private List<String> finalStatuses;

    /** How long to wait: at most a day, default 5 minutes. */
    public WaitOptions waitFor(Duration value) {
        wait = value;
        return this;
    }

    /** The first pause, which grows by half: 10 ms to 10 minutes, default 3 seconds. */
    public WaitOptions interval(Duration value) {
        interval = value;
        return this;
    }

    /** The longest pause: 10 ms to 10 minutes, default 15 seconds. */
    public WaitOptions maxInterval(Duration value) {
        maxInterval = value;
        return this;
    }

    /**
     * Texts of transactionStatus that end the wait, in addition to "Completed". The customer may
     * still be able to pay: this stops the wait, and not the order.
     */
    public WaitOptions finalStatuses(List<String> value) {
        finalStatuses = value;
        return this;
    }

    @Override
    JsonWriter write() {
        return super.write()
                .add("waitMs", wait)
                .add("intervalMs", interval)
                .add("maxIntervalMs", maxInterval)
                .add("final", finalStatuses);
    }

    @Override
    WaitOptions self() {
        return this;
    }
}

package org.payorder;

import java.time.Duration;
import java.util.List;

/** Settings of waitForPayment. */
public final class WaitOptions extends Options<WaitOptions> {
    /** How long to wait: at most a day, default 5 minutes. */
    public WaitOptions waitFor(Duration value) {
        return set("waitMs", value);
    }

    /** The first pause, which grows by half: 10 ms to 10 minutes, default 3 seconds. */
    public WaitOptions interval(Duration value) {
        return set("intervalMs", value);
    }

    /** The longest pause: 10 ms to 10 minutes, default 15 seconds. */
    public WaitOptions maxInterval(Duration value) {
        return set("maxIntervalMs", value);
    }

    /**
     * Texts of transactionStatus that end the wait, in addition to "Completed". The customer may
     * still be able to pay: this stops the wait, and not the order.
     */
    public WaitOptions finalStatuses(List<String> value) {
        return set("final", value);
    }
}

package org.payorder;

import java.time.Duration;

/** Settings of recover. */
public final class RecoverOptions extends Options<RecoverOptions> {
    /** How many queries run at the same time: 1 to 64, default 8. */
    public RecoverOptions concurrency(Integer value) {
        return set("concurrency", value);
    }

    /** The most queries per second, evenly spaced; default no limit. */
    public RecoverOptions ratePerSecond(Double value) {
        return set("ratePerSecond", value);
    }

    /** How long to wait for entries that another process is sending: at most 10 minutes. */
    public RecoverOptions waitFor(Duration value) {
        return set("waitMs", value);
    }
}

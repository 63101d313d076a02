package org.payorder;

import java.time.Duration;

/** Settings of recover. */
public final class RecoverOptions extends Options<RecoverOptions> {
    private Integer concurrency;
    private Double ratePerSecond;
    private Duration wait;

    /** How many queries run at the same time: 1 to 64, default 8. */
    public RecoverOptions concurrency(Integer value) {
        concurrency = value;
        return this;
    }

    /** The most queries per second, evenly spaced; default no limit. */
    public RecoverOptions ratePerSecond(Double value) {
        ratePerSecond = value;
        return this;
    }

    /** How long to wait for entries that another process is sending: at most 10 minutes. */
    public RecoverOptions waitFor(Duration value) {
        wait = value;
        return this;
    }

    @Override
    JsonWriter write() {
        return super.write()
                .add("concurrency", concurrency)
                .add("ratePerSecond", ratePerSecond)
                .add("waitMs", wait);
    }

    @Override
    RecoverOptions self() {
        return this;
    }
}

package org.payorder;

/** Settings of getStatuses and Journal.resolve. */
public final class BatchOptions extends Options<BatchOptions> {
    /** How many queries run at the same time: 1 to 64, default 8. */
    public BatchOptions concurrency(Integer value) {
        return set("concurrency", value);
    }

    /** The most queries per second, evenly spaced; default no limit. */
    public BatchOptions ratePerSecond(Double value) {
        return set("ratePerSecond", value);
    }
}

package org.payorder;

/** Settings of getStatuses and Journal.resolve. */
public final class BatchOptions extends Options<BatchOptions> {
    private Integer concurrency;
    private Double ratePerSecond;

    /** How many queries run at the same time: 1 to 64, default 8. */
    public BatchOptions concurrency(Integer value) {
        concurrency = value;
        return this;
    }

    /** The most queries per second, evenly spaced; default no limit. */
    public BatchOptions ratePerSecond(Double value) {
        ratePerSecond = value;
        return this;
    }

    @Override
    JsonWriter write() {
        return super.write()
                .add("concurrency", concurrency)
                .add("ratePerSecond", ratePerSecond);
    }

    @Override
    BatchOptions self() {
        return this;
    }
}

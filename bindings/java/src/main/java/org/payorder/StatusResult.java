package org.payorder;

/** The result of one of many queries: a status, or an error. */
public final class StatusResult {
    private final int index;
    private final StatusQuery query;
    private final Status status;
    private final PayorderException error;

    StatusResult(int index, StatusQuery query, int result, String raw) {
        this.index = index;
        this.query = query;
        status = result == 0 ? new Status(raw) : null;
        error = result == 0 ? null : ErrorFields.exception(result, raw);
    }

    @Override
    public String toString() {
        return "StatusResult{index=" + index + ", status=" + status + ", error=" + error + "}";
    }

    /** The query's place, from 0. */
    public int getIndex() {
        return index;
    }

    /** The query itself. */
    public StatusQuery getQuery() {
        return query;
    }

    /** The status, or null if there is an error. */
    public @Nullable Status getStatus() {
        return status;
    }

    /** What getStatus would have thrown, or null. */
    public @Nullable PayorderException getError() {
        return error;
    }
}

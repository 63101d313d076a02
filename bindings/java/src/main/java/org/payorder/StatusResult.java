package org.payorder;

import org.jspecify.annotations.Nullable;

/** The result of one of many queries: a status, or an error. */
public final class StatusResult {
    private final int index;
    private final StatusQuery query;
    private final Status status;
    private final PayorderException error;

    StatusResult(int index, StatusQuery query, int result, String raw) {
        this(
                index,
                query,
                result == 0 ? Status.fromJson(raw) : null,
                result == 0 ? null : ErrorFields.exception(result, raw));
    }

    /** For tests without a service: a status or an error. */
    public StatusResult(
            int index,
            StatusQuery query,
            @Nullable Status status,
            @Nullable PayorderException error) {
        this.index = index;
        this.query = query;
        this.status = status;
        this.error = error;
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
